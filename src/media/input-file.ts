// Opens and reads input files and pipes; what cannot be read is an InputError that names it.
import { constants, open as openDescriptor, type Stats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { promisify } from 'node:util';
import { InputError } from '../errors.js';
import type { AbortSignalType } from '../platform-types.js';
import { FileChunks } from './file-chunks.js';

/** An input that is open. */
export interface OpenInput<Stream = Readable> {
  readonly stream: Stream;
  /** Its length; undefined for a pipe. */
  readonly fileBytes: number | undefined;
}

/** Bytes in chunks. A chunk may lose its bytes when the next one is asked for. */
export interface ByteChunks extends AsyncIterable<Uint8Array> {
  /** Releases the resources; a read that waits for it ends. */
  destroy(reason?: Error): void;
}

/** Bytes that are asked of the file system at a time. */
const READ_BYTES = 1 << 20;

/** O_NONBLOCK: the opening of a pipe does not wait for its writer, which would hold a thread of Node's file system. */
const READ_FLAGS = constants.O_RDONLY | (constants.O_NONBLOCK ?? 0);

/** What the codes of system errors mean for a reader. */
const REASONS: Readonly<Record<string, string>> = {
  EACCES: 'permission denied',
  EIO: 'its storage reports a fault',
  EISDIR: 'it is a folder, not a file',
  ELOOP: 'its symbolic links lead in a circle',
  EMFILE: 'this process has too many files open',
  ENAMETOOLONG: 'its name is too long',
  ENFILE: 'this machine has too many files open',
  ENOENT: 'there is no such file or folder',
  ENOTDIR: 'a part of its path is a file, not a folder',
  EPERM: 'permission denied',
};

/** The error for an input called `name` that the system could not read because of `error`. */
export function readFailure(name: string, error: unknown): InputError {
  const { code = '', message } = error as NodeJS.ErrnoException;
  const reason = Object.hasOwn(REASONS, code) ? `${REASONS[code]} (${code})` : message;
  return new InputError(`${name} cannot be read: ${reason}`, { cause: error });
}

/** Opens a file or a pipe. Throws an InputError, also for a device, a socket and a folder. */
export function openStream(path: string): Promise<OpenInput> {
  return opened(path, file => file.createReadStream({ highWaterMark: READ_BYTES }));
}

/** The same for callers that keep no chunk, as {@link ByteChunks} asks; a file is read from byte `start` on. */
export function openChunks(path: string, start: number): Promise<OpenInput<ByteChunks>> {
  return opened(path, file => new FileChunks(file, start, READ_BYTES));
}

async function opened<Stream>(path: string, read: (file: FileHandle) => Stream): Promise<OpenInput<Stream | Socket>> {
  try {
    const found = await statInput(path);
    if (found.isFIFO()) {
      const fd = await promisify(openDescriptor)(path, READ_FLAGS);
      return { stream: new Socket({ fd, readable: true, writable: false }), fileBytes: undefined };
    }
    return { stream: read(await open(path, READ_FLAGS)), fileBytes: found.size };
  } catch (error) {
    throw error instanceof InputError ? error : readFailure(path, error);
  }
}

/** What is read of an input while it is opened; an abort releases the input, and its reason is thrown. */
export async function endedByAbort<Read>(
  reading: Promise<Read>,
  input: Pick<ByteChunks, 'destroy'>,
  signal: AbortSignalType | undefined,
): Promise<Read> {
  const stop = (): void => input.destroy();
  signal?.addEventListener('abort', stop);
  if (signal?.aborted) stop();
  try {
    return await reading;
  } catch (error) {
    signal?.throwIfAborted();
    throw error;
  } finally {
    signal?.removeEventListener('abort', stop);
  }
}

/** The bytes of a whole file or pipe. Throws an InputError, also if there are more than `maxBytes`. */
export async function readInput(path: string, maxBytes: number): Promise<Uint8Array> {
  const { stream: source, fileBytes = 0 } = await opened(path, file => file);
  let bytes: Uint8Array | undefined;
  try {
    if (source instanceof Socket) bytes = await readPipe(source, maxBytes);
    else if (fileBytes <= maxBytes) bytes = await readFile(source, fileBytes, maxBytes);
  } catch (error) {
    throw readFailure(path, error);
  } finally {
    if (source instanceof Socket) source.destroy();
    else void source.close().catch(() => {}); // nothing was written
  }
  if (!bytes) throw new InputError(`${path} has more than ${maxBytes} bytes, the most that are read`);
  return bytes;
}

/** Undefined if there are more than `maxBytes`. */
async function readPipe(pipe: Socket, maxBytes: number): Promise<Uint8Array | undefined> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  for await (const chunk of pipe as AsyncIterable<Uint8Array>) {
    chunks.push(chunk);
    bytes += chunk.length;
    if (bytes > maxBytes) return undefined;
  }
  return Buffer.concat(chunks);
}

/**
 * The bytes of an open file, by one read if its length is right; files of the kernel say that theirs is 0. Undefined if
 * there are more than `maxBytes`.
 */
async function readFile(file: FileHandle, fileBytes: number, maxBytes: number): Promise<Uint8Array | undefined> {
  let bytes = Buffer.allocUnsafeSlow(fileBytes || READ_BYTES);
  for (let filled = 0; ; ) {
    const { bytesRead } = await file.read(bytes, filled, bytes.length - filled, null);
    filled += bytesRead;
    if (filled > maxBytes) return undefined;
    if (bytesRead === 0 || filled === fileBytes) return bytes.subarray(0, filled);
    if (filled === bytes.length) bytes = Buffer.concat([bytes], 2 * filled);
  }
}

/** What a file or pipe is. A device could have no end, and opening it could have effects: it is never opened. */
async function statInput(path: string): Promise<Stats> {
  const found = await stat(path);
  if (found.isFile() || found.isFIFO()) return found;
  const kind = found.isDirectory() ? 'folder' : found.isSocket() ? 'socket' : 'device';
  throw new InputError(`${path} is a ${kind}; a file or a pipe is needed`);
}
