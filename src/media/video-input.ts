// A video before it is decoded: its first bytes, and its stream where it is a pipe.
import { Readable } from 'node:stream';
import { InputError } from '../errors.js';
import type { AbortSignalType } from '../platform-types.js';
import { MIN_SIGNATURE_BYTES, readVideoSignature, type VideoSignature } from './frames/video-signature.js';
import { endedByAbort, openStream, readFailure } from './input-file.js';

/** A file or pipe whose first bytes have been read. */
export interface VideoInput {
  readonly path: string;
  readonly signature: VideoSignature;
  /** All bytes of a pipe; undefined for a file. */
  readonly stream?: Readable;
}

/** Reads the first bytes. Throws an InputError for what cannot be read or is empty, and the signal's reason. */
export async function lookInto(path: string, signal?: AbortSignalType): Promise<VideoInput> {
  const { stream: opened, fileBytes } = await openStream(path);
  const { head, stream } = await endedByAbort(peek(path, opened), opened, signal);
  if (head.length === 0) throw new InputError(`${path} is empty: it holds no frames`);
  const signature = readVideoSignature(head, fileBytes);
  if (fileBytes === undefined) return { path, signature, stream };
  stream.destroy();
  return { path, signature };
}

/** The first bytes of a stream, enough for its signature, and a stream that gives all of its bytes. */
async function peek(name: string, stream: Readable): Promise<{ head: Uint8Array; stream: Readable }> {
  let head: Uint8Array = new Uint8Array(0);
  try {
    for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
      head = Buffer.concat([head, chunk]);
      if (head.length < MIN_SIGNATURE_BYTES && !readVideoSignature(head, undefined).isY4m) continue;
      stream.unshift(head);
      return { head, stream };
    }
  } catch (error) {
    throw readFailure(name, error);
  }
  return { head, stream: Readable.from([head]) }; // it has ended
}
