// Reads BMP files.
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import type { StoredPels } from '../../picture/rgb-to-frame.js';
import { checkLargePictureSize, checkPictureSize } from '../picture-size.js';
import { expandRunLengths } from './bmp-run-length.js';
import type { DecodedImage, ImageDecoding } from './rgb-image.js';

const BLACK = [0, 0, 0] as const;
const BI_RGB = 0;
const BI_RLE8 = 1;
const BI_RLE4 = 2;
const BI_BITFIELDS = 3;
const BI_ALPHABITFIELDS = 6;
const FILE_HEADER_BYTES = 14;
const CORE_HEADER_BYTES = 12;
const INFO_HEADER_BYTES = 40;

/** What the headers of a BMP file say. */
interface BmpHeader {
  readonly name: string;
  readonly bytes: Uint8Array;
  readonly width: number;
  readonly height: number;
  /** The first row in the file is the top one; the usual order is bottom up. */
  readonly topDown: boolean;
  readonly bitsPerPel: number;
  readonly compression: number;
  /** Offset of the palette, and bytes of an entry: B, G, R and, if there are 4, an unused one. */
  readonly paletteAt: number;
  readonly paletteEntryBytes: number;
  readonly paletteEntries: number;
  readonly pelsAt: number;
  /** Bit masks of red, green, blue and alpha (0 if there is none) in a 16-bit or 32-bit pel. */
  readonly masks: readonly [number, number, number, number];
}

/** The masks of pels where the file has none of its own: of 16 bits, and of 32. They have no alpha. */
const MASKS_OF_16_BITS: BmpHeader['masks'] = [0x7c00, 0x03e0, 0x001f, 0];
const MASKS_OF_32_BITS: BmpHeader['masks'] = [0xff0000, 0xff00, 0xff, 0];

/**
 * The image of a BMP file: 1, 2, 4, 8, 16, 24 or 32 bits a pel, palette, run lengths and bit fields, either row order,
 * OS/2 and Windows headers of any version. Alpha, if a mask declares it and it is not 0 everywhere, is blended with the
 * background. Throws an InputError that starts with `name`.
 */
export function readBmp(name: string, bytes: Uint8Array, decoding: ImageDecoding = {}): DecodedImage {
  const { background = BLACK, keepsAlpha = false, mayBeLarge = false } = decoding;
  const header = readHeader(name, bytes, mayBeLarge ? checkLargePictureSize : checkPictureSize);
  const pels = new Uint8Array(3 * header.width * header.height);
  const alpha = keepsAlpha ? new Uint8Array(header.width * header.height) : undefined;
  let hasAlpha = false;
  if (header.bitsPerPel <= 8) readPalettePels(header, pels);
  else if (header.bitsPerPel === 24) read24BitPels(header, pels);
  else hasAlpha = readMaskedPels(header, { pels, alpha }, background);
  return { width: header.width, height: header.height, pels, hasAlpha, ...(hasAlpha && alpha && { alpha }) };
}

/** The pels of a BMP file of 24 or 32 bits a pel, where they lie; undefined for others. Throws as `readBmp` does. */
export function storedBmp(
  name: string,
  bytes: Uint8Array,
  { mayBeLarge = false }: ImageDecoding,
): StoredPels | undefined {
  const header = readHeader(name, bytes, mayBeLarge ? checkLargePictureSize : checkPictureSize);
  const { width, height, bitsPerPel, topDown, masks } = header;
  const isUsual = bitsPerPel === 32 && masks.every((mask, channel) => mask === MASKS_OF_32_BITS[channel]);
  if (bitsPerPel !== 24 && !isUsual) return undefined;
  const distance = topDown ? rowBytes(header) : -rowBytes(header);
  return { width, height, bytes, first: rowAt(header, 0), rowBytes: distance, pelBytes: bitsPerPel / 8, redAt: 2 };
}

