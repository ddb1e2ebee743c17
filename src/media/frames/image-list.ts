// Lists the images of a sequence: those of a folder, a glob pattern or a printf pattern.

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { counted } from '../../counted.js';
import { InputError } from '../../errors.js';
import { hasImageExtension, IMAGE_FORMATS } from '../images/image-decoder.js';
import { readFailure } from '../input-file.js';
import { expandGlob } from './glob-pattern.js';
import { compareNatural } from './natural-order.js';

/** The images of a sequence. */
export interface ImageList {
  /** What the user named: the folder, pattern or file. */
  readonly name: string;
  /** At least one path; display order. */
  readonly paths: readonly string[];
}

/** Endings of videos, without the dot. */
const VIDEOS = new Set([
  ...['3gp', 'apng', 'asf', 'avi', 'dv', 'flv', 'gif', 'ivf', 'm1v', 'm2t', 'm2ts', 'm2v', 'm4v', 'mkv', 'mov', 'mp4'],
  ...['mpeg', 'mpg', 'mts', 'mxf', 'nut', 'obu', 'ogg', 'ogv', 'ts', 'vob', 'webm', 'wmv', 'y4m', 'yuv'],
]);
/** Endings of videos, and of pictures and sound that are no images of a sequence. */
const OTHER_MEDIA = new Set([
  ...[...VIDEOS, 'aac', 'ac3', 'avif', 'cr2', 'dng', 'dpx', 'exr', 'flac', 'heic', 'heif', 'j2k', 'jp2', 'jxl', 'm4a'],
  ...['mka', 'mp2', 'mp3', 'nef', 'opus', 'pam', 'pbm', 'pcx', 'psd', 'qoi', 'raw', 'sgi', 'svg', 'tga', 'wav', 'wma'],
]);
/** Names that a warning lists; further ones are counted. */
const MAX_NAMED = 3;

/** Called with a line about files that are left out. */
type OnWarning = ((message: string) => void) | undefined;

/**
 * The images in a folder, in natural order, without hidden files. `onWarning` is told of other media beside them.
 * Throws an InputError if there are no images.
 */
export async function imagesInFolder(folder: string, onWarning?: OnWarning): Promise<ImageList> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(error =>
    Promise.reject(readFailure(folder, error)),
  );
  const files = entries
    .filter(entry => !entry.isDirectory() && !entry.name.startsWith('.'))
    .map(entry => entry.name)
    .sort(compareNatural);
  const names = files.filter(hasImageExtension);
  if (names.length === 0)
    throw noImages(
      `${folder} holds`,
      files.map(name => join(folder, name)),
    );
  warnOfOthers(folder, files.filter(isOtherMedia), onWarning);
  return { name: folder, paths: names.map(name => join(folder, name)) };
}

/**
 * The images that a glob pattern matches, in natural order. `onWarning` is told of other files that it matches. Throws
 * an InputError if there are no images.
 */
export async function imagesOfGlob(pattern: string, onWarning?: OnWarning): Promise<ImageList> {
  const matches = (await expandGlob(pattern)).sort(compareNatural);
  const paths = matches.filter(hasImageExtension);
  if (paths.length === 0) throw noImages(`${pattern} matches`, matches);
  const others = matches.filter(path => !hasImageExtension(path)).map(path => basename(path));
  warnOfOthers(pattern, others, onWarning);
  return { name: pattern, paths };
}

/** The error for files without an image. Of videos, it says what to do. */
function noImages(what: string, paths: readonly string[]): InputError {
  const videos = paths.filter(path => VIDEOS.has(endingOf(path)));
  const given = videos.length === 1 ? 'the video itself:' : 'one of them itself, such as';
  const advice = videos.length === 0 ? '' : `, but ${counted(videos.length, 'video')}: give ${given} ${videos[0]}`;
  return new InputError(`${what} no images (${IMAGE_FORMATS})${advice}`);
}

/** The ending of a name in lower case, without the dot. */
function endingOf(name: string): string {
  return /\.([^.]+)$/.exec(name)?.[1]?.toLowerCase() ?? '';
}

function isOtherMedia(name: string): boolean {
  return OTHER_MEDIA.has(endingOf(name));
}

function warnOfOthers(name: string, others: readonly string[], onWarning: OnWarning): void {
  if (others.length === 0) return;
  const more = others.length > MAX_NAMED ? ` and ${others.length - MAX_NAMED} more` : '';
  const files = `${counted(others.length, 'file')} ${others.length === 1 ? 'is' : 'are'}`;
  onWarning?.(`${name}: ${files} left out beside the images: ${others.slice(0, MAX_NAMED).join(', ')}${more}`);
}

/** A printf conversion of an integer, or `%%`. */
const CONVERSION = /%(%|(0?)(\d*)d)/g;

/** No file has a longer name. */
const MAX_NAME_LENGTH = 1024;

/** Whether the last part of a path has exactly one printf conversion of an integer (`%d`, `%4d`, `%04d`). */
export function isNumberPattern(path: string): boolean {
  return [...basename(path).matchAll(CONVERSION)].filter(match => match[1] !== '%').length === 1;
}

/**
 * The images of a printf pattern such as `frame%04d.png`, from the smallest number that exists, at most `maxImages`.
 * `%%` is a percent sign. Throws an InputError if there are none, and one that names the first number that is missing
 * among them.
 */
export async function imagesOfNumberPattern(pattern: string, maxImages = Number.POSITIVE_INFINITY): Promise<ImageList> {
  const folder = dirname(pattern);
  const base = basename(pattern);
  const nameOf = (number: number): string =>
    base.replace(CONVERSION, (_, conversion: string, zero: string, digits: string) =>
      conversion === '%' ? '%' : String(number).padStart(Math.min(Number(digits), MAX_NAME_LENGTH), zero || ' '),
    );
  const baseWith = (text: string): string => base.replace(CONVERSION, (all, what) => (what === '%' ? all : text));
  const present = await readdir(folder).catch(error => Promise.reject(missingFolder(pattern, folder, error)));
  const numbers = new Set<number>();
  let meant = '';
  for (const name of present) {
    for (const digits of name.match(/\d+/g) ?? []) {
      const number = Number(digits);
      if (Number.isSafeInteger(number) && nameOf(number) === name) numbers.add(number);
      const isAsWritten = baseWith(digits) === name;
      if (isAsWritten) meant = ` (did you mean ${baseWith(digits[0] === '0' ? `%0${digits.length}d` : '%d')}?)`;
    }
  }
  if (numbers.size === 0) throw new InputError(`no file matches ${pattern}${meant}`);
  const ordered = [...numbers].sort((a, b) => a - b).slice(0, maxImages);
  const before = ordered.findIndex((number, i) => i + 1 < ordered.length && ordered[i + 1] !== number + 1);
  if (before >= 0) {
    const missing = nameOf(ordered[before]! + 1);
    const what = `${pattern}: ${missing} is missing, and ${nameOf(ordered[before + 1]!)} is there`;
    const advice = `number the images without a gap, or read the ${before + 1} before it`;
    throw new InputError(named => `${what}: ${advice} with ${named('frames')} ${before + 1}`);
  }
  return { name: pattern, paths: ordered.map(number => join(folder, nameOf(number))) };
}

function missingFolder(pattern: string, folder: string, error: NodeJS.ErrnoException): InputError {
  return error.code === 'ENOENT'
    ? new InputError(`${pattern}: no such folder: ${folder}`)
    : readFailure(`${pattern}: ${folder}`, error);
}
