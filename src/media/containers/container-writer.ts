// The contract of a container: access units in, bytes of a file out.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { PICTURE_TYPES } from '../../bitstream/picture-type.js';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { SoundFormat } from '../sound/layer-two.js';

/** Turns access units, in coded order, into the bytes of a file. Does no input or output; its memory is bounded. */
export interface ContainerWriter {
  /**
   * Takes the next access unit. Returns the bytes that can be written now, perhaps none. Throws an InputError for what
   * is none.
   */
  write(unit: AccessUnit): Uint8Array[];
  /**
   * Takes the next MPEG-1 Layer II frame of the sound. It is kept until its time comes. Before picture n of the coded
   * order give all frames that start before the end of the picture period n, see `framesBefore`; those that are
   * missing then mean that the sound has ended. Throws an InputError for another format, or for a frame that is late.
   */
  writeSound(frame: Uint8Array): void;
  /** Returns the last bytes. Nothing may be written afterwards. */
  end(): Uint8Array[];
}

/** What a container must know of the video stream before its first picture. */
export interface StreamFormat {
  /** One of MPEG-1's eight. */
  readonly frameRate: FrameRate;
  /** Display size in pels. */
  readonly width: number;
  readonly height: number;
  /**
   * Where the clock of `.mpg` and `.ts` starts, in ticks of 90 kHz: a whole number 0..2^33 - 1; default 0. For a part
   * of a longer stream. Time stamps have 33 bits and wrap after 26.5 hours.
   */
  readonly startTicks?: number | undefined;
  /** `video-cd`: `.mpg` is laid out in the sectors of a Video CD, at its rate. */
  readonly layout?: 'video-cd' | undefined;
  /** The sound; undefined for none. An elementary stream has no place for it. */
  readonly sound?: SoundFormat | undefined;
}

/** Throws an InputError for what is no access unit of an encoder. */
export function requireAccessUnit(unit: AccessUnit): void {
  const { data, pictureType, displayNumber, codedNumber } = Object(unit) as AccessUnit;
  const isBytes = ArrayBuffer.isView(data) && data.BYTES_PER_ELEMENT === 1;
  const isNumbered = [displayNumber, codedNumber].every(number => Number.isInteger(number) && number >= 0);
  if (isBytes && isNumbered && PICTURE_TYPES.includes(pictureType)) return;
  throw new InputError('write takes the access units of an encoder, whole');
}
