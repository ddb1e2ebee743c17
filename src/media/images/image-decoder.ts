// Decodes image files: PNG, BMP, JPEG, netpbm, TIFF and WebP.
import type { Sharp } from 'sharp';
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';
import { InputError, messageOf } from '../../errors.js';
import { readInput } from '../input-file.js';
import {
  checkLargePictureSize,
  checkPictureSize,
  MAX_CONVERTED_PELS,
  MAX_IMAGE_BYTES,
  MAX_PELS,
} from '../picture-size.js';
import { readBmp, storedBmp } from './bmp-reader.js';
import { imagePelAspect } from './image-shape.js';
import { loadSharp } from './load-sharp.js';
import { readPnm } from './pnm-reader.js';
import type { DecodedImage, ImageDecoding, ImageFacts, StoredImage } from './rgb-image.js';

/** Endings of image files, without the dot. */
const EXTENSIONS = new Set(['png', 'bmp', 'dib', 'jpg', 'jpeg', 'jpe', 'ppm', 'pgm', 'pnm', 'tif', 'tiff', 'webp']);

/** Names of the formats that can be decoded, for messages. */
export const IMAGE_FORMATS = 'PNG, BMP, JPEG, PPM/PGM, TIFF or WebP';

/** Whether a file's name ends as that of an image that can be decoded. */
export function hasImageExtension(name: string): boolean {
  return EXTENSIONS.has(/\.([^./\\]+)$/.exec(name)?.[1]?.toLowerCase() ?? '');
}

/** An image with three bytes a pel, or with four where alpha is beside them or says nothing. */
interface Decoded extends ImageFacts, Pick<DecodedImage, 'alpha'> {
  readonly width: number;
  readonly height: number;
  readonly bytes: Uint8Array;
  readonly pelBytes: 3 | 4;
}

/**
 * The image in a file. Its first bytes tell the format, not its name. The image is rotated as its EXIF data says and
 * converted to 8-bit sRGB; alpha is blended with the background; of several pages the first counts. Throws an
 * InputError that names the file.
 */
export async function decodeImage(path: string, decoding: ImageDecoding = {}): Promise<DecodedImage> {
  const { bytes, pelBytes, ...image } = await decodeBytes(path, await readInput(path, MAX_IMAGE_BYTES), decoding);
  return { ...image, pels: pelBytes === 4 ? withoutFourth(bytes) : bytes };
}

/** The same, its pels as they lie where they need not be moved to be read. */
export async function decodeStoredImage(path: string, decoding: ImageDecoding): Promise<StoredImage> {
  const bytes = await readInput(path, MAX_IMAGE_BYTES);
  const stored = imageKind(bytes) === 'bmp' ? storedBmp(path, bytes, decoding) : undefined;
  if (stored) return withShape(stored, imagePelAspect(bytes));
  const image = await decodeBytes(path, bytes, decoding);
  return { ...image, first: 0, rowBytes: image.pelBytes * image.width, redAt: 0 };
}

async function decodeBytes(path: string, bytes: Uint8Array, decoding: ImageDecoding): Promise<Decoded> {
  const checkSize = decoding.mayBeLarge ? checkLargePictureSize : checkPictureSize;
  switch (imageKind(bytes)) {
    case 'bmp':
      return withShape(ofRgb(readBmp(path, bytes, decoding)), imagePelAspect(bytes));
    case 'pnm':
      return ofRgb(readPnm(path, bytes, checkSize));
    case 'libvips':
      return decodeDamagedToo({ path, bytes, decoding, checkSize });
    default:
      if (bytes.length === 0) throw new InputError(`${path} is empty`);
      throw new InputError(`${path} is not an image (${IMAGE_FORMATS} are read)`);
  }
}

function ofRgb({ pels, ...image }: DecodedImage): Decoded {
  return { ...image, bytes: pels, pelBytes: 3 };
}

function withShape<Image extends object>(
  image: Image,
  pelAspect: PelAspect | undefined,
): Image & Pick<ImageFacts, 'pelAspect'> {
  return pelAspect ? { ...image, pelAspect } : image;
}

