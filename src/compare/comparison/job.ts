// What a comparison is given: frames, estimators, settings and the encoder's options.
import { counted } from '../../counted.js';
import type { EncoderOptions } from '../../encoder/options.js';
import { OptionError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { type BdMethod, MIN_POINTS } from '../quality/bd-rate.js';
import type { VmafChoice } from '../quality/vmaf-choice.js';
import { type ComparedRates, checkComparedRates } from './compared-rates.js';
import type { MeasuredPicture } from './measured-picture.js';

const MAX_RUNS = 1000;

/** What to compare, on which frames. */
export interface ComparisonJob {
  /** At least two, all of one size. They are in memory, so that no measured time includes reading them. */
  readonly frames: readonly Frame[];
  readonly frameRate: EncoderOptions['frameRate'];
  /** Names or module paths, all different. The others are measured against the first. */
  readonly estimators: readonly string[];
  /** What is encoded: once with each value. */
  readonly settings: ComparedRates;
  /** Timed runs of everything, 1 or more, after one untimed run. */
  readonly runs: number;
  /** Options of all encodes. */
  readonly encoder: ComparedEncoderOptions;
  /** Ends the comparison early; what is finished is kept. */
  readonly signal?: AbortSignal;
  /** Called with the number of frames encoded so far, in all encodes; {@link comparisonFrames} at the end. */
  readonly onProgress?: (frames: number) => void;
  /**
   * The value of the settings whose pictures come with the fields that the estimator answered for them. There it
   * searches in the calling thread.
   */
  readonly searchedFieldsAt?: number;
  /** Called once with each picture of each estimator's encodes. The comparison waits for the promise. */
  readonly onPicture?: (picture: MeasuredPicture) => void | Promise<void>;
  /** How BD-rates are interpolated; default cubic with four values or more, else pchip. */
  readonly bdMethod?: BdMethod;
  /** Whether VMAF is measured as well; default not. */
  readonly vmaf?: VmafChoice;
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
export function comparisonFrames({ frames, estimators, settings, runs }: ComparisonJob): number {
  return frames.length * estimators.length * settings.values.length * (runs + 1);
}

/** Throws an OptionError if a part of the job is missing, named twice or out of range. */
export function checkJob({ frames, estimators, settings, runs, bdMethod }: ComparisonJob): void {
  if (frames.length < 2)
    throw new OptionError('frames', `${counted(frames.length, 'frame')} cannot be compared: 2 are needed`);
  if (estimators.length === 0) throw new OptionError('estimators', 'no estimators to compare: name at least one');
  const twice = estimators.find((estimator, i) => estimators.indexOf(estimator) !== i);
  if (twice !== undefined) {
    throw new OptionError('estimators', named => `${named('estimators')} names '${twice}' twice`);
  }
  checkComparedRates(settings);
  checkBdMethod(bdMethod, settings);
  if (!(Number.isInteger(runs) && runs >= 1 && runs <= MAX_RUNS)) {
    throw new OptionError('repeat', named => `${named('repeat')} ${runs} is not a whole number from 1 to ${MAX_RUNS}`);
  }
}

/** Throws an OptionError if the method takes more values than the settings have. */
export function checkBdMethod(method: BdMethod | undefined, { values }: ComparedRates): void {
  if (method === undefined || values.length >= MIN_POINTS[method]) return;
  const needed = `takes ${MIN_POINTS[method]} values or more, here ${values.length === 1 ? 'is' : 'are'} ${values.length}`;
  throw new OptionError('bdMethod', named => `${named('bdMethod')} ${method} ${needed}`);
}
