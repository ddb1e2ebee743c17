import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import { checkPictureSize } from '../picture-size.js';

/** The word that starts a y4m stream. */
export const Y4M_MAGIC = 'YUV4MPEG2';
/** The word that starts each frame. */
export const Y4M_FRAME = 'FRAME';

/**
 * 4:2:0 in its four spellings, which differ in where the chroma samples sit; MPEG-1's siting is that of `420jpeg`, the
 * others are taken as they are. `mono` has no chroma planes.
 */
const LEGAL_CHROMA = ['420', '420jpeg', '420mpeg2', '420paldv', 'mono'];

/** What the first line of a y4m stream says. */
export interface Y4mHeader {
  readonly width: number;
  readonly height: number;
  /** Undefined where the stream does not know (`F0:0`, or none). */
  readonly frameRate?: FrameRate;
  /** Width to height of a pel; undefined where the stream does not know. */
  readonly pelAspect?: { readonly width: number; readonly height: number };
  /** `p` progressive, `t` or `b` interlaced with the top or bottom field first, `m` mixed, `?` unknown. */
  readonly interlacing: string;
  /** Only luma is stored. */
  readonly mono: boolean;
}

/** Reads the first line of a y4m stream. Throws an InputError that names the stream and what is wrong. */
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
  const rate = ratioOf(name, 'F', value('F'));
  const aspect = ratioOf(name, 'A', value('A'));
  return {
    width,
    height,
    ...(rate && { frameRate: { numerator: rate[0], denominator: rate[1] } }),
    ...(aspect && { pelAspect: { width: aspect[0], height: aspect[1] } }),
    interlacing: value('I') ?? '?',
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

/** A ratio `n:d`, or undefined where either is 0 or none is given. */
function ratioOf(name: string, letter: string, text: string | undefined): [number, number] | undefined {
  if (text === undefined) return undefined;
  const match = /^(\d+):(\d+)$/.exec(text);
  if (!match) throw new InputError(`${name}: the y4m header's ${letter}${text} is not a ratio`);
  const ratio: [number, number] = [Number(match[1]), Number(match[2])];
  return ratio[0] > 0 && ratio[1] > 0 ? ratio : undefined;
}
