// The options of `encodeVideo`, and what of them goes where.

import type { EncoderOptions } from '../../encoder/options.js';
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { checkValue, words } from '../../encoder/settings/option-values.js';
import { readOptions } from '../../encoder/settings/read-options.js';
import { OptionError } from '../../errors.js';
import { requireOptions } from '../../given-options.js';
import { VIDEO_CONTAINERS, type VideoContainer } from '../../media/containers/video-container.js';
import { type FramesOptions, kernelsOf } from '../sources/open-frames.js';

/** What an encode of a source finds out by itself. */
type FoundOptions = 'width' | 'height' | 'frameRate' | 'expectedFrames';

/** The options of {@link encodeVideo}: those of the encoder and of the frames, and these. All may be left out. */
export interface EncodeVideoOptions
  extends Omit<EncoderOptions, FoundOptions | 'signal'>,
    Omit<FramesOptions, 'signal'> {
  /** 'mpg', 'ts' (what JSMpeg plays: without B pictures, unless `bFrames` is given) or 'm1v'; default 'mpg'. */
  readonly format?: VideoContainer | undefined;
  /** Ends the encode: the stream, and whoever waits for it, fails with its reason. */
  readonly signal?: AbortSignal | undefined;
  /**
   * Called after each picture, with how many are done and how many are expected; undefined if that is not known. The
   * encode waits for a promise that it returns. If it fails, so does the encode.
   */
  readonly onProgress?: ((frames: number, expectedFrames: number | undefined) => void) | undefined;
}

/** The options, sorted. */
export interface VideoJob {
  readonly format: VideoContainer;
  readonly frames: FramesOptions;
  readonly encoder: Omit<EncoderOptions, FoundOptions | 'signal'>;
  readonly signal: AbortSignal | undefined;
  readonly onProgress: EncodeVideoOptions['onProgress'];
}

const OWN_NAMES = ['format', 'onProgress', 'frameRate', 'scale', 'background', 'convert', 'frames'];
const FOUND_NAMES: readonly string[] = ['width', 'height', 'expectedFrames'] satisfies FoundOptions[];
const ENCODER_NAMES = Object.keys(ENCODER_OPTIONS).filter(name => !FOUND_NAMES.includes(name));

/** The job of an encode with these options. Throws an OptionError for one that is wrong by itself. */
export function videoJob(options: EncodeVideoOptions): VideoJob {
  requireOptions(options, [...ENCODER_NAMES, ...OWN_NAMES], 'EncodeVideoOptions');
  const { format = 'mpg', onProgress, scale, background, convert, frames, frameRate, signal, ...others } = options;
  checkValue('format', format, words(VIDEO_CONTAINERS));
  // The size and the rate are not known yet; any will do to check the others.
  const found = { width: 16, height: 16, frameRate: frameRate ?? 25 };
  readOptions({ ...others, ...found });
  requireTarget(others.target, format);
  const { bFrames = format === 'ts' ? 0 : undefined } = others;
  return {
    format,
    frames: { frameRate, scale, background, convert, frames, ...kernelsOf(others) },
    encoder: { ...others, bFrames },
    signal,
    onProgress,
  };
}

/** Throws an OptionError for a format that the target's player does not play. */
function requireTarget(target: EncoderOptions['target'], format: VideoContainer): void {
  const right = { jsmpeg: 'ts', vcd: 'mpg' } as const;
  if (target === undefined || format === right[target]) return;
  throw new OptionError(
    'target',
    named => `${named('target')} ${target} needs ${named('format')} ${right[target]}, not ${format}`,
  );
}
