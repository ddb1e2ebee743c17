// What an input is that the user named, by its name and by what lies there.
import type { Stats } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { basename, dirname } from 'node:path';
import { InputError } from '../errors.js';
import { suggestion } from '../nearest-name.js';
import { isGlobPattern } from './frames/glob-pattern.js';
import {
  type ImageList,
  imagesInFolder,
  imagesOfGlob,
  imagesOfNumberPattern,
  isNumberPattern,
} from './frames/image-list.js';
import { hasImageExtension } from './images/image-decoder.js';
import { isAnimatedPng } from './images/image-shape.js';
import { readFailure, readInput } from './input-file.js';
import { MAX_IMAGE_BYTES } from './picture-size.js';

/** What an input is; of images, which. */
export type InputKind =
  | { readonly kind: 'standard input' | 'y4m' | 'raw video' | 'video' }
  | { readonly kind: 'images'; readonly list: ImageList };

/** What is told of an input, and how many images of a printf pattern are wanted. */
interface KindOptions {
  readonly maxImages?: number | undefined;
  readonly onWarning?: ((message: string) => void) | undefined;
}

/**
 * What an input is: `-`, a folder of images, an image, a `.y4m` or `.yuv` file, a printf or glob pattern of images, or
 * any other file as a video. A name that exists is never taken as a pattern. Throws an InputError for what is not
 * there.
 */
export async function kindOfInput(input: string, { maxImages, onWarning }: KindOptions = {}): Promise<InputKind> {
  if (input === '-') return { kind: 'standard input' };
  const images = async (list: Promise<ImageList>) => ({ kind: 'images' as const, list: await list });
  const found = await statIfPresent(input);
  if (!found) {
    if (/^\w+:\/\//.test(input)) {
      throw new InputError(`${input} is a URL, and inputs are files of this machine: download it first`);
    }
    if (isNumberPattern(input)) return images(imagesOfNumberPattern(input, maxImages));
    if (isGlobPattern(input)) return images(imagesOfGlob(input, onWarning));
    throw new InputError(`no such file or folder: ${input}${await nearestFile(input)}`);
  }
  if (found.isDirectory()) return images(imagesInFolder(input, onWarning));
  if (/\.y4m$/i.test(input)) return { kind: 'y4m' };
  if (isRawVideo(input)) return { kind: 'raw video' };
  if (hasImageExtension(input) && !(await isAnimatedPngFile(input, found))) {
    return { kind: 'images', list: { name: input, paths: [input] } };
  }
  return { kind: 'video' };
}

/** Whether an input can be read once only: `-` or a pipe. */
export async function isReadOnce(input: string): Promise<boolean> {
  return input === '-' || ((await stat(input).catch(() => undefined))?.isFIFO() ?? false);
}

/** Whether a name is that of raw video. */
export function isRawVideo(input: string): boolean {
  return /\.yuv$/i.test(input);
}

/** Whether a file is a PNG animation, all of whose pictures ffmpeg reads. */
async function isAnimatedPngFile(path: string, found: Stats): Promise<boolean> {
  return /\.png$/i.test(path) && found.isFile() && isAnimatedPng(await readInput(path, MAX_IMAGE_BYTES));
}

/** ` (did you mean clip.y4m?)`, if something of a name that is near lies where the input is looked for. */
async function nearestFile(input: string): Promise<string> {
  const names = await readdir(dirname(input)).catch(() => []);
  return suggestion(basename(input), names);
}

/** Undefined if nothing of this name exists. */
async function statIfPresent(input: string): Promise<Stats | undefined> {
  try {
    return await stat(input);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOENT' || code === 'ENOTDIR') return undefined;
    if (code === 'ENAMETOOLONG' && (isNumberPattern(input) || isGlobPattern(input))) return undefined;
    throw readFailure(input, error);
  }
}
