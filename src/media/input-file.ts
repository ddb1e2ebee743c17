// Opens and reads input files; one that cannot be read is an InputError that names it.
import { type FileHandle, open, readFile } from 'node:fs/promises';
import { InputError } from '../errors.js';

/** Opens a file for reading. Throws InputError. */
export function openInput(path: string): Promise<FileHandle> {
  return open(path).catch((error: Error) => refuse(path, error));
}

/** The bytes of a whole file. Throws InputError. */
export function readInput(path: string): Promise<Uint8Array> {
  return readFile(path).catch((error: Error) => refuse(path, error));
}

function refuse(path: string, error: Error): never {
  throw new InputError(`${path} cannot be read: ${error.message}`);
}