function readHeader(name: string, bytes: Uint8Array, checkSize: typeof checkPictureSize): BmpHeader {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const infoBytes = bytes.length >= FILE_HEADER_BYTES + 4 ? view.getUint32(14, true) : 0;
  const core = infoBytes === CORE_HEADER_BYTES;
  const paletteAt = FILE_HEADER_BYTES + infoBytes;
  const isWhole = (core || infoBytes >= INFO_HEADER_BYTES) && paletteAt <= bytes.length;
  const pelsAt = isWhole ? view.getUint32(10, true) : 0;
  if (pelsAt < paletteAt) {
    throw new InputError(`${name}: the BMP header is truncated or damaged`);
  }
  const width = core ? view.getUint16(18, true) : view.getInt32(18, true);
  const signedHeight = core ? view.getUint16(20, true) : view.getInt32(22, true);
  const height = Math.abs(signedHeight);
  checkSize(name, width, height);
  const bitsPerPel = view.getUint16(core ? 24 : 28, true);
  const compression = core ? BI_RGB : view.getUint32(30, true);
  checkKind(name, bitsPerPel, compression);
  const bitFields = compression === BI_BITFIELDS || compression === BI_ALPHABITFIELDS;
  const paletteEntryBytes = core ? 3 : 4;
  const colours = core ? 0 : view.getUint32(46, true);
  const header: BmpHeader = {
    name,
    bytes,
    width,
    height,
    topDown: signedHeight < 0,
    bitsPerPel,
    compression,
    paletteAt,
    paletteEntryBytes,
    paletteEntries: Math.min(colours || 256, 256, Math.floor((pelsAt - paletteAt) / paletteEntryBytes)),
    pelsAt,
    masks: bitFields
      ? readMasks(view, infoBytes, compression)
      : bitsPerPel === 16
        ? MASKS_OF_16_BITS
        : MASKS_OF_32_BITS,
  };
  const runLengths = compression === BI_RLE4 || compression === BI_RLE8;
  const missing = runLengths ? 0 : header.pelsAt + rowBytes(header) * height - bytes.length;
  // The padding of the last row is often missing.
  if (missing > 3) throw new InputError(`${name}: the image is truncated, ${missing} bytes are missing`);
  return header;
}

function checkKind(name: string, bitsPerPel: number, compression: number): void {
  const legal: Record<number, readonly number[]> = {
    [BI_RGB]: [1, 2, 4, 8, 16, 24, 32],
    [BI_RLE8]: [8],
    [BI_RLE4]: [4],
    [BI_BITFIELDS]: [16, 32],
    [BI_ALPHABITFIELDS]: [16, 32],
  };
  if (legal[compression]?.includes(bitsPerPel)) return;
  throw new InputError(
    `${name}: BMP compression ${compression} with ${counted(bitsPerPel, 'bit')} a pel is not supported`,
  );
}

function readMasks(view: DataView, infoBytes: number, compression: number): BmpHeader['masks'] {
  const at = FILE_HEADER_BYTES + INFO_HEADER_BYTES;
  const mask = (index: number): number =>
    at + 4 * index + 4 <= view.byteLength ? view.getUint32(at + 4 * index, true) : 0;
  const hasAlpha = compression === BI_ALPHABITFIELDS || infoBytes >= INFO_HEADER_BYTES + 16;
  return [mask(0), mask(1), mask(2), hasAlpha ? mask(3) : 0];
}

/** Bytes of a row: a multiple of 4. */
function rowBytes(header: BmpHeader): number {
  return 4 * Math.ceil((header.width * header.bitsPerPel) / 32);
}

/** Offset in the file of picture row `y`. */
function rowAt(header: BmpHeader, y: number): number {
  return header.pelsAt + rowBytes(header) * (header.topDown ? y : header.height - 1 - y);
}

function readPalettePels(header: BmpHeader, pels: Uint8Array): void {
  const { bytes, width, height, bitsPerPel } = header;
  const palette = readPalette(header);
  const indices =
    header.compression === BI_RGB
      ? undefined
      : expandRunLengths(header.name, bytes.subarray(header.pelsAt), width, height, bitsPerPel);
  const mask = (1 << bitsPerPel) - 1;
  for (let y = 0; y < height; y++) {
    const row = rowAt(header, y);
    const indexRow = (header.topDown ? y : height - 1 - y) * width;
    for (let x = 0; x < width; x++) {
      const bit = x * bitsPerPel;
      const index = indices
        ? indices[indexRow + x]!
        : (bytes[row + (bit >> 3)]! >> (8 - bitsPerPel - (bit & 7))) & mask;
      const target = 3 * (y * width + x);
      pels[target] = palette[3 * index]!;
      pels[target + 1] = palette[3 * index + 1]!;
      pels[target + 2] = palette[3 * index + 2]!;
    }
  }
}

