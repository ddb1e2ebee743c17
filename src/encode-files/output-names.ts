// Checks that the files of a run are different ones, before anything is read.
import { type BigIntStats, fstatSync } from 'node:fs';
import { lstat, readlink, realpath, stat } from 'node:fs/promises';
import { basename, dirname, join, resolve } from 'node:path';
import { OptionError } from '../errors.js';
import { kindOfInput } from '../media/input-kind.js';
import { partialPath } from '../media/output/hidden-name.js';

/** The files of a run. The keys are the words that name them in messages: `-o`, `--recon`, `the input`. */
export interface NamedFiles {
  readonly inputs: NamedPaths;
  readonly outputs: NamedPaths;
  /** Folders that receive outputs. */
  readonly folders?: NamedPaths;
  /** Whether results are printed on standard output as JSON. */
  readonly json: boolean;
}

type NamedPaths = Readonly<Record<string, string | undefined>>;

/** Stands for standard output among the outputs, and for standard input among the inputs. */
const STANDARD = '-';
/** The one flag that may name standard output. */
const STREAM_FLAG = '-o';
/** The one flag whose folder receives files that are no images. */
const FLOW_FLAG = '--flo';
const STANDARD_OUTPUT = /^\/(dev\/(stdout|fd\/1)|proc\/(self|thread-self|\d+)\/fd\/1)$/;

/**
 * Throws an OptionError that names both files if they are the same: two outputs, an output and an input, an output and
 * an image of an input, a folder for images and an input, or a folder and an output, however their paths are spelled.
 * Also throws one for an output without a name, and for `-` where only a file can be written.
 */
export async function requireDifferentFiles({ inputs, outputs, folders = {}, json }: NamedFiles): Promise<void> {
  const takesStream = STREAM_FLAG in outputs;
  for (const [words, path] of [...Object.entries(outputs), ...Object.entries(folders)]) {
    requireFileName(words, path, takesStream);
  }
  const taken = new Map<string, string>();
  if (json) taken.set(STANDARD, '--json');
  for (const [words, path] of Object.entries(inputs)) {
    if (path === undefined) continue;
    for (const mark of path === STANDARD ? fileMark(openFileOf(0)) : await inputMarks(path)) taken.set(mark, words);
  }
  for (const mark of fileMark(openFileOf(1))) taken.set(mark, 'standard output');
  for (const [words, path] of Object.entries(outputs)) {
    if (path === undefined) continue;
    const marks = await outputMarks(path);
    const other = ownerOf(marks, taken);
    if (other !== undefined) {
      const place = marks.includes(STANDARD) ? 'standard output' : path;
      throw new OptionError(optionName(words), `${words} and ${other} are both ${place}: choose another file for one`);
    }
    for (const mark of marks) taken.set(mark, words);
  }
  await requireFreeParts(outputs, taken);
  await requireNoFiles(outputs, folders);
  await requireNoImages(inputs, outputs);
  await requireOtherFolders(inputs, folders);
}

/** The words for the file that has one of these marks; undefined if none has. */
function ownerOf(marks: readonly string[], taken: ReadonlyMap<string, string>): string | undefined {
  return marks.map(mark => taken.get(mark)).find(found => found !== undefined);
}

/** Throws an OptionError if the name under which an incomplete output would be kept is that of another file. */
async function requireFreeParts(outputs: NamedPaths, taken: ReadonlyMap<string, string>): Promise<void> {
  for (const [words, path] of Object.entries(outputs)) {
    if (path === undefined || path === STANDARD) continue;
    const part = partialPath(path);
    const other = ownerOf(await outputMarks(part), taken);
    if (other === undefined) continue;
    const reason = `would be kept as ${part} after an interruption, which is ${other}`;
    throw new OptionError(optionName(words), `${words} ${path} ${reason}: choose another name for one`);
  }
}

/** Throws an OptionError if a folder, or one that it lies in, has the name of an output. */
async function requireNoFiles(outputs: NamedPaths, folders: NamedPaths): Promise<void> {
  const files = new Map<string, string>();
  for (const [words, path] of Object.entries(outputs)) {
    if (path !== undefined && path !== STANDARD) files.set(await nameMark(path), words);
  }
  for (const [words, folder] of Object.entries(folders)) {
    if (folder === undefined) continue;
    for (let place = resolve(folder); place !== dirname(place); place = dirname(place)) {
      const file = files.get(await nameMark(place));
      if (file === undefined) continue;
      const reason = `needs a folder where ${file} is a file`;
      throw new OptionError(optionName(words), `${words} ${folder} ${reason}: choose another name for one`);
    }
  }
}

