// The frames of a source at a constant rate: size and rate are known before the first frame.
import { MAX_HEIGHT, MAX_WIDTH } from '../../bitstream/limits.js';
import { FRAME_RATES, type FrameRate, requireFrameRate } from '../../bitstream/tables/frame-rate.js';
import { checkValue, wholeNumbers } from '../../encoder/settings/option-values.js';
import { InputError, OptionError } from '../../errors.js';
import { inWords, requireOptions } from '../../given-options.js';
import type { Frame } from '../../picture/frame.js';
import type { UrlType } from '../../platform-types.js';
import { log2 } from '../../portable-math.js';
import type { Conversion } from '../frames/conversion-choice.js';
import { FrameConverter } from '../frames/frame-converter.js';
import { ConstantRate } from './constant-rate.js';
import { pictureCount, type SourcePicture, sourcePictures, statedRate, type VideoSource } from './video-source.js';

/** Frames per second of a source without a rate, as in Node. */
const DEFAULT_FRAME_RATE = 25;

/** How the frames of a source are read. */
export interface FramesOptions {
  /** One of MPEG-1's rates; default: the nearest to the source's, else 25. */
  readonly frameRate?: number | FrameRate | undefined;
  /** Size of the frames in pels; default: that of the first picture. */
  readonly scale?: { readonly width: number; readonly height: number } | undefined;
  /** What is seen behind pels that are not opaque: a colour of CSS; default 'black'. */
  readonly background?: string | undefined;
  /** What converts pictures of RGB: 'auto' (default), 'gpu' or 'cpu', as FrameConverter does. */
  readonly convert?: Conversion | undefined;
  /** Where the file of the kernels is, as for `Encoder`. */
  readonly kernelsUrl?: string | UrlType | undefined;
  /** At most this many frames are read, 1 or more; default: all. */
  readonly frames?: number | undefined;
  /** Ends the reading: the frames reject with its reason. */
  readonly signal?: AbortSignal | undefined;
}

const NAMES = Object.keys({
  frameRate: true,
  scale: true,
  background: true,
  convert: true,
  kernelsUrl: true,
  frames: true,
  signal: true,
} satisfies Record<keyof FramesOptions, true>);

/** How many pictures of a source came, and what became of them. */
export interface FrameCounts {
  /** Pictures that were read. */
  readonly taken: number;
  /** Frames that repeat the one before, since no picture came for their time. */
  readonly repeated: number;
  /** Pictures that were left out, since another one has their time. */
  readonly dropped: number;
}

/**
 * The frames of a source, iterated once; again, they reject with InputError. Pictures that say when they are shown, as
 * VideoFrames do, are repeated and left out so that they are shown then at the constant rate of the video; of others,
 * each is a frame. VideoFrames and video samples are closed when they have been read.
 */
export class SourceFrames implements AsyncIterable<Frame> {
  /** Size of all frames in pels. */
  readonly width: number;
  readonly height: number;
  readonly #first: Frame;
  readonly #pictures: AsyncGenerator<SourcePicture>;
  readonly #options: FramesOptions;
  /** For pictures that keep their size, and for those that are scaled to the size of the frames. */
  readonly #plain: FrameConverter;
  readonly #scaling: FrameConverter;
  readonly #end: (reason: unknown) => void;
  readonly #places: ConstantRate;
  /** When the last picture ends; NaN if it does not say. */
  #endUs: number;
  readonly #counts = { taken: 1, repeated: 0, dropped: 0 };
  #isIterated = false;

  /** Made by `openFrames`. `frameCount`: how many will come; undefined if that is not known. */
  constructor(
    readonly frameRate: FrameRate,
    readonly frameCount: number | undefined,
    given: {
      readonly first: Frame;
      readonly firstPicture: SourcePicture;
      readonly pictures: AsyncGenerator<SourcePicture>;
      readonly options: FramesOptions;
      readonly converter: FrameConverter;
      readonly end: (reason: unknown) => void;
    },
  ) {
    this.width = given.first.width;
    this.height = given.first.height;
    this.#first = given.first;
    this.#pictures = given.pictures;
    this.#options = given.options;
    this.#plain = given.converter;
    const { scale, background, convert } = given.options;
    const size = { width: this.width, height: this.height };
    const kernels = kernelsOf(given.options);
    this.#scaling = scale ? given.converter : new FrameConverter({ background, convert, ...kernels, ...size });
    this.#end = given.end;
    this.#places = new ConstantRate(frameRate);
    const { timestampUs, durationUs } = given.firstPicture;
    if (timestampUs !== undefined) this.#places.take(timestampUs);
    this.#endUs = (timestampUs ?? Number.NaN) + (durationUs ?? Number.NaN);
  }