/** 256 entries R, G, B; entries that the file lacks are black. */
function readPalette(header: BmpHeader): Uint8Array {
  const { bytes, paletteAt, paletteEntryBytes, paletteEntries } = header;
  const palette = new Uint8Array(3 * 256);
  for (let i = 0; i < paletteEntries; i++) {
    const at = paletteAt + i * paletteEntryBytes;
    palette[3 * i] = bytes[at + 2] ?? 0;
    palette[3 * i + 1] = bytes[at + 1] ?? 0;
    palette[3 * i + 2] = bytes[at] ?? 0;
  }
  return palette;
}

function read24BitPels(header: BmpHeader, pels: Uint8Array): void {
  const { bytes, width, height } = header;
  for (let y = 0; y < height; y++) {
    let at = rowAt(header, y);
    const end = 3 * (y + 1) * width;
    for (let target = 3 * y * width; target < end; target += 3, at += 3) {
      pels[target] = bytes[at + 2]!;
      pels[target + 1] = bytes[at + 1]!;
      pels[target + 2] = bytes[at]!;
    }
  }
}

/** Where the pels of a file go, and their alpha; without a place for it, the pels are blended with the background. */
interface MaskedPels {
  readonly pels: Uint8Array;
  readonly alpha: Uint8Array | undefined;
}

/** Returns whether a pel is not opaque. */
function readMaskedPels(header: BmpHeader, places: MaskedPels, background: readonly number[]): boolean {
  const { pels, alpha: kept } = places;
  const { bytes, width, height, bitsPerPel, masks } = header;
  const [red, green, blue, alpha] = masks.map(mask => channelOf(mask)) as [Channel, Channel, Channel, Channel];
  const pelBytes = bitsPerPel >> 3;
  let hasAlpha = false;
  let isSeen = false;
  for (let y = 0; y < height; y++) {
    let at = rowAt(header, y);
    let target = 3 * y * width;
    for (let x = 0; x < width; x++, at += pelBytes, target += 3) {
      const low = bytes[at]! | (bytes[at + 1]! << 8);
      const pel = pelBytes === 2 ? low : (low | (bytes[at + 2]! << 16) | (bytes[at + 3]! << 24)) >>> 0;
      const opacity = masks[3] === 0 ? 255 : channelValue(pel, alpha);
      if (opacity !== 255) hasAlpha = true;
      if (opacity !== 0) isSeen = true;
      if (kept) kept[target / 3] = opacity;
      const share = kept ? 255 : opacity;
      pels[target] = blend(channelValue(pel, red), share, background[0]!);
      pels[target + 1] = blend(channelValue(pel, green), share, background[1]!);
      pels[target + 2] = blend(channelValue(pel, blue), share, background[2]!);
    }
  }
  // Many programs leave 0 in all alpha, and mean opaque pels.
  if (!isSeen) return readMaskedPels({ ...header, masks: [masks[0], masks[1], masks[2], 0] }, places, background);
  return hasAlpha;
}

/** Where a colour component lies in a pel: its lowest bit and its largest value, 2^n - 1. */
interface Channel {
  readonly shift: number;
  readonly max: number;
}

function channelOf(mask: number): Channel {
  const shift = 31 - Math.clz32(mask & -mask);
  return { shift, max: mask >>> shift };
}

function channelValue(pel: number, channel: Channel): number {
  if (channel.max === 0) return 0;
  // >>> 0 keeps a value with bit 31 positive.
  const value = ((pel >>> channel.shift) & channel.max) >>> 0;
  return channel.max === 255 ? value : Math.round((value * 255) / channel.max);
}

function blend(value: number, opacity: number, behind: number): number {
  return opacity === 255 ? value : Math.round((value * opacity + behind * (255 - opacity)) / 255);
}
