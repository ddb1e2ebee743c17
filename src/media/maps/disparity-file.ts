// Disparities in files: 8-bit PNG, gray or in colours, PFM, and the 16-bit PNG of KITTI.
import { OptionError } from '../../errors.js';
import { encodeGrayPng, encodePng } from '../images/png-encoder.js';
import { encodePng16 } from '../images/png16.js';
import type { RgbImage } from '../images/rgb-image.js';
import { readInput } from '../input-file.js';
import { MAX_IMAGE_BYTES } from '../picture-size.js';
import { decodeGrayImage } from './gray-image.js';
import { decodePfm, encodePfm, type FloatMap, isPfm } from './pfm-format.js';

/** The formats by name. */
export const DISPARITY_FORMATS = ['png', 'pfm', 'kitti'] as const;

/** `png`: 8 bits, scaled; `pfm`: floats in pels; `kitti`: a PNG of 16 bits, 256 to a pel. */
export type DisparityFormat = (typeof DISPARITY_FORMATS)[number];

/** Numbers to a pel of disparity in KITTI's PNG files, where 0 stands for unknown. */
const KITTI_SCALE = 256;

/** A map of disparities, and how it is written. */
export interface DisparityDrawing {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** In sixteenths of a pel; negative where it is unknown. */
  readonly sixteenths: Int16Array;
  /** The disparities are below this, in pels. */
  readonly range: number;
  /** `png` alone: near things in red, far ones in blue. */
  readonly inColours: boolean;
}

/** The format that the name of a file asks for. Throws OptionError `output` if it has neither of the endings. */
export function formatForPath(path: string): DisparityFormat {
  const ending = /\.([a-z]+)$/i.exec(path)?.[1]?.toLowerCase();
  if (ending === 'png' || ending === 'pfm') return ending;
  throw new OptionError('output', named => `${path} ends with neither .png nor .pfm: ${named('format')} says which`);
}

/** What the values of an 8-bit PNG are divided by to get pels: the largest whole number that fits the range. */
export function pngScale(range: number): number {
  return Math.floor(256 / range);
}

/** The bytes of a file with a map of disparities. */
export async function encodeDisparities(drawing: DisparityDrawing, format: DisparityFormat): Promise<Uint8Array> {
  const { width, height, sixteenths } = drawing;
  switch (format) {
    case 'pfm': {
      // As in Middlebury's files, infinity is unknown.
      const values = Float32Array.from(sixteenths, value => (value < 0 ? Number.POSITIVE_INFINITY : value / 16));
      return encodePfm({ width, height, values });
    }
    case 'kitti': {
      // A known disparity of 0 becomes the smallest number that is not unknown.
      const numbers = (value: number) => (value < 0 ? 0 : Math.max(1, (value * KITTI_SCALE) / 16));
      return encodePng16({ width, height, channels: 1, samples: Uint16Array.from(sixteenths, numbers) });
    }
    case 'png':
      return drawing.inColours
        ? encodePng(inColours(drawing))
        : encodeGrayPng({ width, height, pels: inGray(drawing) });
  }
}

/** A map as gray pels: black where it is unknown. */
function inGray({ sixteenths, range }: DisparityDrawing): Uint8Array {
  const scale = pngScale(range);
  return Uint8Array.from(sixteenths, value => (value < 0 ? 0 : Math.min(255, Math.round((value * scale) / 16))));
}

/** A map in colours: black where it is unknown. */
function inColours({ width, height, sixteenths, range }: DisparityDrawing): RgbImage {
  const pels = new Uint8Array(3 * sixteenths.length);
  sixteenths.forEach((value, pel) => {
    if (value >= 0) pels.set(colourOf(value / (16 * (range - 1))), 3 * pel);
  });
  return { width, height, pels };
}

/** The colour of a share 0..1 of the range: blue, cyan, green, yellow, red. */
function colourOf(share: number): [red: number, green: number, blue: number] {
  const level = (centre: number) => Math.round(255 * Math.min(1, Math.max(0, 1.5 - Math.abs(4 * share - centre))));
  return [level(3), level(2), level(1)];
}

/**
 * The disparities of a file in pels, 0 where they are unknown: a PFM, or a gray image whose values are divided by
 * `scale`, by default 256 if it has 16 bits, else 1. Throws InputError.
 */
export async function readDisparities(path: string, scale?: number): Promise<FloatMap> {
  const bytes = await readInput(path, MAX_IMAGE_BYTES);
  if (isPfm(bytes)) {
    const { width, height, values } = decodePfm(path, bytes);
    return { width, height, values: values.map(value => (Number.isFinite(value) ? value / (scale ?? 1) : 0)) };
  }
  const { width, height, values, bits } = await decodeGrayImage(path, bytes);
  const divisor = scale ?? (bits === 16 ? KITTI_SCALE : 1);
  return { width, height, values: Float32Array.from(values, value => value / divisor) };
}
