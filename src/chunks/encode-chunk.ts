// Codes one chunk of a plan, for the video or for the first of two passes.
import type { AccessUnit } from '../bitstream/access-unit.js';
import { meanBitRate } from '../bitstream/tables/frame-rate.js';
import { Encoder } from '../encoder/encoder.js';
import type { EncoderOptions } from '../encoder/options.js';
import type { PassStatistics } from '../encoder/rate-control/pass-statistics.js';
import type { PictureReport } from '../encoder/report/picture-report.js';
import type { EncoderStatistics } from '../encoder/report/statistics.js';
import { InputError, OptionError } from '../errors.js';
import { inWords, requireOptions } from '../given-options.js';
import { gpuTwinOf, standInFor } from '../motion/built-in-estimators.js';
import { type ChunkMeasurement, makeMeasurement } from './chunk-budgets.js';
import { type ChunkPicture, writeChunk } from './chunk-format.js';
import { type ChunkPlan, chunkOf, needsFirstPass, type PlannedChunk, readPlan } from './chunk-plan.js';
import { type ChunkSource, checkSource, plannedFrames } from './chunk-source.js';

/** What a chunk is coded with on this machine; nothing of it changes the bytes. */
export interface ChunkRun
  extends Pick<
    EncoderOptions,
    'threads' | 'keptThreads' | 'kernels' | 'workerUrl' | 'kernelsUrl' | 'maxPendingPictures' | 'signal'
  > {
  /**
   * Takes the estimator's twin on the CPU or on the GPU in its place, where there is one: it gives the same vectors.
   * Default: the planned estimator itself.
   */
  readonly twin?: 'cpu' | 'gpu' | undefined;
  /** Called after each coded picture: how many of the chunk's are coded. */
  readonly onProgress?: ((coded: number, frames: number) => void) | undefined;
  /** As those of the encoder; `frame` and `displayNumber` count from the first frame of the whole input. */
  readonly onPicture?: NonNullable<EncoderOptions['onPicture']> | undefined;
  readonly onReconstruction?: NonNullable<EncoderOptions['onReconstruction']> | undefined;
  readonly onWarning?: NonNullable<EncoderOptions['onWarning']> | undefined;
}

const RUN_NAMES = Object.keys({
  threads: true,
  keptThreads: true,
  kernels: true,
  workerUrl: true,
  kernelsUrl: true,
  maxPendingPictures: true,
  signal: true,
  twin: true,
  onProgress: true,
  onPicture: true,
  onReconstruction: true,
  onWarning: true,
} satisfies Record<keyof ChunkRun, true>);

/** A coded chunk. */
export interface EncodedChunk {
  readonly index: number;
  /** What `assembleChunks` takes: the same for the same plan and frames, whatever the machine. */
  readonly bytes: Uint8Array;
  readonly statistics: EncoderStatistics;
}

/** Bytes of sequence_end_code, which the encoder adds to its last access unit. */
const SEQUENCE_END_BYTES = 4;

/** As `encodeChunk` of the library. */
export async function encodeChunk(
  source: ChunkSource,
  plan: ChunkPlan,
  index: number,
  run: ChunkRun = {},
): Promise<EncodedChunk> {
  const chunk = checkedChunk(source, plan, index, run);
  if (needsFirstPass(plan)) {
    const advice = 'make the first pass of all its chunks, and from these the plan of the second pass';
    throw new InputError(`the plan has a bit rate and no budgets: ${advice}`);
  }
  const reports = new Map<number, PictureReport>();
  const keepReport = (report: PictureReport) => void reports.set(report.frame, report);
  const { units, encoder } = await codeFrames(source, plan, chunk, secondPass(plan, chunk), run, keepReport);
  const last = units.length - 1;
  const parts = units.map(({ data }, i) => (i < last ? data : data.subarray(0, data.length - SEQUENCE_END_BYTES)));
  const pictures = units.map((unit, i) =>
    chunkPicture(reports.get(chunk.firstFrame + unit.displayNumber)!, parts[i]!.length),
  );
  const { statistics } = encoder;
  return {
    index,
    bytes: writeChunk({ plan: plan.identity, index, pictures }, parts),
    statistics: { ...statistics, bits: statistics.bits - 8 * SEQUENCE_END_BYTES },
  };
}

