// RGB pictures of every kind of input, in full resolution and of any sizes.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { frameToRgb } from '../../picture/frame-to-rgb.js';
import { imageWarnings } from '../filters/input-warnings.js';
import { rgbOf } from '../filters/picture-options.js';
import { DamagedInput } from '../frames/damaged-input.js';
import { requireFrameLimit } from '../frames/frame-limit.js';
import type { FrameSource, FrameSourceOptions } from '../frames/frame-source.js';
import { openFrameSource } from '../frames/open-frame-source.js';
import { openVideoAs } from '../frames/video-file.js';
import { decodedAhead } from '../images/decode-ahead.js';
import { decodeImage } from '../images/image-decoder.js';
import type { RgbImage } from '../images/rgb-image.js';
import { kindOfInput } from '../input-kind.js';
import { AS_RGB } from './ppm-stream.js';

/** How an input is read; what is not here, such as a crop, is for frames alone. */
export type RgbOptions = Pick<
  FrameSourceOptions,
  'size' | 'frames' | 'deinterlace' | 'background' | 'damage' | 'onWarning' | 'optionNaming'
>;

/** A picture of a source. */
export interface RgbPicture extends RgbImage {
  /** The file that it comes from. */
  readonly path: string;
  /** Its number in the source; the first is 0. */
  readonly number: number;
  /** When it is shown, in seconds; undefined for images, and where the rate is not known. */
  readonly seconds?: number;
}

/** The pictures of one input. */
export interface RgbSource {
  /** What the user named. */
  readonly name: string;
  /** Number of pictures, if it is known before they are read. */
  readonly pictureCount?: number;
  /** The pictures, each read when it is asked for, images a few ahead. An abort ends them with the signal's reason. */
  pictures(signal: AbortSignal): AsyncIterable<RgbPicture>;
}

/** Images that are being decoded while the consumer works: few, since they may be large. */
const IMAGES_AHEAD = 2;

/**
 * Finds an input, as `openFrameSource` does, and opens it when its pictures are asked for. Images may differ in size
 * and have up to 67 million pels. ffmpeg converts a video; y4m and raw video are taken as BT.601. Throws an InputError
 * for an input that is not there, an OptionError for a wrong number of frames.
 */
export async function findRgbSource(input: string, options: RgbOptions): Promise<RgbSource> {
  const { frames: maxImages, onWarning } = options;
  requireFrameLimit(maxImages);
  const found = await kindOfInput(input, { maxImages, onWarning });
  if (found.kind === 'images') {
    const paths = found.list.paths.slice(0, maxImages);
    return { name: input, pictureCount: paths.length, pictures: signal => imagesAt(paths, options, signal) };
  }
  const pictures = (signal: AbortSignal) =>
    found.kind === 'video'
      ? numbered(openVideoAs(AS_RGB, input, { ...options, signal }), picture => picture, signal)
      : numbered(
          openFrameSource(input, { ...options, signal }),
          frame => ({ width: frame.width, height: frame.height, pels: frameToRgb(frame) }),
          signal,
        );
  return { name: input, pictures };
}

async function* numbered<Picture>(
  opening: Promise<FrameSource<Picture>>,
  convert: (picture: Picture) => RgbImage,
  signal: AbortSignal,
): AsyncGenerator<RgbPicture> {
  const source = await opening;
  try {
    let number = 0;
    for await (const picture of source.frames(signal)) {
      const seconds = secondsOf(number, source.frameRate);
      yield { ...convert(picture), path: source.name, number, ...(seconds !== undefined && { seconds }) };
      number++;
    }
  } finally {
    await source.close();
  }
}

function secondsOf(number: number, rate: FrameRate | undefined): number | undefined {
  return rate && (number * rate.denominator) / rate.numerator;
}

function imagesAt(paths: readonly string[], options: RgbOptions, signal: AbortSignal): AsyncGenerator<RgbPicture> {
  const decode = async (path: string, number: number) => ({ ...(await decodeOne(path, options)), path, number });
  return decodedAhead({ paths, decode, ahead: IMAGES_AHEAD, signal });
}

async function decodeOne(path: string, options: RgbOptions): Promise<RgbImage> {
  const { background, damage: onDamage, onWarning } = options;
  const decoding = { mayBeLarge: true, ...(background !== undefined && { background: rgbOf(background) }) };
  const { width, height, pels, ...facts } = await decodeImage(path, decoding);
  if (facts.damage !== undefined && onDamage === 'error') throw new DamagedInput(facts.damage);
  for (const warning of imageWarnings({ name: path, path }, facts, options)) onWarning?.(warning);
  return { width, height, pels };
}
