// What a comparison is given: frames, estimators, quantizer_scales and the encoder's options.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import type { EncoderOptions } from '../../encoder/options.js';
import { OptionError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import type { MeasuredPicture } from './measured-picture.js';

const MAX_RUNS = 1000;

/** What to compare, on which frames. */
export interface ComparisonJob {
  /** At least two, all of one size. They are in memory, so that no measured time includes reading them. */
  readonly frames: readonly Frame[];
  readonly frameRate: EncoderOptions['frameRate'];
  /** Names or module paths, all different. The others are measured against the first. */
  readonly estimators: readonly string[];
  /** quantizer_scales, all different. */
  readonly quantizers: readonly number[];
  /** Timed runs of everything, 1 or more, after one untimed run. */
  readonly runs: number;
  /** Options of all encodes. */
  readonly encoder: ComparedEncoderOptions;
  /** Ends the comparison early; what is finished is kept. */
  readonly signal?: AbortSignal;
  /** Called with the number of frames encoded so far, in all encodes; {@link comparisonFrames} at the end. */
  readonly onProgress?: (frames: number) => void;
  /** Called once with each picture of each estimator's encodes. The comparison waits for the promise. */
  readonly onPicture?: (picture: MeasuredPicture) => void | Promise<void>;
  readonly onWarning?: (message: string) => void;
}

/** The encoder's options that a comparison does not set itself. */
export type ComparedEncoderOptions = Pick<
  EncoderOptions,
  | 'gop'
  | 'bFrames'
  | 'preset'
  | 'tools'
  | 'slices'
  | 'range'
  | 'metric'
  | 'candidates'
  | 'motionReference'
  | 'threads'
  | 'kernels'
>;

/** Frames of all encodes of a comparison together. */
export function comparisonFrames({ frames, estimators, quantizers, runs }: ComparisonJob): number {
  return frames.length * estimators.length * quantizers.length * (runs + 1);
}

/** Throws an OptionError if a part of the job is missing, named twice or out of range. */
export function checkJob({ frames, estimators, quantizers, runs }: ComparisonJob): void {
  if (frames.length < 2) throw new OptionError('frames', `${frames.length} frames cannot be compared: 2 are needed`);
  if (estimators.length === 0) throw new OptionError('estimators', 'no estimators to compare: name at least one');
  const twice = estimators.find((estimator, i) => estimators.indexOf(estimator) !== i);
  if (twice !== undefined)
    throw new OptionError('estimators', named => `${named('estimators')} names '${twice}' twice`);
  const legal = `1..${MAX_QUANTIZER_SCALE}`;
  if (quantizers.length === 0) {
    throw new OptionError('qs', `no quantizer_scales to encode at: name at least one of ${legal}`);
  }
  for (const [i, q] of quantizers.entries()) {
    if (!(Number.isInteger(q) && q >= 1 && q <= MAX_QUANTIZER_SCALE)) {
      throw new OptionError('qs', named => `${named('qs')} has ${q}, which is not one of ${legal}`);
    }
    if (quantizers.indexOf(q) !== i) throw new OptionError('qs', named => `${named('qs')} names ${q} twice`);
  }
  if (!(Number.isInteger(runs) && runs >= 1 && runs <= MAX_RUNS)) {
    throw new OptionError('repeat', named => `${named('repeat')} ${runs} is not a whole number from 1 to ${MAX_RUNS}`);
  }
}
