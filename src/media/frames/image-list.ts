// Lists the images of a sequence: those of a folder, a glob pattern or a printf pattern.
import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
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

/** The images in a folder, in natural order, without hidden files. Throws an InputError if there are none. */
export async function imagesInFolder(folder: string): Promise<ImageList> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(error =>
    Promise.reject(readFailure(folder, error)),
  );
  const names = entries.filter(
    entry => !entry.isDirectory() && !entry.name.startsWith('.') && hasImageExtension(entry.name),
  );
  if (names.length === 0) throw new InputError(`${folder} holds no images (${IMAGE_FORMATS})`);
  return { name: folder, paths: names.map(entry => join(folder, entry.name)).sort(compareNatural) };
}

/** The images that a glob pattern matches, in natural order. Throws an InputError if there are none. */
export async function imagesOfGlob(pattern: string): Promise<ImageList> {
  const paths = (await expandGlob(pattern)).filter(hasImageExtension);
  if (paths.length === 0) throw new InputError(`${pattern} matches no images (${IMAGE_FORMATS})`);
  return { name: pattern, paths: paths.sort(compareNatural) };
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
 * The images of a printf pattern such as `frame%04d.png`: from the smallest number that exists up to the first gap.
 * `%%` is a percent sign. Throws an InputError if there are none.
 */
export async function imagesOfNumberPattern(pattern: string): Promise<ImageList> {
  const folder = dirname(pattern);
  const base = basename(pattern);
  const nameOf = (number: number): string =>
    base.replace(CONVERSION, (_, conversion: string, zero: string, digits: string) =>
      conversion === '%' ? '%' : String(number).padStart(Math.min(Number(digits), MAX_NAME_LENGTH), zero || ' '),
    );
  const present = new Set(await readdir(folder).catch(error => Promise.reject(missingFolder(pattern, folder, error))));
  let first = Number.POSITIVE_INFINITY;
  for (const name of present) {
    for (const digits of name.match(/\d+/g) ?? []) {
      const number = Number(digits);
      if (number < first && Number.isSafeInteger(number) && nameOf(number) === name) first = number;
    }
  }
  const paths: string[] = [];
  for (let number = first; present.has(nameOf(number)); number++) paths.push(join(folder, nameOf(number)));
  if (paths.length === 0) throw new InputError(`no file matches ${pattern}`);
  return { name: pattern, paths };
}

function missingFolder(pattern: string, folder: string, error: NodeJS.ErrnoException): InputError {
  return error.code === 'ENOENT'
    ? new InputError(`${pattern}: no such folder: ${folder}`)
    : readFailure(`${pattern}: ${folder}`, error);
}
