// The contract of a frame source: what every kind of input gives.

import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';
import type { OptionNaming } from '../../errors.js';
import type { Frame, FrameMemory } from '../../picture/frame.js';
import type { AbortSignalType } from '../../platform-types.js';
import type { PictureOptions } from '../filters/picture-options.js';

/** The name of the source that reads standard input. */
export const STANDARD_INPUT = 'standard input';

/** Frames of one size, or pictures in another form. Size and rate are known before the first frame. */
export interface FrameSource<Picture = Frame> {
  /** What the user named: the path, the pattern, or `standard input`. */
  readonly name: string;
  /** In pels, within MPEG-1's limits. */
  readonly width: number;
  readonly height: number;
  /** Any rate, not only MPEG-1's eight; undefined if neither the input nor the options give one. */
  readonly frameRate?: FrameRate;
  /** The shape of the pels; undefined if neither the input nor the options give one: then they are taken as square. */
  readonly pelAspect?: PelAspect;
  /** Number of frames, for progress; undefined if unknown. For a video file it is estimated from the duration. */
  readonly frameCount?: number;
  /** Sound tracks beside the pictures; undefined for an input that can have none. */
  readonly soundTracks?: number;
  /** True: opened at a frame's time, it may begin with another frame; see {@link FrameStart}. */
  readonly seeksRoughly?: boolean;
  /**
   * The frames in display order, each read when it is asked for. May be iterated once, and not after `close`: then it
   * throws an InputError. An abort ends the iteration with the signal's reason, an input that ends early or is damaged
   * ends it with a DamagedInput. The end, an error and a loop that is left early all release the source's resources.
   *
   * `memory`, such as an encoder of frames of this size: a source may put its frames there, and one more than is asked
   * for.
   */
  frames(signal?: AbortSignalType, memory?: FrameMemory): AsyncIterable<Picture>;
  /** Releases the source's resources (files, ffmpeg), even if it was not read to the end. Idempotent. */
  close(): Promise<void>;
}

/** The frame that an input is opened at. */
export interface FrameStart {
  /** Its number, from 0. */
  readonly frame: number;
  /**
   * A moment before it is shown, in seconds. A video whose format has times is searched for it, and begins with the
   * first frame after it, which is another frame where times are uneven. Undefined: a video is decoded from its start.
   */
  readonly seconds?: number | undefined;
}

/** How to read an input, and how to change its pictures. ffmpeg is needed for every change but a background. */
export interface FrameSourceOptions extends PictureOptions {
  /** Size of raw video in pels; an error for any other input. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /**
   * Replaces the input's frame rate. Images, raw video and y4m keep their frames and are played at this rate. A video
   * file is resampled to this rate: frames are repeated or dropped, and it keeps its speed.
   */
  readonly frameRate?: FrameRate | undefined;
  /** Read at most this many frames, from the first. */
  readonly frames?: number | undefined;
  /** Begin with another frame than the first. Throws an InputError where the input is known to be shorter. */
  readonly start?: FrameStart | undefined;
  /** The bytes that the input `-` reads, such as a Readable; default: the standard input of the process. */
  readonly stdin?: AsyncIterable<Uint8Array> | undefined;
  /** An abort while the input is opened ends that, ffmpeg and the reading of standard input, with its reason. */
  readonly signal?: AbortSignalType | undefined;
  /**
   * What happens where ffmpeg decodes a video to its end but finds faults in it, or fewer pictures than its header
   * says: `error`, the default, throws a DamagedInput after the last frame; `warn` tells `onWarning` instead.
   */
  readonly damage?: 'error' | 'warn' | undefined;
  /** Called with what the user should know although the input can be read. */
  readonly onWarning?: ((message: string) => void) | undefined;
  /** How these messages write the name of an option; default: as here. A command line has names of its own. */
  readonly optionNaming?: OptionNaming | undefined;
}
