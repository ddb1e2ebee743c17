// The shape of an image's pels, by the densities that its file states.
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';

/** Densities, or a ratio, along a row and along a column. */
interface Densities {
  readonly x: number;
  readonly y: number;
  /** True: no densities but the shape itself, width to height, as ffmpeg writes it where the unit is left open. */
  readonly isShape: boolean;
}

const PNG_CHUNKS_AT = 8;
const TIFF_X_RESOLUTION = 282;
const TIFF_Y_RESOLUTION = 283;

/**
 * The shape of the pels of a PNG, JPEG, TIFF or BMP file, as it is stored, before a rotation; undefined where they are
 * square or nothing is said. Pels are narrow where their density along a row is high. Where a PNG or JFIF header gives
 * no unit, its numbers are the width and the height of a pel.
 */
export function imagePelAspect(bytes: Uint8Array): PelAspect | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const densities = readDensities(view);
  if (!densities) return undefined;
  const { x, y, isShape } = densities;
  const isKnown = x > 0 && y > 0 && Number.isFinite(x + y);
  if (!isKnown || x === y) return undefined;
  return isShape ? { width: x, height: y } : { width: y, height: x };
}

function readDensities(bytes: Buffer): Densities | undefined {
  const start = bytes.toString('latin1', 0, 4);
  if (start === '\x89PNG') return pngDensities(bytes);
  if (start.startsWith('\xff\xd8')) return jfifDensities(bytes);
  if (start === 'II*\0' || start === 'MM\0*') return tiffDensities(bytes, start === 'II*\0');
  if (start.startsWith('BM') && bytes.length >= 46 && bytes.readUInt32LE(14) >= 40) {
    return { x: bytes.readInt32LE(38), y: bytes.readInt32LE(42), isShape: false };
  }
  return undefined;
}

/** Whether a PNG file is an animation: it has a chunk acTL before its pels. */
export function isAnimatedPng(bytes: Uint8Array): boolean {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  return view.toString('latin1', 0, 4) === '\x89PNG' && pngChunk(view, 'acTL') !== undefined;
}

/** The chunk pHYs: pels a unit along both axes, and the unit, 0 if it is not known. */
function pngDensities(bytes: Buffer): Densities | undefined {
  const chunk = pngChunk(bytes, 'pHYs');
  if (!chunk || chunk.length < 9) return undefined;
  return { x: chunk.readUInt32BE(0), y: chunk.readUInt32BE(4), isShape: chunk[8] === 0 };
}

/** The contents of a chunk that stands before the pels. */
function pngChunk(bytes: Buffer, name: string): Buffer | undefined {
  for (let at = PNG_CHUNKS_AT; at + 8 <= bytes.length; ) {
    const length = bytes.readUInt32BE(at);
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (type === name) return bytes.subarray(at + 8, at + 8 + length);
    if (type === 'IDAT') return undefined;
    at += 12 + length;
  }
  return undefined;
}

/** The segment APP0 of JFIF: its unit, then the densities. */
function jfifDensities(bytes: Buffer): Densities | undefined {
  const isJfif =
    bytes.length >= 18 && bytes[2] === 0xff && bytes[3] === 0xe0 && bytes.toString('latin1', 6, 10) === 'JFIF';
  if (!isJfif) return undefined;
  return { x: bytes.readUInt16BE(14), y: bytes.readUInt16BE(16), isShape: bytes[13] === 0 };
}

/** The tags XResolution and YResolution of the first page. */
function tiffDensities(bytes: Buffer, isLittle: boolean): Densities | undefined {
  const u16 = (at: number) => (isLittle ? bytes.readUInt16LE(at) : bytes.readUInt16BE(at));
  const u32 = (at: number) => (isLittle ? bytes.readUInt32LE(at) : bytes.readUInt32BE(at));
  try {
    const page = u32(4);
    const values = new Map<number, number>();
    for (let i = 0; i < u16(page); i++) {
      const entry = page + 2 + 12 * i;
      const tag = u16(entry);
      if (tag !== TIFF_X_RESOLUTION && tag !== TIFF_Y_RESOLUTION) continue;
      const at = u32(entry + 8);
      values.set(tag, u32(at) / u32(at + 4));
    }
    const [x, y] = [values.get(TIFF_X_RESOLUTION), values.get(TIFF_Y_RESOLUTION)];
    return x === undefined || y === undefined ? undefined : { x, y, isShape: false };
  } catch (error) {
    if (error instanceof RangeError) return undefined; // beyond the file's end: its decoder says what is wrong
    throw error;
  }
}
