// What a place for chunks must do, and a folder that does it.
import { createReadStream } from 'node:fs';
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join, relative } from 'node:path';
import type { StoredChunk } from '../../chunks/chunk-format.js';
import { InputError } from '../../errors.js';
import { OutputFile } from '../../media/output/output-file.js';
import { storedFile } from '../../media/stored-file.js';

/** A place for plans, chunks, first passes and sound. What is put there is there whole, or not at all. */
export interface ObjectStore {
  /** What is kept under a name, to be read in parts; undefined if there is nothing. */
  open(name: string): Promise<StoredChunk | undefined>;
  /** Keeps bytes under a name, in place of what may be there. */
  put(name: string, bytes: Uint8Array): Promise<void>;
  /** Keeps the contents of a file of this machine under a name. */
  putFile(name: string, path: string): Promise<void>;
}

/** All bytes that are kept under a name; undefined if there is nothing. */
export async function readWhole(store: ObjectStore, name: string): Promise<Uint8Array | undefined> {
  const stored = await store.open(name);
  return stored?.read(0, stored.byteLength);
}

/** A folder as a store. It is made when the first thing is put there. */
export class FolderStore implements ObjectStore {
  readonly #folder: string;

  constructor(folder: string) {
    this.#folder = folder;
  }

  async open(name: string): Promise<StoredChunk | undefined> {
    const path = this.#pathOf(name);
    const found = await stat(path).catch(() => undefined);
    return found?.isFile() ? storedFile(path) : undefined;
  }

  async put(name: string, bytes: Uint8Array): Promise<void> {
    await this.#write(name, () => [bytes]);
  }

  async putFile(name: string, path: string): Promise<void> {
    await this.#write(name, () => createReadStream(path));
  }

  /** Names come from the queue: none leads out of the folder. */
  #pathOf(name: string): string {
    const path = join(this.#folder, name);
    if (!relative(this.#folder, path).startsWith('..')) return path;
    throw new InputError(`'${name}' leads out of the store`);
  }

  /** `open` is called when the parts are read at once: a stream that fails before has nobody who listens. */
  async #write(name: string, open: () => Iterable<Uint8Array> | AsyncIterable<Uint8Array>): Promise<void> {
    const path = this.#pathOf(name);
    await mkdir(dirname(path), { recursive: true });
    const file = await OutputFile.open(path, { overwrite: true });
    try {
      for await (const bytes of open()) await file.write(bytes);
      await file.finish();
    } finally {
      await file.discard();
    }
  }
}
