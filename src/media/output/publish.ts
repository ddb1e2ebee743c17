// Gives complete outputs their own names: all of them, or none.
import {
  chmodSync,
  copyFileSync,
  existsSync,
  linkSync,
  lstatSync,
  readlinkSync,
  renameSync,
  rmSync,
  symlinkSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { OutputError } from '../../errors.js';
import { systemReason } from '../system-error.js';
import { flushFolder } from './flush.js';
import { hiddenPath } from './hidden-name.js';
import type { OutputPlace } from './output-place.js';

/** Those of mode that say who may do what. */
const PERMISSIONS = 0o777;

/** Under which names outputs appear. */
export interface PublishOptions {
  /** Under `<path>.partial`, replacing older ones. */
  readonly asPartial?: boolean;
}

/** An output that appears alone, not together with others. */
export interface SingleOutput {
  readonly place: OutputPlace;
  /** Writes everything to the disk; the output stays hidden. */
  complete(): Promise<void>;
  /** Removes what has been written. */
  discard(): Promise<void>;
}

/** An output that has got its name. */
interface Move {
  readonly from: string;
  readonly to: string;
  /** What had the name before, under a hidden name; undefined if nothing had it. */
  readonly older: string | undefined;
}

/**
 * Gives complete outputs their names, and returns these. It is synchronous: nothing else in this program runs in
 * between. If an output cannot get its name, those before it lose theirs, and files that they replaced are put back.
 * The outputs are then kept as parts, or removed if that fails, too, and an OutputError says which output it was. What
 * devices and pipes have received stays there. At the end, the folders are flushed.
 */
export function publish(places: readonly OutputPlace[], { asPartial = false }: PublishOptions = {}): string[] {
  const pending = places.filter(place => !place.direct);
  for (const place of pending) place.requirePending();
  let moves: Move[];
  try {
    moves = moveAll(pending, asPartial);
  } catch (error) {
    if (!asPartial && error instanceof OutputError) throw keptAsParts(pending, error);
    for (const place of pending) place.remove();
    throw error;
  }
  for (const place of places) place.markAppeared();
  for (const { older } of moves) if (older !== undefined) rmSync(older, { force: true });
  for (const folder of new Set(pending.map(place => dirname(place.path)))) flushNames(folder);
  return places.map(place => nameOf(place, asPartial));
}

const nameOf = (place: OutputPlace, asPartial: boolean): string => (asPartial ? place.partialPath : place.path);

/** Moves all outputs to their names, or none. */
function moveAll(pending: readonly OutputPlace[], asPartial: boolean): Move[] {
  const moves: Move[] = [];
  for (const [i, place] of pending.entries()) {
    const replaces = asPartial || place.options.overwrite === true;
    const isLast = i === pending.length - 1;
    const to = nameOf(place, asPartial);
    try {
      moves.push(move(place.writePath, to, { replaces, keepsOlder: !isLast }));
    } catch (error) {
      const notes = moves.reverse().flatMap(takeBack);
      throw new OutputError([`${to} cannot be written: ${systemReason(error)}`, ...notes].join('; '), { cause: error });
    }
  }
  return moves;
}

/** Keeps outputs that cannot have their names, so that no work is lost, and says it beside the reason. */
function keptAsParts(pending: readonly OutputPlace[], reason: OutputError): OutputError {
  try {
    const names = publish(pending, { asPartial: true });
    return new OutputError(`${reason.message}; what was to be there is whole in ${names.join(', ')}`, {
      cause: reason.cause,
    });
  } catch {
    return new OutputError(`${reason.message}; no part of it could be kept`, { cause: reason.cause });
  }
}

/** The outputs have appeared, so nothing is taken back if this fails: their names may not outlive a power failure. */
function flushNames(folder: string): void {
  try {
    flushFolder(folder);
  } catch (error) {
    throw new OutputError(`the folder ${folder} cannot be written to the disk: ${systemReason(error)}`, {
      cause: error,
    });
  }
}

/** Completes one output and gives it its name, which it resolves to. Throws an OutputError if either fails. */
export async function completeAndPublish(output: SingleOutput, options: PublishOptions = {}): Promise<string> {
  try {
    await output.complete();
    return publish([output.place], options)[0]!;
  } catch (error) {
    await output.discard();
    throw error;
  }
}

function move(from: string, to: string, { replaces, keepsOlder }: { replaces: boolean; keepsOlder: boolean }): Move {
  if (!replaces) {
    moveToFreeName(from, to);
    return { from, to, older: undefined };
  }
  const older = keepsOlder && exists(to) ? hiddenPath(to) : undefined;
  try {
    if (older !== undefined) keepAs(to, older);
    takePermissions(from, to);
    renameSync(from, to);
  } catch (error) {
    if (older !== undefined) rmSync(older, { force: true });
    throw error;
  }
  return { from, to, older };
}

/** Fails if the name is taken, perhaps by a file that has appeared during the run. */
function moveToFreeName(from: string, to: string): void {
  try {
    linkSync(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST' || exists(to)) throw error;
    renameSync(from, to); // a file system without links
    return;
  }
  rmSync(from);
}

/** Gives a file the permissions of the one that it replaces, which may be private. */
function takePermissions(from: string, to: string): void {
  const older = lstatSync(to, { throwIfNoEntry: false });
  if (!older?.isFile()) return;
  try {
    chmodSync(from, older.mode & PERMISSIONS);
  } catch {
    // a file system without permissions
  }
}

/** Keeps a file, or a link itself, under a second name; the first one stays. */
function keepAs(path: string, second: string): void {
  if (lstatSync(path).isSymbolicLink()) {
    symlinkSync(readlinkSync(path), second);
    return;
  }
  try {
    linkSync(path, second);
  } catch {
    copyFileSync(path, second); // a file system without links
  }
}

/** Undoes a move. Returns a sentence about what could not be undone. */
function takeBack({ from, to, older }: Move): string[] {
  const olderIs = older === undefined ? '' : `, the older one is ${older}`;
  try {
    renameSync(to, from);
  } catch (error) {
    return [`${to} has the new file, which cannot be taken back (${systemReason(error)})${olderIs}`];
  }
  try {
    if (older !== undefined) renameSync(older, to);
    return [];
  } catch (error) {
    return [`the older ${to} cannot be put back (${systemReason(error)})${olderIs}`];
  }
}

/** Whether a name is taken, also by a link that leads nowhere. */
function exists(path: string): boolean {
  return existsSync(path) || lstatSync(path, { throwIfNoEntry: false }) !== undefined;
}
