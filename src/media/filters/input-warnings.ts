// What the user is told of an input whose pictures are not coded as they are.
import { asProperty, type OptionNaming } from '../../errors.js';
import type { ImageFacts } from '../images/rgb-image.js';
import { COLOUR_NAMES, type Colour } from './picture-options.js';
import { BT709_LINES, type FirstField, type StreamFacts } from './stream-facts.js';

/** What a warning depends on, and how it names options. */
interface WarningOptions {
  readonly background?: Colour | undefined;
  readonly toBt601?: boolean | undefined;
  readonly deinterlace?: boolean | undefined;
  readonly optionNaming?: OptionNaming | undefined;
}

/** Interlaced pictures are taken as if they were progressive. */
export function interlacedWarning(
  name: string,
  firstField: FirstField,
  { optionNaming: named = asProperty }: WarningOptions,
): string {
  const what = `${name} is interlaced, ${firstField} field first, and is taken as it is`;
  return `${what}: ${named('deinterlace')} makes it progressive`;
}

/** Pels that are not opaque are shown on a background. */
export function alphaWarning(
  name: string,
  { background = 'black', optionNaming: named = asProperty }: WarningOptions,
): string {
  const hex = background.toLowerCase();
  const colour = Object.entries(COLOUR_NAMES).find(([, value]) => value === hex)?.[0] ?? hex;
  return `${name} has an alpha channel: it is shown on ${colour}, and ${named('background')} chooses another colour`;
}

/** Pictures of high dynamic range lose it. */
function hdrWarning(name: string, hdr: 'PQ' | 'HLG'): string {
  return `${name} has high dynamic range (${hdr}), which MPEG-1 lacks: it is tone-mapped to standard range`;
}

/** What is told of the matrix of pictures that keep it, and have so many lines. */
function matrixWarnings(
  name: string,
  { matrix, isMatrixAssumed, hdr, alpha }: StreamFacts,
  lines: number,
  { toBt601 = false, optionNaming: named = asProperty }: WarningOptions,
): string[] {
  if (toBt601) {
    const isBt601 = matrix === undefined && hdr === undefined && alpha !== 'rgb';
    return isBt601 ? [`${name} does not say BT.709 or BT.2020: ${named('toBt601')} converts nothing`] : [];
  }
  if (matrix === undefined || lines >= BT709_LINES) return [];
  const taken = `players take MPEG-1 of less than ${BT709_LINES} lines for BT.601`;
  const kept = isMatrixAssumed ? `${matrix} (it says none, but they are usual at its size)` : matrix;
  return [`${name} keeps its colours of ${kept}, but ${taken}: ${named('toBt601')} converts them`];
}

/** Of other videos and of subtitles nothing is kept. */
function leftOutWarnings(name: string, { videos, subtitles }: NonNullable<StreamFacts['leftOut']>): string[] {
  return [
    ...(videos > 0 ? [`${name} has ${videos + 1} video tracks: the first one is taken, the others are left out`] : []),
    ...(subtitles > 0 ? [`${name} has subtitles: they are left out`] : []),
  ];
}

/** What is told of an image in the file `path`; `name` is that of all images, for what they have in common. */
export function imageWarnings(
  { name, path }: { readonly name: string; readonly path: string },
  { damage, hasAlpha = false, pages = 1 }: ImageFacts,
  options: WarningOptions,
): string[] {
  return [
    ...(damage === undefined ? [] : [damage]),
    ...(hasAlpha ? [alphaWarning(name, options)] : []),
    ...(pages > 1 ? [`${path} has ${pages} pages or pictures: only the first is read`] : []),
  ];
}

/** ffmpeg scales all pictures to the size of the first, or to the one that is asked for. */
export function sizesWarning(
  name: string,
  sizes: readonly string[],
  { width, height }: { readonly width: number; readonly height: number },
): string {
  return `${name} has pictures of several sizes (${sizes.join(', ')}): all are scaled to ${width}x${height}`;
}

/** What is told of a video; `lines`: the height of its pictures, undefined where they do not keep their matrix. */
export function videoWarnings(
  name: string,
  facts: StreamFacts,
  lines: number | undefined,
  options: WarningOptions,
): string[] {
  const { firstField, hdr, alpha, leftOut } = facts;
  return [
    ...(firstField && !options.deinterlace ? [interlacedWarning(name, firstField, options)] : []),
    ...(hdr ? [hdrWarning(name, hdr)] : []),
    ...(alpha ? [alphaWarning(name, options)] : []),
    ...(lines === undefined ? [] : matrixWarnings(name, facts, lines, options)),
    ...(leftOut ? leftOutWarnings(name, leftOut) : []),
  ];
}
