// Reads and writes the header line of y4m (YUV4MPEG2).

import type { FrameRate } from '../../../bitstream/tables/frame-rate.js';
import type { PelAspect } from '../../../bitstream/tables/pel-aspect-ratio.js';
import { InputError } from '../../../errors.js';
import { chromaLength, i420Bytes } from '../../../picture/frame.js';
import type { FirstField } from '../../filters/stream-facts.js';
import { checkLargePictureSize, checkPictureSize } from '../../picture-size.js';
import { STANDARD_INPUT } from '../frame-source.js';

/** The word that starts a y4m stream. */
export const Y4M_MAGIC = 'YUV4MPEG2';
/** The word that starts each frame. */
export const Y4M_FRAME = 'FRAME';

/**
 * The four names of 4:2:0, which differ in the position of the chroma samples, and `mono`, which has no chroma planes.
 * MPEG-1 has the positions of `420jpeg`; samples at the other positions are used without conversion.
 */
const PLAIN_CHROMA = ['420', '420jpeg', '420mpeg2', '420paldv', 'mono'];
/** Chroma that ffmpeg converts: another subsampling, more bits, an alpha channel. */
const OTHER_CHROMA = /^(?:(420|422|444)p(9|10|12|14|16)|mono(9|10|12|16)|(411|422|444|444alpha))$/;

/** What the first line of a y4m stream says. */
export interface Y4mHeader {
  readonly width: number;
  readonly height: number;
  /** Undefined if the header gives none, or `F0:0`. */
  readonly frameRate?: FrameRate;
  /** Undefined if the header gives none, or `A0:0`. */
  readonly pelAspect?: PelAspect;
  /** As the header names it: `420jpeg`, `422`, `420p10`, `mono` ... */
  readonly chroma: string;
  /** True: the samples are of full range. */
  readonly isFullRange: boolean;
  /** Undefined for progressive frames, and where nothing is said. */
  readonly firstField?: FirstField;
}

/** How a header is read. */
export interface Y4mReading {
  /** False: a picture may be larger than those of MPEG-1, since it will be scaled. */
  readonly checksSize?: boolean;
}

/**
 * What a header line says of the frames; other parameters are ignored. Throws an InputError that starts with `name`.
 */
export function parseY4mHeader(name: string, line: string, { checksSize = true }: Y4mReading = {}): Y4mHeader {
  const [magic, ...parameters] = line.split(' ');
  if (magic !== Y4M_MAGIC) {
    const advice = name === STANDARD_INPUT ? '; a video is read by its name, or as /dev/stdin where there is one' : '';
    throw new InputError(`${name} is not a y4m stream: it does not start with ${Y4M_MAGIC}${advice}`);
  }
  const value = (letter: string): string | undefined =>
    parameters.find(parameter => parameter.startsWith(letter))?.slice(1);
  const width = sizeOf(name, 'W', value('W'));
  const height = sizeOf(name, 'H', value('H'));
  const checkSize = checksSize ? checkPictureSize : checkLargePictureSize;
  checkSize(name, width, height);
  const chroma = value('C') ?? '420jpeg';
  if (!PLAIN_CHROMA.includes(chroma) && !OTHER_CHROMA.test(chroma)) {
    const legal = '420, 422, 444, 411 and mono, 8 bits or as 420p10 up to 16, and 444alpha';
    const shown = chroma.slice(0, 20).replace(/[^ -~]/g, '?');
    throw new InputError(`${name}: chroma format ${shown} is not supported; legal: ${legal}`);
  }
  const frameRate = ratioOf(name, 'F', value('F'));
  const shape = ratioOf(name, 'A', value('A'));
  const firstField = { t: 'top', b: 'bottom' }[value('I') ?? ''] as FirstField | undefined;
  return {
    width,
    height,
    ...(frameRate && { frameRate }),
    ...(shape && { pelAspect: { width: shape.numerator, height: shape.denominator } }),
    chroma,
    isFullRange: parameters.includes('XCOLORRANGE=FULL'),
    ...(firstField && { firstField }),
  };
}

/** Whether frames can be taken as they are: 8-bit samples of limited range, in 4:2:0 or luma only. */
export function isPlainY4m({ chroma, isFullRange }: Y4mHeader): boolean {
  return PLAIN_CHROMA.includes(chroma) && !isFullRange;
}

/** Bytes of the planes of a frame. Samples of more than 8 bits have two bytes. */
export function y4mFrameBytes({ width, height, chroma }: Y4mHeader): number {
  const sampleBytes = /(?:p|mono)\d/.test(chroma) ? 2 : 1;
  const luma = width * height;
  const [half, quarter] = [chromaLength(width), (width + 3) >> 2];
  const samples = (): number => {
    if (chroma.startsWith('mono')) return luma;
    if (chroma === '444alpha') return 4 * luma;
    if (chroma.startsWith('444')) return 3 * luma;
    if (chroma.startsWith('422')) return luma + 2 * half * height;
    if (chroma === '411') return luma + 2 * quarter * height;
    return i420Bytes(width, height);
  };
  return sampleBytes * samples();
}

/** What may be the reason of frames that are shorter than their header says; '' where no reason is known. */
export function reasonOfShortFrames({ width, chroma }: Y4mHeader): string {
  if (width % 2 === 0 || !/^42[02]p/.test(chroma)) return '';
  return '; ffmpeg 5.1 and older write frames of an odd width and more than 8 bits too short: make the width even';
}

/** What a header line is written from. */
export interface Y4mHeaderFields {
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  /** Default: square pels; 0 to 0: unknown. */
  readonly pelAspect?: PelAspect;
}

/** The first line of a progressive 4:2:0 y4m stream, line feed included. */
export function formatY4mHeader({ width, height, frameRate, pelAspect }: Y4mHeaderFields): string {
  const { numerator, denominator } = Object(frameRate);
  const shape = pelAspect ? wholeRatio(pelAspect) : '1:1';
  return `${Y4M_MAGIC} W${width} H${height} F${numerator}:${denominator} Ip A${shape} C420jpeg\n`;
}

/** A shape as two whole numbers in lowest terms. */
function wholeRatio({ width, height }: PelAspect): string {
  const factor = Number.isInteger(width) && Number.isInteger(height) ? 1 : 1_000_000;
  const [w, h] = [Math.round(width * factor), Math.round(height * factor)];
  const divisor = greatestDivisor(w, h) || 1;
  return `${w / divisor}:${h / divisor}`;
}

function greatestDivisor(a: number, b: number): number {
  return b > 0 ? greatestDivisor(b, a % b) : a;
}

function sizeOf(name: string, letter: string, text: string | undefined): number {
  if (text === undefined || !/^\d+$/.test(text))
    throw new InputError(`${name}: the y4m header has no valid ${letter} (picture size)`);
  return Number(text);
}

/** A ratio `n:d`; undefined if none is given or either number is 0. */
function ratioOf(name: string, letter: string, text: string | undefined): FrameRate | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+):(\d+)$/.exec(text);
  const shown = text.slice(0, 20).replace(/[^ -~]/g, '?');
  if (!match) throw new InputError(`${name}: the y4m header's ${letter}${shown} is not a ratio`);
  const [numerator, denominator] = [Number(match[1]), Number(match[2])];
  return numerator > 0 && denominator > 0 ? { numerator, denominator } : undefined;
}