  /** The counts so far. */
  get counts(): FrameCounts {
    return { ...this.#counts };
  }

  async *[Symbol.asyncIterator](): AsyncGenerator<Frame> {
    if (this.#isIterated) throw new InputError('the frames are iterated already: they can be taken once');
    this.#isIterated = true;
    const most = this.#options.frames ?? Number.POSITIVE_INFINITY;
    let given = 0;
    try {
      for await (const frame of this.#frames()) {
        yield frame;
        if (++given >= most) return;
      }
    } finally {
      await this.close();
    }
  }

  /** Ends the reading of a source that is not wanted any more. */
  async close(): Promise<void> {
    this.#end(new InputError('the frames were closed before their end'));
    await Promise.all([this.#pictures.return(undefined), this.#plain.close(), this.#scaling.close()]);
  }

  async *#frames(): AsyncGenerator<Frame> {
    let last = this.#first;
    yield last;
    for await (const picture of this.#pictures) {
      this.#counts.taken++;
      const { timestampUs, durationUs } = picture;
      const empty = timestampUs === undefined ? 0 : this.#places.take(timestampUs);
      let frame: Frame | undefined;
      try {
        if (empty !== undefined) frame = await this.#sized(picture);
      } finally {
        picture.close();
      }
      if (frame === undefined) {
        this.#counts.dropped++;
        continue;
      }
      yield* this.#repeated(last, empty!);
      last = frame;
      this.#endUs = (timestampUs ?? Number.NaN) + (durationUs ?? Number.NaN);
      yield last;
    }
    if (!Number.isNaN(this.#endUs)) yield* this.#repeated(last, this.#places.emptyBefore(this.#endUs));
  }

  *#repeated(frame: Frame, count: number): Generator<Frame> {
    for (let times = 0; times < count; times++) {
      this.#counts.repeated++;
      yield frame;
    }
  }

  /** Later pictures of a video are scaled to the first one; images must have its size, unless a size is given. */
  async #sized({ input, name, timestampUs }: SourcePicture): Promise<Frame> {
    if (timestampUs !== undefined || this.#options.scale) return this.#scaling.convert(input);
    const frame = await this.#plain.convert(input);
    if (frame.width === this.width && frame.height === this.height) return frame;
    throw new InputError(
      named =>
        `${name} is ${frame.width}x${frame.height}, but the first is ${this.width}x${this.height}: all frames have one ` +
        `size, which ${named('scale')} can give them`,
    );
  }
}

/**
 * Opens a source: reads its first picture, for the size and the rate. Rejects with OptionError for a wrong option, with
 * InputError for a source that has no pictures or cannot be read, and with the reason of the signal.
 */
export async function openFrames(source: VideoSource, options: FramesOptions = {}): Promise<SourceFrames> {
  requireOptions(options, NAMES, 'FramesOptions');
  const { frameRate, scale, background, convert, frames, signal } = options;
  if (frames !== undefined) checkValue('frames', frames, wholeNumbers(1, Number.POSITIVE_INFINITY, 'frames'));
  const givenRate = frameRate === undefined ? undefined : requireFrameRate(frameRate);
  const converter = new FrameConverter({ background, convert, ...kernelsOf(options), ...checkedScale(scale) });
  signal?.throwIfAborted();
  const ended = new AbortController();
  const onAbort = (): void => ended.abort(signal?.reason);
  signal?.addEventListener('abort', onAbort);
  const end = (reason: unknown): void => {
    signal?.removeEventListener('abort', onAbort);
    ended.abort(reason);
  };
  const pictures = sourcePictures(source, ended.signal);
  try {
    const { value: picture, done } = await pictures.next();
    if (done) throw new InputError('the source has no pictures');
    const first = await converter.convert(picture.input).finally(() => picture.close());
    requireLegalSize(picture.name, first);
    const perSecond = statedRate(source) ?? (picture.durationUs ? 1_000_000 / picture.durationUs : undefined);
    const count = pictureCount(source);
    const isTimed = picture.timestampUs !== undefined;
    const frameCount = count === undefined || isTimed ? frames : Math.min(count, frames ?? count);
    return new SourceFrames(givenRate ?? nearestRate(perSecond ?? DEFAULT_FRAME_RATE), frameCount, {
      first,
      firstPicture: picture,
      ...{ pictures, options, converter },
      end,
    });
  } catch (error) {
    end(error);
    await Promise.all([pictures.return(undefined), converter.close()]);
    throw error;
  }
}

function requireLegalSize(name: string, { width, height }: Frame): void {
  const given = `${name} is ${inWords(width)}x${inWords(height)}`;
  // Those of a Frame are the caller's own.
  if (![width, height].every(pels => Number.isInteger(pels) && pels > 0)) {
    throw new InputError(`${given}: width and height of a frame are whole numbers of 1 or more pels`);
  }
  if (width <= MAX_WIDTH && height <= MAX_HEIGHT) return;
  const legal = `at most ${MAX_WIDTH}x${MAX_HEIGHT}`;
  throw new InputError(named => `${given}; ${legal}: ${named('scale')} makes it smaller`);
}

function checkedScale(scale: FramesOptions['scale']): { width?: number; height?: number } {
  if (scale === undefined) return {};
  const { width, height } = Object(scale) as { width?: number; height?: number };
  if (typeof width === 'number' && typeof height === 'number') return { width, height };
  throw new OptionError('scale', named => `${named('scale')} ${inWords(scale)} has no width and height`);
}

/** The rate of MPEG-1 that is nearest, by its ratio; of a rate between two, the higher one loses no picture. */
function nearestRate(perSecond: number): FrameRate {
  const distance = ({ numerator, denominator }: FrameRate) => Math.abs(log2(numerator / denominator / perSecond));
  return FRAME_RATES.reduce((best, rate) => (distance(rate) <= distance(best) ? rate : best));
}

/** The option that says where the kernels are, if it is given. */
export function kernelsOf({ kernelsUrl }: FramesOptions): Pick<FramesOptions, 'kernelsUrl'> {
  return kernelsUrl === undefined ? {} : { kernelsUrl };
}
