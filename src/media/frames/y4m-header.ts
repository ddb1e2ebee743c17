// Reads and writes the header line of y4m (YUV4MPEG2).
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import { checkPictureSize } from '../picture-size.js';

/** The word that starts a y4m stream. */
export const Y4M_MAGIC = 'YUV4MPEG2';
/** The word that starts each frame. */
export const Y4M_FRAME = 'FRAME';

/**
 * The four names of 4:2:0, which differ in the position of the chroma samples, and `mono`, which has no chroma planes.
 * MPEG-1 has the positions of `420jpeg`; samples at the other positions are used without conversion.
 */
const LEGAL_CHROMA = ['420', '420jpeg', '420mpeg2', '420paldv', 'mono'];

/** What the first line of a y4m stream says. */
export interface Y4mHeader {
  readonly width: number;
  readonly height: number;
  /** Undefined if the header gives none, or `F0:0`. */
  readonly frameRate?: FrameRate;
  /** Only luma is stored. */
  readonly mono: boolean;
}

/**
 * What a header line says of the frames; other parameters are ignored. Throws an InputError that starts with `name`.
 */
export function parseY4mHeader(name: string, line: string): Y4mHeader {
  const [magic, ...parameters] = line.split(' ');
  if (magic !== Y4M_MAGIC) throw new InputError(`${name} is not a y4m stream: it does not start with ${Y4M_MAGIC}`);
  const value = (letter: string): string | undefined =>
    parameters.find(parameter => parameter.startsWith(letter))?.slice(1);
  const width = sizeOf(name, 'W', value('W'));
  const height = sizeOf(name, 'H', value('H'));
  checkPictureSize(name, width, height);
  const chroma = value('C') ?? '420jpeg';
  if (!LEGAL_CHROMA.includes(chroma)) {
    throw new InputError(`${name}: chroma format ${chroma} is not supported; legal are ${LEGAL_CHROMA.join(', ')}`);
  }
  const frameRate = ratioOf(name, 'F', value('F'));
  ratioOf(name, 'A', value('A')); // the shape of the pels: it must be right, but pels are taken as square
  return {
    width,
    height,
    ...(frameRate && { frameRate }),
    mono: chroma === 'mono',
  };
}

/** The first line of a progressive 4:2:0 y4m stream with square pels, line feed included. */
export function formatY4mHeader(width: number, height: number, rate: FrameRate): string {
  return `${Y4M_MAGIC} W${width} H${height} F${rate.numerator}:${rate.denominator} Ip A1:1 C420jpeg\n`;
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
  if (!match) throw new InputError(`${name}: the y4m header's ${letter}${text} is not a ratio`);
  const [numerator, denominator] = [Number(match[1]), Number(match[2])];
  return numerator > 0 && denominator > 0 ? { numerator, denominator } : undefined;
}
