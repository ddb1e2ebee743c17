/** `mpegpu`: the encoder and the estimator contract. Free of `node:` imports; files are the business of `mpegpu/node`. */
export type { AccessUnit } from './bitstream/access-unit.js';
export { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from './bitstream/frame-rate.js';
export type { PictureType } from './bitstream/macroblock-codes.js';
export { TUNE_NAMES, type TuneName } from './encoder/adaptive-quantisation.js';
export { Encoder } from './encoder/encoder.js';
export { FrameSample } from './encoder/frame-sample.js';
export { tuneIntraMatrix } from './encoder/matrix-tuning.js';
export type { MotionStatistics } from './encoder/motion-pipeline.js';
export { type EncoderOptions, MAX_HEIGHT, MAX_WIDTH } from './encoder/options.js';
export type { PictureReport, VectorReport } from './encoder/picture-report.js';
export { type CodingTools, PRESET_NAMES, type PresetName } from './encoder/presets.js';
export { MATRIX_NAMES, type MatrixName } from './encoder/quantiser-set.js';
export type { PassPicture, PassStatistics } from './encoder/rate-control/pass-statistics.js';
export type { EncoderStatistics, PsnrSummary, StageTimes } from './encoder/statistics.js';
export { TARGET_NAMES, type TargetName } from './encoder/stream-target.js';
export { TOOL_NAMES, type ToolSwitches } from './encoder/tool-switches.js';
export { InputError, InternalError, OptionError, OutputError, UnsupportedError } from './errors.js';
export { KERNEL_SET_NAMES } from './kernels/select-kernels.js';
export type {
  EstimateRequest,
  EstimatorFactory,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  LumaPicture,
  Metric,
  MotionEstimator,
  MotionField,
  MrmpParameters,
  SearchRange,
} from './motion/estimator.js';
export {
  type ChosenEstimator,
  createEstimator,
  ESTIMATOR_NAMES,
  type EstimatorOptions,
} from './motion/registry.js';
export { chromaLength, type Frame, frameFromI420, i420Bytes } from './picture/frame.js';
