// The place of an output: where it is written until it is complete, and how it gets its own name.

import { closeSync, openSync, rmSync } from 'node:fs';
import { lstat, stat } from 'node:fs/promises';
import { dirname, resolve, sep } from 'node:path';
import { InternalError, OptionError } from '../../errors.js';
import { requireOptions } from '../../given-options.js';
import type { AbortSignalType } from '../../platform-types.js';
import { requireFileName } from '../containers/container.js';
import { systemReason } from '../system-error.js';
import { hiddenPath, partialPath } from './hidden-name.js';
import { removeLeftovers } from './leftovers.js';

/** How to open an output. */
export interface OutputOptions {
  /** Replace an existing file. By default an existing file is an error. */
  readonly overwrite?: boolean | undefined;
  /** An abort removes what has been written, at once. What follows throws the signal's reason. */
  readonly signal?: AbortSignalType | undefined;
  /** If given, hidden files that a killed run left of the same output are removed, and a line says so. */
  readonly onLeftover?: ((message: string) => void) | undefined;
  /** Called with what the user should know although the output can be written. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** The names of the options of an output. */
export const OUTPUT_OPTIONS = ['overwrite', 'signal', 'onLeftover', 'onWarning'] satisfies (keyof OutputOptions)[];

/** Where an output is written until it is complete; also for outputs that another program writes. */
export class OutputPlace {
  #isRemoved = false;
  #hasAppeared = false;
  readonly #scratches: string[] = [];

  private constructor(
    /** The name under which it will appear. */
    readonly path: string,
    /** The name to write to: hidden, in the folder of `path`, with the same ending. */
    readonly writePath: string,
    /** `path` is a device or pipe: it is written directly, never moved or removed. */
    readonly direct: boolean,
    readonly options: OutputOptions,
  ) {}

  /**
   * Checks that `path` may be written and makes an empty hidden file. Throws an OptionError: `output` if its folder
   * does not exist, it is a folder or it cannot be written; `overwrite` if it exists and may not be replaced.
   */
  static async prepare(path: string, options: OutputOptions = {}): Promise<OutputPlace> {
    requireOptions(options, OUTPUT_OPTIONS, 'OutputOptions', ['overwrite']);
    requireFileName(path);
    const direct = await checkTarget(path, options.overwrite ?? false);
    options.signal?.throwIfAborted();
    if (direct) return new OutputPlace(path, path, true, options);
    if (options.onLeftover) await removeLeftovers(path, options.onLeftover);
    options.signal?.throwIfAborted();
    const place = new OutputPlace(path, hiddenPath(path), false, options);
    place.#make(place.writePath);
    options.signal?.addEventListener('abort', place.#onAbort);
    return place;
  }

  /** The name that the output keeps if it is not completed: `<path>.partial`. */
  get partialPath(): string {
    return this.direct ? this.path : partialPath(this.path);
  }

  /** Makes another hidden file, which helps to make this one and goes with it. Returns its name. */
  addScratch(ending: string): string {
    const path = `${this.writePath}${ending}`;
    this.#scratches.push(path);
    try {
      this.#make(path);
    } catch (error) {
      this.remove();
      throw error;
    }
    return path;
  }

  /** Throws if the output may not appear, since it was removed or has appeared. */
  requirePending(): void {
    this.options.signal?.throwIfAborted();
    if (this.#isRemoved || this.#hasAppeared) throw new InternalError(`${this.path} has ended already`);
  }

  /** To be called when the output has its own name, or `partialPath`. */
  markAppeared(): void {
    this.#hasAppeared = true;
    this.#forget();
  }

  /** Removes what has been written. Does nothing when called again, or once the output has appeared. */
  remove(): void {
    if (this.#hasAppeared) return;
    this.#isRemoved = true;
    this.#forget();
    if (!this.direct) removeIfPossible(this.writePath);
  }

  /** A text without hidden names: those of this output become `path`. */
  withoutHiddenNames(text: string): string {
    if (this.direct) return text;
    const hidden = [...this.#scratches, this.writePath];
    // All at once, since one name may be a part of another: `/tmp/x` is a part of `../../tmp/x`.
    const forms = hidden.flatMap(name => [`file:${resolve(name)}`, resolve(name), name]);
    const pattern = forms.map(form => form.replace(/[.*+?^${}()|[\]\\]/g, '\\$&')).join('|');
    return text.replace(new RegExp(pattern, 'g'), () => this.path);
  }

  readonly #onAbort = (): void => this.remove();

  #forget(): void {
    this.options.signal?.removeEventListener('abort', this.#onAbort);
    this.#scratches.forEach(removeIfPossible);
  }

  /** Makes an empty file. Synchronous, so that no abort comes after the file is made and before it can be removed. */
  #make(path: string): void {
    try {
      closeSync(openSync(path, 'wx'));
    } catch (error) {
      throw unwritable(this.path, error);
    }
  }
}

/** Removes a hidden file. One that cannot be removed stays until the next run with the same output. */
function removeIfPossible(path: string): void {
  try {
    rmSync(path, { force: true });
  } catch {
    // The folder may have become read-only, for example. The error that led here says more.
  }
}

/** The OptionError for an output that cannot be written from the start. */
export function unwritable(path: string, error: unknown): OptionError {
  return new OptionError('output', `output ${path} cannot be written: ${systemReason(error)}`, { cause: error });
}

/** Returns whether `path` is a device or pipe. Throws an OptionError if it may not be written. */
async function checkTarget(path: string, overwrite: boolean): Promise<boolean> {
  if (path === '') throw new OptionError('output', 'the name of an output is empty: a file name is needed');
  const folder = dirname(path);
  const inFolder = await stat(folder).catch(() => undefined);
  if (!inFolder?.isDirectory())
    throw new OptionError('output', `output folder does not exist: ${folder} (for ${path}; make it first)`);
  const target = await stat(path).catch(() => undefined);
  if (target?.isDirectory()) throw new OptionError('output', `output ${path} is a folder: a file name is needed`);
  if (path.endsWith('/') || path.endsWith(sep)) {
    throw new OptionError('output', `output ${path} ends like the name of a folder: a file name is needed`);
  }
  if (target?.isBlockDevice()) throw new OptionError('output', `output ${path} is a block device: use a file`);
  const isDescriptor = /^\/(dev\/(stdout|stderr|fd\/\d+)|proc\/[^/]+\/fd\/\d+)$/.test(resolve(path));
  if (target && (!target.isFile() || isDescriptor)) return true;
  // The link itself, if it is one: it will be replaced, not the file that it leads to.
  const existing = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT') throw unwritable(path, error);
  });
  if (existing && !overwrite) {
    throw new OptionError(
      'overwrite',
      named => `output ${path} exists already: choose another name, or use ${named('overwrite')}`,
    );
  }
  return false;
}