/** As `measureChunk` of the library. */
export async function measureChunk(
  source: ChunkSource,
  plan: ChunkPlan,
  index: number,
  run: ChunkRun = {},
): Promise<ChunkMeasurement> {
  const chunk = checkedChunk(source, plan, index, run);
  const { bitrate } = plan.options;
  if (bitrate === undefined) throw new InputError('the plan has no bit rate, so it needs no first pass');
  const { onWarning: _, ...silent } = run; // the second pass warns
  const { encoder } = await codeFrames(source, plan, chunk, { bitrate, isFirstPass: true }, silent);
  return makeMeasurement(plan, index, encoder.passStatistics);
}

function checkedChunk(source: ChunkSource, plan: ChunkPlan, index: number, run: ChunkRun): PlannedChunk {
  const chunk = chunkOf(readPlan(plan), index);
  checkSource(source, plan);
  requireOptions(run, RUN_NAMES, 'ChunkRun');
  const { twin } = run;
  if (twin !== undefined && twin !== 'cpu' && twin !== 'gpu') {
    throw new OptionError('twin', `twin ${inWords(twin)} is not legal; legal: cpu, gpu`);
  }
  return chunk;
}

/** The options of the rate that a budget gives. */
function secondPass({ input }: ChunkPlan, { budget, frames }: PlannedChunk): Partial<EncoderOptions> {
  if (budget === undefined) return {};
  const firstPass: PassStatistics = budget.firstPass.map(([type, bits, quantizerScale]) => {
    return { type, bits, quantizerScale };
  });
  return { bitrate: meanBitRate(budget.bits, frames, input.frameRate), firstPass };
}

/** Encodes the frames of a chunk. Reports and reconstructions have the numbers of the whole input's frames. */
async function codeFrames(
  source: ChunkSource,
  { input, options }: ChunkPlan,
  chunk: PlannedChunk,
  rate: Partial<EncoderOptions>,
  { onProgress, onPicture, onReconstruction, signal, twin, ...machine }: ChunkRun,
  keepReport: (report: PictureReport) => void = () => {},
): Promise<{ readonly units: readonly AccessUnit[]; readonly encoder: Encoder }> {
  const { width, height, frameRate } = input;
  const { firstFrame, frames, startTimeCode } = chunk;
  const failure = new AbortController();
  const stop = signal ? AbortSignal.any([signal, failure.signal]) : failure.signal;
  let coded = 0;
  const encoder = new Encoder({
    ...{ ...machine, ...options, ...rate, width, height, frameRate, startTimeCode, signal: stop },
    estimator: twinOf(options.estimator, twin),
    expectedFrames: frames,
    onPicture: async given => {
      const report = reportFrom(given, firstFrame);
      keepReport(report);
      await onPicture?.(report);
      await onProgress?.(++coded, frames);
    },
    ...(onReconstruction && {
      onReconstruction: (frame, displayNumber) => onReconstruction(frame, firstFrame + displayNumber),
    }),
  });
  const collected = collect(encoder);
  collected.catch(() => {}); // `add` or `finish` throws the same error
  try {
    for await (const frame of plannedFrames(source, chunk, stop)) await encoder.add(frame);
    await encoder.finish();
    return { units: await collected, encoder };
  } catch (error) {
    failure.abort(error);
    await encoder.finish().catch(() => {});
    throw error;
  }
}

/** The estimator that a machine takes in the place of the planned one: it gives the same vectors. */
function twinOf(planned: string, twin: ChunkRun['twin']): string {
  if (twin === 'gpu') return gpuTwinOf(planned) ?? planned;
  return twin === 'cpu' ? standInFor(planned) : planned;
}

async function collect(encoder: Encoder): Promise<AccessUnit[]> {
  const units: AccessUnit[] = [];
  for await (const unit of encoder) units.push(unit);
  return units;
}

/** The report of a chunk's picture as one of the whole input. */
function reportFrom(report: PictureReport, firstFrame: number): PictureReport {
  const frame = firstFrame + report.frame;
  return { ...report, frame, vectors: () => ({ ...report.vectors(), frame }) };
}

function chunkPicture({ frame, type, q, squaredError }: PictureReport, bytes: number): ChunkPicture {
  return [type, frame, bytes, q, squaredError.y, squaredError.u, squaredError.v];
}
