// The options of a plan: which ones an encode in chunks can keep to, and in which form the plan holds them.

import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import { FRAME_RATE_NAMES } from '../bitstream/tables/frame-rate.js';
import type { EncoderOptions } from '../encoder/options.js';
import { readOptions } from '../encoder/settings/read-options.js';
import { type EncoderSettings, resolveOptions } from '../encoder/settings/resolve-options.js';
import { OptionError, type TextWithOptions, textWith } from '../errors.js';
import { isBuiltInName } from '../motion/built-in-estimators.js';
import { ESTIMATOR_NAMES } from '../motion/registry.js';
import type { AbortSignalType } from '../platform-types.js';
import type { PlannedOptions } from './chunk-plan.js';

/** What `auto` means in a plan: what it takes where there is no GPU, and what every machine can run. */
const PLANNED_AUTO = 'cpu-predictive';

/** How long chunks are. */
export interface ChunkSeconds {
  /** The shortest chunk in seconds, unless the input is shorter. */
  readonly min: number;
  /** The longest chunk in seconds, unless what is left would be shorter than `min`. */
  readonly max: number;
}

/**
 * The options of a plan: those of an encode that decide its bytes, and those of planning itself. `bitrate` means two
 * passes.
 */
export interface PlanOptions extends Omit<PlannedOptions, 'estimator'> {
  /** The name of a built-in estimator; default, and the meaning of 'auto', is 'cpu-predictive'. */
  readonly estimator?: string | undefined;
  /** Default: the source's; needed where it has none. */
  readonly frameRate?: number | FrameRate | undefined;
  /** Plan at most so many frames, from the first; default all. */
  readonly frames?: number | undefined;
  /** Default 5 to 20 seconds. */
  readonly chunkSeconds?: ChunkSeconds | undefined;
  /** Kept in the plan as it is: where the input is. Plain JSON. */
  readonly source?: unknown | undefined;
  /** Stops the planning. */
  readonly signal?: AbortSignalType | undefined;
  /** Called after each frame that is planned. */
  readonly onProgress?: ((frames: number) => void) | undefined;
}

const NEEDS_BUFFER: TextWithOptions = named => {
  const why = "needs a decoder's buffer, whose state goes from picture to picture";
  const works = `${named('q')}, to ${named('quality')}, or to ${named('bitrate')} without a buffer in two passes`;
  return `${why}; chunks can keep to ${works}`;
};
const FOR_LIVE_PICTURES = 'is for live pictures, and a plan is made when all frames are there: leave it out';
const OF_THE_MACHINE = 'is no part of a plan: give it to encodeChunk';

/** Why chunks cannot keep to an option. */
const REFUSED: Readonly<Partial<Record<keyof EncoderOptions, TextWithOptions>>> = {
  cbr: NEEDS_BUFFER,
  maxrate: NEEDS_BUFFER,
  vbvBytes: NEEDS_BUFFER,
  latency: FOR_LIVE_PICTURES,
  intraRefresh: FOR_LIVE_PICTURES,
  expectedFrames: 'is what the plan finds: leave it out',
  firstPass: 'is found by the first pass of the chunks: leave it out',
  isFirstPass: 'is what measureChunk does: leave it out',
  threads: OF_THE_MACHINE,
  keptThreads: OF_THE_MACHINE,
  kernels: OF_THE_MACHINE,
  workerUrl: OF_THE_MACHINE,
  kernelsUrl: OF_THE_MACHINE,
  maxPendingPictures: OF_THE_MACHINE,
  onWarning: OF_THE_MACHINE,
  onPicture: OF_THE_MACHINE,
  onReconstruction: OF_THE_MACHINE,
};

/** The options as a plan holds them, and what they mean. */
export interface CheckedOptions {
  readonly options: PlannedOptions;
  readonly settings: EncoderSettings;
}

/** The coding options, checked. Throws an OptionError for a wrong one, and for one that chunks cannot keep to. */
export function checkPlanOptions(
  given: Omit<PlanOptions, 'frames' | 'chunkSeconds' | 'source' | 'signal' | 'onProgress'>,
  {
    width,
    height,
    frameRate,
  }: { readonly width: number; readonly height: number; readonly frameRate?: FrameRate | undefined },
): CheckedOptions {
  const rate = given.frameRate ?? frameRate;
  if (rate === undefined) {
    throw new OptionError(
      'frameRate',
      named => `${named('frameRate')} is needed, since the input has no rate; legal: ${FRAME_RATE_NAMES}`,
    );
  }
  const read = readOptions({ ...given, width, height, frameRate: rate });
  for (const [name, reason] of Object.entries(REFUSED)) {
    if (read[name as keyof EncoderOptions] !== undefined && read[name as keyof EncoderOptions] !== false) {
      throw new OptionError(name, named => `${named(name)} ${textWith(reason, named)}`);
    }
  }
  if (read.target === 'vcd') {
    throw new OptionError('target', named => `${named('target')} vcd ${textWith(NEEDS_BUFFER, named)}`);
  }
  const estimator = plannedEstimator(read.estimator);
  const settings = resolveOptions({ ...read, estimator });
  const { width: _w, height: _h, frameRate: _r, signal: _s, ...coding } = read;
  const { cbr: _c, intraMatrix, nonIntraMatrix, ...plain } = coding;
  const options = {
    ...plain,
    estimator,
    ...(intraMatrix && { intraMatrix: Array.from(intraMatrix) }),
    ...(nonIntraMatrix && { nonIntraMatrix: Array.from(nonIntraMatrix) }),
  };
  return { options: options as PlannedOptions, settings };
}

function plannedEstimator(given: EncoderOptions['estimator'] = 'auto'): string {
  if (given === 'auto') return PLANNED_AUTO;
  if (typeof given === 'string' && isBuiltInName(given)) return given;
  const what = typeof given === 'string' ? `${given} is a module of this machine` : 'is a function';
  const legal = `which a plan cannot hold; legal: ${ESTIMATOR_NAMES.join(', ')}`;
  throw new OptionError('estimator', named => `${named('estimator')} ${what}, ${legal}`);
}