/**
 * Throws an OptionError if a folder that receives images is an input, or that of a glob that takes any name: the input
 * would have more images then.
 */
async function requireOtherFolders(inputs: NamedPaths, folders: NamedPaths): Promise<void> {
  for (const [words, folder] of Object.entries(folders)) {
    const isThere = folder && (await stat(folder).catch(() => undefined))?.isDirectory();
    if (!isThere || words === FLOW_FLAG) continue;
    const mark = await realpath(folder);
    for (const [input, path] of Object.entries(inputs)) {
      if (path === undefined || path === STANDARD) continue;
      const takesAny = basename(path).startsWith('*');
      const places = new Set([path, ...(takesAny ? await imagesOf(path) : []).map(image => dirname(image))]);
      const marks = await Promise.all([...places].map(place => realpath(place).catch(() => undefined)));
      if (!marks.includes(mark)) continue;
      throw new OptionError(optionName(words), `${words} ${folder} is the folder of ${input}: choose another folder`);
    }
  }
}

/** Throws an OptionError if an output is an image in a folder, or of a pattern, that is an input. */
async function requireNoImages(inputs: NamedPaths, outputs: NamedPaths): Promise<void> {
  const existing = new Map<string, readonly [words: string, path: string]>();
  for (const [words, path] of Object.entries(outputs)) {
    for (const mark of path === undefined ? [] : await inputMarks(path)) existing.set(mark, [words, path!]);
  }
  if (existing.size === 0) return; // most runs: no image has to be looked at
  for (const [input, path] of Object.entries(inputs)) {
    const images = path === undefined ? [] : await imagesOf(path);
    for (const mark of (await Promise.all(images.map(inputMarks))).flat()) {
      const [words, output] = existing.get(mark) ?? [];
      if (words === undefined) continue;
      throw new OptionError(optionName(words), `${words} ${output} is a picture of ${input}: choose another file`);
    }
  }
}

/** The images of a folder or a pattern; none of any other input, and none of one that cannot be read. */
async function imagesOf(path: string): Promise<readonly string[]> {
  const found = await stat(path).catch(() => undefined);
  if (path === STANDARD || (found && !found.isDirectory())) return [];
  const kind = await kindOfInput(path).catch(() => undefined);
  return kind?.kind === 'images' ? kind.list.paths : [];
}

/** `takesStream`: the command line has an `-o`, which may name standard output. */
function requireFileName(words: string, path: string | undefined, takesStream: boolean): void {
  if (path === '') throw new OptionError(optionName(words), `${words} is empty: the name of a file is needed`);
  if (path === STANDARD && words !== STREAM_FLAG) {
    const hint = takesStream ? ', only -o writes to standard output' : '';
    throw new OptionError(
      optionName(words),
      `${words} - is not possible${hint}: use a file (./- for one that is called -)`,
    );
  }
}

function optionName(words: string): string {
  return words === STREAM_FLAG ? 'output' : words.replace(/^--/, '');
}

/** The marks of a file: two paths of the same file have a mark in common. */
async function outputMarks(path: string): Promise<string[]> {
  if (path === STANDARD || STANDARD_OUTPUT.test(resolve(path))) return [STANDARD];
  const found = await stat(path, { bigint: true }).catch(() => undefined);
  if (found && !found.isFile()) return []; // devices and pipes take anything
  const link = await lstat(path).catch(() => undefined);
  const target = link?.isSymbolicLink() ? resolve(dirname(path), await readlink(path)) : undefined;
  return [await nameMark(path), ...(target === undefined ? [] : [await nameMark(target)]), ...fileMark(found)];
}

async function inputMarks(path: string): Promise<string[]> {
  return fileMark(await stat(path, { bigint: true }).catch(() => undefined));
}

/** The name, with the folder spelled out. */
async function nameMark(path: string): Promise<string> {
  const folder = await realpath(dirname(path)).catch(() => resolve(dirname(path)));
  return join(folder, basename(path));
}

/** The number of an existing file, which its other names share. */
function fileMark(found: BigIntStats | undefined): string[] {
  return found?.isFile() ? [`${found.dev}:${found.ino}`] : [];
}

function openFileOf(descriptor: number): BigIntStats | undefined {
  try {
    return fstatSync(descriptor, { bigint: true });
  } catch {
    return undefined; // it is closed
  }
}
