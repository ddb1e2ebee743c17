// The options of `encodeFiles`, and the job that they ask for.

import { type FrameRate, requireFrameRate } from '../bitstream/tables/frame-rate.js';
import type { EncoderOptions } from '../encoder/options.js';
import type { MatrixName } from '../encoder/quantizer/quantizer-set.js';
import { ENCODER_OPTIONS } from '../encoder/settings/option-table.js';
import {
  checkValue,
  type OptionValues,
  type OtherValues,
  otherValues,
  SWITCH,
  words,
} from '../encoder/settings/option-values.js';
import { asProperty, OptionError } from '../errors.js';
import { requireKnownNames } from '../given-options.js';
import { requireFileName } from '../media/containers/container.js';
import { pictureOptionsOf } from '../media/filters/picture-options.js';
import type { FrameSourceOptions } from '../media/frames/frame-source.js';
import { checkDependentOptions, TUNED_MATRIX } from './check-options.js';
import type { EncodeJob } from './encode-run.js';
import { soundFile, soundRequest } from './encode-sound.js';
import { requireDifferentFiles } from './output-names.js';
import { NO_PROGRESS } from './progress.js';

/** What an encode of files finds out by itself. */
const FOUND_OPTIONS = ['width', 'height', 'firstPass', 'isFirstPass', 'expectedFrames', 'pelAspectRatio'] as const;
type FoundOption = (typeof FOUND_OPTIONS)[number];

/** How the input is read. */
type InputOptions = Omit<FrameSourceOptions, 'frameRate' | 'start' | 'optionNaming' | 'onWarning' | 'signal'>;

/** The options of {@link encodeFiles}: those of the encoder and of the input, and these. All may be left out. */
export interface EncodeFilesOptions extends Omit<EncoderOptions, FoundOption | 'frameRate' | 'matrix'>, InputOptions {
  /** Frames per second, one of MPEG-1's rates; default: the input's, else 25. A video is resampled to it. */
  readonly frameRate?: number | FrameRate | undefined;
  /** As for the encoder, or 'tuned': the first of two passes finds the matrix. */
  readonly matrix?: MatrixName | 'tuned' | undefined;
  /** 2: the input is read twice, to spend the bits of `bitrate` where they are needed; default 1. */
  readonly passes?: 1 | 2 | undefined;
  /** 'auto', the default: the input's first sound track; 'none'; or a file, whose sound is taken. */
  readonly audio?: 'auto' | 'none' | (string & {}) | undefined;
  /** Bit/s of the sound, one of Layer II's; default 192000, for one channel 96000. */
  readonly audioBitrate?: number | undefined;
  /** A `.y4m` file for the pictures as a decoder shows them. */
  readonly recon?: string | undefined;
  /** A file for the vectors in half-pels, a line of JSON per coded picture. */
  readonly vectors?: string | undefined;
  /** True: existing outputs are replaced. By default they are an error. */
  readonly overwrite?: boolean | undefined;
  /**
   * What happens where ffmpeg finds faults in a video: 'warn', the default, takes what can be decoded and tells
   * `onWarning`; 'error' rejects, and keeps nothing.
   */
  readonly damage?: 'error' | 'warn' | undefined;
  /**
   * Called after each picture, with how many are done and how many are expected; undefined if that is not known. In two
   * passes, each begins with 1. The encode does not wait for a promise that it returns; if that rejects before the
   * encode has ended, the encode fails.
   */
  readonly onProgress?: ((frames: number, expectedFrames: number | undefined) => void) | undefined;
}

const FILE_NAME = otherValues('the name of a file', value => typeof value === 'string');
const BYTES = otherValues('a stream of bytes, or another iterable of them', value => {
  return typeof value === 'object' && value !== null && (Symbol.asyncIterator in value || Symbol.iterator in value);
});

