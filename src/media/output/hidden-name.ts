// Names of outputs that are not complete: hidden ones while a run writes, and `.partial` after an interruption.
import { randomBytes } from 'node:crypto';
import { basename, dirname, extname, join } from 'node:path';
import { formatRun, RUN_PATTERN, thisRun } from './run-identity.js';

/** The longest name of a file that common file systems take, in bytes. */
const MAX_NAME_BYTES = 255;
const RANDOM_BYTES = 3;
const MARK = '.mpegpu-';
/** The longest ending that is added to a hidden name for a file that only helps to make the output. */
const MAX_SCRATCH_ENDING_BYTES = 5;
/** Room for the run and the random part. */
const MAX_RUN_BYTES = 40;
/** A longer ending is none that any program knows. */
const MAX_ENDING_BYTES = 16;

const HIDDEN_NAME = new RegExp(`^\\.(.*)\\.mpegpu-(${RUN_PATTERN})-[0-9a-f]{${2 * RANDOM_BYTES}}(.*)$`);

/**
 * A fresh hidden name in the folder of `path`, with its ending. It tells the run that writes:
 * `.<name>.mpegpu-<machine>-<process>-<start>-<random><ending>`.
 */
export function hiddenPath(path: string): string {
  const ending = knownEnding(path);
  const tail = `${MARK}${formatRun(thisRun())}-${randomBytes(RANDOM_BYTES).toString('hex')}${ending}`;
  return join(dirname(path), `.${hiddenStem(path)}${tail}`);
}

/** Where an interrupted run keeps what it has done. A long name loses its last letters. */
export function partialPath(path: string): string {
  const ending = '.partial';
  return join(dirname(path), `${firstBytes(basename(path), MAX_NAME_BYTES - ending.length)}${ending}`);
}

/** The parts of a hidden name; undefined for any other name. */
export function parseHiddenName(name: string): { stem: string; run: string; ending: string } | undefined {
  const match = HIDDEN_NAME.exec(name);
  return match ? { stem: match[1]!, run: match[2]!, ending: match[3]! } : undefined;
}

/** Whether a hidden name, in its parts, stands for the output `path`, or for a file that helps to make it. */
export function isHiddenFor(path: string, { stem, ending }: { stem: string; ending: string }): boolean {
  return stem === hiddenStem(path) && ending.startsWith(knownEnding(path));
}

function hiddenStem(path: string): string {
  const ending = knownEnding(path);
  const taken = Buffer.byteLength(`.${MARK}${ending}`) + MAX_RUN_BYTES + MAX_SCRATCH_ENDING_BYTES;
  return firstBytes(basename(path, ending), MAX_NAME_BYTES - taken);
}

function knownEnding(path: string): string {
  const ending = extname(path);
  return Buffer.byteLength(ending) > MAX_ENDING_BYTES ? '' : ending;
}

/** The longest beginning of a text that has at most `maxBytes` bytes; no letter is cut. */
function firstBytes(text: string, maxBytes: number): string {
  let end = text.length;
  while (Buffer.byteLength(text.slice(0, end)) > maxBytes) end--;
  const cutsPair = end > 0 && end < text.length && /[\ud800-\udbff]/.test(text[end - 1]!);
  return text.slice(0, cutsPair ? end - 1 : end);
}
