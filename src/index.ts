// `mpegpu`: the encoder and the estimator contract. It imports nothing of Node; files are in `mpegpu/node`.

export type { AccessUnit } from './bitstream/access-unit.js';
export { MAX_HEIGHT, MAX_WIDTH } from './bitstream/limits.js';
export type { PictureType } from './bitstream/picture-type.js';
export { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from './bitstream/tables/frame-rate.js';
export { nearestPelAspectRatio, PEL_ASPECT_RATIOS, type PelAspect } from './bitstream/tables/pel-aspect-ratio.js';
export type { AssembledPicture, AssembledVideo, AssemblyOutput, AssemblyRun } from './chunks/assemble-chunks.js';
export { budgetChunks, type ChunkMeasurement } from './chunks/chunk-budgets.js';
export { chunkInMemory, type StoredChunk } from './chunks/chunk-format.js';
export {
  type ChunkBudget,
  type ChunkPlan,
  type FirstPassPicture,
  type PlannedChunk,
  type PlannedInput,
  type PlannedOptions,
  readPlan,
} from './chunks/chunk-plan.js';
export type { ChunkSource } from './chunks/chunk-source.js';
export type { ChunkRun, EncodedChunk } from './chunks/encode-chunk.js';
export { assembleChunks, encodeChunk, measureChunk, planChunks } from './chunks/library-steps.js';
export type { ChunkSeconds, PlanOptions } from './chunks/plan-options.js';
export { Encoder } from './encoder/encoder.js';
export type { MotionStatistics } from './encoder/motion/motion-pipeline.js';
export { MOTION_REFERENCES, type MotionReference } from './encoder/motion/motion-reference.js';
export type { EncoderOptions } from './encoder/options.js';
export { TUNE_NAMES, type TuneName } from './encoder/quantizer/adaptive-quantization.js';
export { MATRIX_NAMES, type MatrixName } from './encoder/quantizer/quantizer-set.js';
export type { PassPicture, PassStatistics } from './encoder/rate-control/pass-statistics.js';
export type { EncodeSummary } from './encoder/report/encode-summary.js';
export type { PictureReport, VectorReport } from './encoder/report/picture-report.js';
export type { EncoderStatistics, PsnrSummary, StageTimes } from './encoder/report/statistics.js';
export {
  INTRA_REFRESHES,
  type IntraRefreshName,
  LATENCIES,
  type LatencyName,
} from './encoder/settings/latency-name.js';
export { type CodingTools, PRESET_NAMES, type PresetName } from './encoder/settings/presets.js';
export { TARGET_NAMES, type TargetName } from './encoder/settings/target-name.js';
export { TOOL_NAMES, type ToolSwitches } from './encoder/settings/tool-switches.js';
export { FrameSample } from './encoder/tuning/frame-sample.js';
export { tuneIntraMatrix } from './encoder/tuning/matrix-tuning.js';
export { InputError, InternalError, OptionError, type OptionNaming, OutputError, UnsupportedError } from './errors.js';
export { KERNEL_SET_NAMES, type KernelSetName } from './kernels/kernels.js';
export type { ContainerWriter, StreamFormat } from './media/containers/container-writer.js';
export {
  createContainerWriter,
  VIDEO_CONTAINERS,
  type VideoContainer,
  type VideoFormat,
} from './media/containers/video-container.js';
export { framesBefore, type SoundFormat } from './media/sound/layer-two.js';
export type { GpuEstimatorName } from './motion/built-in-estimators.js';
export {
  type EstimateRequest,
  type EstimatorFactory,
  type EstimatorParameters,
  type EstimatorStatistics,
  type EstimatorTraits,
  type LumaPicture,
  METRIC_NAMES,
  type Metric,
  type MotionEstimator,
  type MotionField,
  type MrmpParameters,
  type SearchRange,
  type StartField,
} from './motion/estimator.js';
export { gpuEstimatorOn } from './motion/gpu-estimator-on.js';
export {
  type ChosenEstimator,
  createEstimator,
  ESTIMATOR_NAMES,
  type EstimatorChoice,
  type EstimatorName,
  type EstimatorOptions,
} from './motion/registry.js';
export {
  chromaLength,
  type Frame,
  type FrameMemory,
  type FrameRange as FramesWanted,
  frameFromI420,
  i420Bytes,
} from './picture/frame.js';
export type { GpuLuma } from './picture/gpu-luma.js';
export type {
  AbortSignalType,
  GpuBufferType,
  GpuComputePassType,
  GpuDeviceType,
  GpuType,
  UrlType,
} from './platform-types.js';
export {
  createGpuSorter,
  type GpuSorter,
  type GpuSorterOptions,
  type SortBuffers,
  type SortedItems,
  type SortPasses,
  sortOnGpu,
} from './sort-on-gpu.js';
export type { EncodeThreads } from './threads/thread-messages.js';