/** The options that are not the encoder's, with their values; true: the part that uses the value checks it. */
const OWN_OPTIONS = {
  ...{ frameRate: true, passes: true, audio: true, audioBitrate: true, frames: true, size: true },
  ...{ crop: true, scale: true, aspect: true, background: true },
  ...{ recon: FILE_NAME, vectors: FILE_NAME, stdin: BYTES, overwrite: SWITCH },
  ...{ deinterlace: SWITCH, toBt601: SWITCH },
  matrix: words([...ENCODER_OPTIONS.matrix.values.words, TUNED_MATRIX]),
  damage: words(['error', 'warn']),
  onProgress: ENCODER_OPTIONS.onPicture.values,
} as const satisfies Readonly<
  Record<
    Exclude<keyof EncodeFilesOptions, Exclude<keyof EncoderOptions, 'matrix' | 'frameRate'>>,
    true | OptionValues | OtherValues
  >
>;

const NAMES: readonly string[] = [
  ...Object.keys(OWN_OPTIONS),
  ...Object.keys(ENCODER_OPTIONS).filter(name => !FOUND_OPTIONS.some(found => found === name)),
];

/** The job of an encode with these options. Throws an OptionError for one that is wrong. */
export async function jobFor(
  input: string,
  output: string,
  options: EncodeFilesOptions,
  { onWarning, onProgress }: { readonly [Key in 'onWarning' | 'onProgress']: NonNullable<EncodeFilesOptions[Key]> },
): Promise<EncodeJob> {
  requireFileName(output);
  if (output === '-') throw new OptionError('output', "output '-' is not the name of a file");
  requireKnownNames(options, NAMES, 'EncodeFilesOptions');
  checkValues(options);
  await checkDependentOptions(input, { ...options, output });
  const { passes = 1, matrix, recon, vectors, overwrite = false, onPicture } = options;
  const sound = soundRequest({ ...options, output }, { onNote: onWarning, named: asProperty });
  await requireDifferentFiles({
    inputs: { 'the input': input, audio: soundFile(sound) },
    outputs: { output, recon, vectors },
    json: false,
  });
  return {
    ...{ input, output, overwrite, sound, recon, vectors, passes, onWarning, onLeftover: onWarning },
    source: sourceOptions(options, onWarning),
    tunesMatrix: matrix === TUNED_MATRIX,
    encoder: { ...encoderOptions(options), onWarning },
    showProgress: expected => ({ ...NO_PROGRESS, update: frames => onProgress(frames, expected) }),
    onPicture: async report => onPicture?.(report),
  };
}

/** Throws an OptionError for an option whose value is none of its row. */
function checkValues(options: EncodeFilesOptions): void {
  const { signal, onPicture, onWarning } = ENCODER_OPTIONS; // which the encoder does not get as they are
  const ofEncoder = { signal: signal.values, onPicture: onPicture.values, onWarning: onWarning.values };
  for (const [name, values] of Object.entries({ ...OWN_OPTIONS, ...ofEncoder })) {
    const value = options[name as keyof EncodeFilesOptions];
    if (values !== true && value !== undefined) checkValue(name, value, values);
  }
}

function sourceOptions(options: EncodeFilesOptions, onWarning: (message: string) => void): FrameSourceOptions {
  const { frames, size, stdin, damage = 'warn', frameRate } = options;
  const given = { frames, size, stdin, ...pictureOptionsOf(options) };
  return {
    ...(Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined)) as InputOptions),
    ...(frameRate !== undefined && { frameRate: requireFrameRate(frameRate) }),
    damage,
    onWarning,
  };
}

/** The options that are for the encoder. `matrix` is among them, unless it is to be found. */
function encoderOptions({ matrix, onPicture: _, signal: _s, ...options }: EncodeFilesOptions): EncodeJob['encoder'] {
  const others = Object.entries(options).filter(
    ([name, value]) => value !== undefined && !Object.hasOwn(OWN_OPTIONS, name),
  );
  return {
    ...(Object.fromEntries(others) as EncodeJob['encoder']),
    ...(matrix !== undefined && matrix !== TUNED_MATRIX && { matrix }),
  };
}