function imageKind(bytes: Uint8Array): 'bmp' | 'pnm' | 'libvips' | undefined {
  const start = Buffer.from(bytes.buffer, bytes.byteOffset, Math.min(bytes.length, 12)).toString('latin1');
  if (start.startsWith('BM')) return 'bmp';
  if (/^P[2356][\s#]/.test(start)) return 'pnm';
  const isLibvips = /^(\x89PNG\r\n|\xff\xd8\xff|II[*+]\0|MM\0[*+]|RIFF.{4}WEBP)/s.test(start);
  return isLibvips ? 'libvips' : undefined;
}

interface SharpJob {
  readonly path: string;
  readonly bytes: Uint8Array;
  readonly decoding: ImageDecoding;
  readonly checkSize: typeof checkPictureSize;
}

/** The image; of a damaged JPEG file, of which libjpeg only warns, what could be decoded and the warning. */
async function decodeDamagedToo(job: SharpJob): Promise<Decoded> {
  if (job.bytes[0] !== JPEG_START) return decodeWithSharp(job, 'error');
  try {
    return await decodeWithSharp(job, 'warning');
  } catch (error) {
    const image = await decodeWithSharp(job, 'error');
    return { ...image, damage: messageOf(error).replace(UNDECODED, 'is damaged') };
  }
}

/** What the error says of a file that is not decoded. */
const UNDECODED = 'cannot be decoded';

const JPEG_START = 0xff;
const PNG_START = 0x89;
/** Where a PNG file says how many bits a channel has. */
const PNG_DEPTH_AT = 24;

async function decodeWithSharp(
  { path, bytes, decoding, checkSize }: SharpJob,
  failOn: 'error' | 'warning',
): Promise<Decoded> {
  const { background = [0, 0, 0], keepsAlpha = false, mayBeLarge = false } = decoding;
  const sharp = await loadSharp();
  const limitInputPixels = mayBeLarge ? MAX_CONVERTED_PELS : MAX_PELS;
  const options = { limitInputPixels, failOn, sequentialRead: true };
  try {
    const shape = imagePelAspect(bytes);
    // Reading the header by itself takes a task of Node's threads.
    const header = shape || !has8Bits(bytes) ? await sharp(bytes, options).metadata() : ONE_PAGE_OF_8_BITS;
    const { hasAlpha, orientation = 1, pages = 1, depth } = header;
    const decode = (flattens: boolean) => {
      const [r, g, b] = background;
      const upright = sharp(bytes, options).rotate();
      return (flattens ? upright.flatten({ background: { r, g, b } }) : upright)
        .toColourspace('srgb')
        .raw({ depth: 'uchar' })
        .toBuffer({ resolveWithObject: true });
    };
    // Mostly all pels are opaque: then one decoding is enough, and the fourth bytes stay where they are. With more than
    // 8 bits, alpha is looked at by itself: a value that becomes 255 may be less than opaque.
    const readsAlpha = keepsAlpha || (hasAlpha && depth === 'uchar');
    let { data, info } = await decode(!readsAlpha);
    checkSize(path, info.width, info.height);
    const isSeenThrough = readsAlpha
      ? info.channels === 4 && hasTransparentPels(data)
      : hasAlpha && !(await isOpaque(sharp(bytes, options)));
    const alpha = isSeenThrough && keepsAlpha ? alphaOf(data) : undefined;
    if (isSeenThrough && readsAlpha && !keepsAlpha) ({ data, info } = await decode(true));
    const isTurned = orientation >= FIRST_TURNED_ORIENTATION;
    const pelAspect = shape && isTurned ? { width: shape.height, height: shape.width } : shape;
    const { width, height, channels } = info;
    const pelBytes = channels === 4 ? 4 : 3;
    const image = { width, height, bytes: data, pelBytes, pages, hasAlpha: isSeenThrough } as const;
    return withShape(alpha ? { ...image, alpha } : image, pelAspect);
  } catch (error) {
    if (error instanceof InputError) throw error;
    const reason = (error as Error).message.split('\n')[0]!;
    if (reason.includes('pixel limit')) {
      const { width = 0, height = 0 } = await sharp(bytes, { limitInputPixels: false }).metadata();
      checkSize(path, width, height);
    }
    throw new InputError(`${path} ${UNDECODED}: ${reason}`);
  }
}

/** What is known of a JPEG or PNG file of 8 bits without reading its header: it may have alpha, and has one page. */
const ONE_PAGE_OF_8_BITS = { hasAlpha: true, depth: 'uchar', orientation: 1, pages: 1 } as const;

/** Whether a file is JPEG, or PNG with at most 8 bits a channel. */
function has8Bits(bytes: Uint8Array): boolean {
  return bytes[0] === JPEG_START || (bytes[0] === PNG_START && bytes[PNG_DEPTH_AT]! <= 8);
}

/** Whether some pels R, G, B, A have an alpha below 255. */
function hasTransparentPels(data: Uint8Array): boolean {
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return true;
  return false;
}

function alphaOf(data: Uint8Array): Uint8Array {
  const alpha = new Uint8Array(data.length / 4);
  for (let pel = 0; pel < alpha.length; pel++) alpha[pel] = data[4 * pel + 3]!;
  return alpha;
}

/** The first three bytes of each four. */
function withoutFourth(data: Uint8Array): Uint8Array {
  const pels = new Uint8Array((data.length / 4) * 3);
  for (let from = 0, to = 0; from < data.length; from += 4, to += 3) {
    pels[to] = data[from]!;
    pels[to + 1] = data[from + 1]!;
    pels[to + 2] = data[from + 2]!;
  }
  return pels;
}

/** EXIF's orientations from this one on turn a picture by a quarter. */
const FIRST_TURNED_ORIENTATION = 5;

async function isOpaque(image: Sharp): Promise<boolean> {
  const alpha = await image.extractChannel('alpha').raw({ depth: 'uchar' }).toBuffer();
  return alpha.every(value => value === 255);
}
