// A file of which parts are read.
import { type FileHandle, open } from 'node:fs/promises';
import { InputError } from '../errors.js';
import { readFailure } from './input-file.js';

/** A file whose parts can be read, open only while one is read: what `assembleChunks` takes for a chunk. */
export interface StoredFile {
  /** Its path. */
  readonly name: string;
  readonly byteLength: number;
  /** The bytes from `start` up to `end`; fewer if the file has become shorter. Rejects with an InputError. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** The file at a path. Rejects with an InputError if there is none, or if it is no file. */
export async function storedFile(path: string): Promise<StoredFile> {
  const byteLength = await withFile(path, async file => {
    const found = await file.stat();
    if (!found.isFile()) throw new InputError(`${path} is not a file`);
    return found.size;
  });
  const read = (start: number, end: number) =>
    withFile(path, async file => {
      const bytes = new Uint8Array(end - start);
      let filled = 0;
      while (filled < bytes.length) {
        const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, start + filled);
        if (bytesRead === 0) break;
        filled += bytesRead;
      }
      return bytes.subarray(0, filled);
    });
  return { name: path, byteLength, read };
}

async function withFile<Result>(path: string, use: (file: FileHandle) => Promise<Result>): Promise<Result> {
  let file: FileHandle | undefined;
  try {
    file = await open(path, 'r');
    return await use(file);
  } catch (error) {
    throw error instanceof InputError ? error : readFailure(path, error);
  } finally {
    await file?.close();
  }
}
