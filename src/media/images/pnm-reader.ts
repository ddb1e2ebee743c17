// Reads netpbm files: PGM and PPM.
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import { checkPictureSize } from '../picture-size.js';
import type { RgbImage } from './rgb-image.js';

const HASH = 0x23;
const LINE_FEED = 0x0a;
const CARRIAGE_RETURN = 0x0d;
const DIGIT_0 = 0x30;

/**
 * The image of a PGM or PPM file, plain (P2, P3) or raw (P5, P6). Samples 0..maxval, maxval 1..65535, are scaled to 8
 * bits and rounded to nearest. Throws an InputError that starts with `name`.
 */
export function readPnm(name: string, bytes: Uint8Array, checkSize = checkPictureSize): RgbImage {
  const scanner = new PnmScanner(name, bytes);
  const kind = bytes[1]! - DIGIT_0;
  const channels = kind === 3 || kind === 6 ? 3 : 1;
  const width = scanner.number('width');
  const height = scanner.number('height');
  checkSize(name, width, height);
  const maxval = scanner.number('maxval');
  if (maxval < 1 || maxval > 65535) throw new InputError(`${name}: maxval ${maxval} is not in 1..65535`);
  const samples =
    kind <= 3 ? scanner.plainSamples(width * height * channels) : scanner.rawSamples(width * height * channels, maxval);
  const pels = new Uint8Array(width * height * 3);
  const half = maxval >> 1;
  for (let i = 0; i < samples.length; i++) {
    const sample = samples[i]!;
    if (sample > maxval) throw new InputError(`${name}: sample ${sample} is larger than maxval ${maxval}`);
    const value = maxval === 255 ? sample : Math.floor((sample * 255 + half) / maxval);
    if (channels === 3) pels[i] = value;
    else pels.fill(value, 3 * i, 3 * i + 3);
  }
  return { width, height, pels };
}

/** Reads the numbers of the header, between white space and comments, and then the samples. */
class PnmScanner {
  #at = 2;

  constructor(
    readonly name: string,
    readonly bytes: Uint8Array,
  ) {}

  number(what: string): number {
    this.#skipSpace();
    let value = 0;
    let digits = 0;
    for (; isDigit(this.bytes[this.#at]); this.#at++, digits++) value = value * 10 + this.bytes[this.#at]! - DIGIT_0;
    if (digits === 0) throw this.#missing(what);
    return value;
  }

  #missing(what: string): InputError {
    return new InputError(`${this.name}: ${what} is missing: the image is truncated or damaged`);
  }

  plainSamples(count: number): Uint32Array {
    // Each takes white space and a digit or more. Checked first: the file may be far too short for the memory.
    const possible = (this.bytes.length - this.#at) >> 1;
    if (possible < count) throw this.#missing(`sample ${possible} of ${count}`);
    const samples = new Uint32Array(count);
    for (let i = 0; i < count; i++) samples[i] = Math.min(this.number(`sample ${i} of ${count}`), 0xffffffff);
    return samples;
  }

  /** Samples above 8 bits have two bytes, the high one first. */
  rawSamples(count: number, maxval: number): Uint8Array | Uint16Array {
    const sampleBytes = maxval > 255 ? 2 : 1;
    const start = this.#rasterStart(count * sampleBytes);
    const missing = start + count * sampleBytes - this.bytes.length;
    if (missing > 0)
      throw new InputError(
        `${this.name}: the image is truncated, ${counted(missing, 'byte')} ${missing === 1 ? 'is' : 'are'} missing`,
      );
    if (sampleBytes === 1) return this.bytes.subarray(start, start + count);
    const samples = new Uint16Array(count);
    for (let i = 0; i < count; i++) samples[i] = (this.bytes[start + 2 * i]! << 8) | this.bytes[start + 2 * i + 1]!;
    return samples;
  }

  /**
   * One byte of white space ends the header. A comment may stand before it, with a line end of its own, as netpbm's
   * page says. netpbm's programs and ImageMagick take that line end for the white space: so it is where no other is.
   */
  #rasterStart(rasterBytes: number): number {
    if (this.bytes[this.#at] !== HASH) return this.#at + 1;
    this.#skipComment();
    const afterComment = this.#at + 1;
    const isLast = !isSpace(this.bytes[afterComment]) || afterComment + 1 + rasterBytes > this.bytes.length;
    return isLast ? afterComment : afterComment + 1;
  }

  #skipSpace(): void {
    for (; ; this.#at++) {
      if (this.bytes[this.#at] === HASH) this.#skipComment();
      if (!isSpace(this.bytes[this.#at])) return;
    }
  }

  /** Goes to the end of the line. */
  #skipComment(): void {
    while (this.#at < this.bytes.length && !isLineEnd(this.bytes[this.#at]!)) this.#at++;
  }
}

function isSpace(byte: number | undefined): boolean {
  return byte !== undefined && (byte === 0x20 || (byte >= 0x09 && byte <= 0x0d));
}

function isDigit(byte: number | undefined): boolean {
  return byte !== undefined && byte >= DIGIT_0 && byte <= DIGIT_0 + 9;
}

function isLineEnd(byte: number): boolean {
  return byte === LINE_FEED || byte === CARRIAGE_RETURN;
}
