// Buckets of an S3 service: chunks in them, inputs from them, outputs to them.

import { createReadStream } from 'node:fs';
import { mkdir, open, rename, stat } from 'node:fs/promises';
import { STATUS_CODES } from 'node:http';
import { join } from 'node:path';
import { pipeline as pipedTo, Readable, Transform } from 'node:stream';
import { setTimeout } from 'node:timers/promises';
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { StoredChunk } from '../../chunks/chunk-format.js';
import { counted } from '../../counted.js';
import { InputError, OutputError } from '../../errors.js';
import { systemReason } from '../../media/system-error.js';
import { requireOptional } from '../load-optional.js';
import type { ObjectStore } from './object-store.js';
import { type Place, placeIn } from './place-url.js';

/** A place in a bucket. */
export type S3Place = Extract<Place, { scheme: 's3' }>;

type Sdk = typeof import('@aws-sdk/client-s3');

/** One PUT takes no more; ISO 11172 videos of many hours are smaller. */
const MAX_PUT_BYTES = 5 * 2 ** 30;
/** The pauses between three tries, in each of which the SDK asks three times; the second is four times the first. */
const FIRST_PAUSE_MS = 250;
const LAST_PAUSE_MS = 1000;

/** Statuses that do not say whether a bucket is there: the keys may not ask, or the service cannot be asked. */
const SAYS_NOTHING = [403, 405, 501];
const NOT_FOUND = 404;
const REQUEST_TIMEOUT = 408;
const TOO_MANY_REQUESTS = 429;

/** The SDK would write its warnings to the worker's standard error. */
const silent = (): void => {};
const SILENCE = { debug: silent, info: silent, warn: silent, error: silent };

/**
 * The S3 service of this machine. Region, keys and address come from the environment, as all programs of AWS take
 * them: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3.
 */
export class S3Service {
  readonly #onTransfer: () => void;
  #opened: Promise<{ readonly sdk: Sdk; readonly client: S3Client }> | undefined;

  /** `onTransfer` is called with each request, and again and again while a file comes or goes. */
  constructor(onTransfer: () => void) {
    this.#onTransfer = onTransfer;
  }

  /** The store of what lies below a place. */
  store(folder: S3Place): ObjectStore {
    const at = (name: string): S3Place => {
      if (name.split('/').includes('..')) throw new InputError(`'${name}' leads out of the store`);
      return { ...folder, key: placeIn(folder.key, name) };
    };
    return {
      open: async name => this.object(at(name)),
      put: async (name, bytes) => this.#put(at(name), bytes.length, () => bytes),
      putFile: async (name, path) => this.upload(at(name), path),
    };
  }

  /** What lies at a place, to be read in parts; undefined if there is nothing. */
  async object(place: S3Place): Promise<StoredChunk | undefined> {
    const at = { Bucket: place.bucket, Key: place.key };
    const head = await this.#ask(place, 'looked up', ({ HeadObjectCommand }, client) =>
      client.send(new HeadObjectCommand(at)).catch(unlessMissing),
    );
    if (!head) return undefined;
    const read = (start: number, end: number) =>
      this.#ask(place, 'read', async ({ GetObjectCommand }, client) => {
        if (start === end) return new Uint8Array(0);
        const { Body } = await client.send(new GetObjectCommand({ ...at, Range: `bytes=${start}-${end - 1}` }));
        const bytes = await Body!.transformToByteArray();
        if (bytes.length === end - start) return bytes;
        throw new Error(`the service gave ${counted(bytes.length, 'byte')} where ${end - start} were asked for`);
      });
    return { name: nameOf(place), byteLength: head.ContentLength ?? 0, read };
  }

  /** Throws an InputError if the service says that the bucket of an output is not there. */
  async requireBucket(place: S3Place): Promise<void> {
    const found = await this.#ask(place, 'looked up', ({ HeadBucketCommand }, client) =>
      client.send(new HeadBucketCommand({ Bucket: place.bucket })).catch(error => {
        if (!SAYS_NOTHING.includes(statusOf(error))) return unlessMissing(error);
        return 'perhaps';
      }),
    );
    if (!found) throw new InputError(`${nameOf(place)} cannot be written: there is no bucket ${place.bucket}`);
  }

  /** Fetches an object into a folder, once. Returns its path. */
  async fetch(place: S3Place, folder: string, name: string): Promise<string> {
    const path = join(folder, name);
    if (await stat(path).catch(() => undefined)) return path;
    await mkdir(folder, { recursive: true });
    const part = `${path}.part`;
    await this.#ask(place, 'read', async ({ GetObjectCommand }, client) => {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: place.bucket, Key: place.key }));
      const file = await onThisMachine(part, open(part, 'w'));
      try {
        for await (const bytes of Body as Readable) {
          this.#onTransfer();
          await onThisMachine(part, file.writeFile(bytes));
        }
      } finally {
        await file.close();
      }
    });
    await rename(part, path);
    return path;
  }

  /** Writes a file of this machine to a place. */
  async upload(place: S3Place, path: string): Promise<void> {
    const { size } = await stat(path);
    if (size > MAX_PUT_BYTES) throw new OutputError(`${nameOf(place)} would have more than 5 GiB: write it to file:`);
    await this.#put(place, size, () => pipedTo(createReadStream(path), this.#watch(), () => {}));
  }

  close(): void {
    void this.#opened?.then(({ client }) => client.destroy());
  }

  /** Passes bytes on, and calls `onTransfer` for each part. */
  #watch(): Transform {
    return new Transform({
      transform: (bytes, _, done) => {
        this.#onTransfer();
        done(null, bytes);
      },
    });
  }

  /** `body` gives the same bytes anew for each try. */
  #put({ bucket, key }: S3Place, bytes: number, body: () => Uint8Array | Readable): Promise<void> {
    return this.#ask({ scheme: 's3', bucket, key }, 'written', async ({ PutObjectCommand }, client) => {
      const Body = body();
      try {
        await client.send(new PutObjectCommand({ Bucket: bucket, Key: key, Body, ContentLength: bytes }));
      } finally {
        if (Body instanceof Readable) Body.destroy();
      }
    });
  }

  /**
   * Asks the service, and again after a pause where a fault may pass, such as a body that broke. In the end throws an
   * InputError where the service refuses the request, and another error else; what cannot be written is an OutputError.
   */
  async #ask<Answer>(
    place: S3Place,
    purpose: 'looked up' | 'read' | 'written',
    request: (sdk: Sdk, client: S3Client) => Promise<Answer>,
  ): Promise<Answer> {
    const { sdk, client } = await this.#open();
    for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs *= 4) {
      this.#onTransfer();
      try {
        return await request(sdk, client);
      } catch (error) {
        if (error instanceof OutputError) throw error; // of this machine
        const isRefused = isRefusal(error);
        if (isRefused || pauseMs > LAST_PAUSE_MS) {
          const message = `${nameOf(place)} cannot be ${purpose}: ${reasonOf(error)}`;
          if (purpose === 'written') throw new OutputError(message, { cause: error });
          throw isRefused ? new InputError(message, { cause: error }) : new Error(message, { cause: error });
        }
      }
      await setTimeout(pauseMs);
    }
  }

  #open(): Promise<{ readonly sdk: Sdk; readonly client: S3Client }> {
    this.#opened ??= (async () => {
      const sdk = await requireOptional<Sdk>('@aws-sdk/client-s3', 's3: URLs', '@aws-sdk/client-s3');
      // Services beside AWS have their buckets in the path, and not all know the newer checksums.
      const isOwn = process.env.AWS_ENDPOINT_URL_S3 !== undefined || process.env.AWS_ENDPOINT_URL !== undefined;
      const client = new sdk.S3Client({
        ...(isOwn && { forcePathStyle: true }),
        logger: SILENCE,
        requestChecksumCalculation: 'WHEN_REQUIRED',
        responseChecksumValidation: 'WHEN_REQUIRED',
      });
      return { sdk, client };
    })();
    return this.#opened;
  }
}

function nameOf({ bucket, key }: S3Place): string {
  return `s3://${bucket}/${key}`;
}

/** The result of a call for a file of this machine: its error is none of the service. */
function onThisMachine<Result>(path: string, call: Promise<Result>): Promise<Result> {
  return call.catch(error => {
    throw new OutputError(`${path} cannot be written: ${systemReason(error)}`, { cause: error });
  });
}

/** The status of an answer; 0 if there was none. */
function statusOf(error: unknown): number {
  return (error as Partial<S3ServiceException>).$metadata?.httpStatusCode ?? 0;
}

/** Whether the service says that the request is at fault, so that asking again is of no use. */
function isRefusal(error: unknown): boolean {
  const status = statusOf(error);
  return status >= 300 && status < 500 && status !== REQUEST_TIMEOUT && status !== TOO_MANY_REQUESTS;
}

/** Undefined for what is not there. Throws any other error. */
function unlessMissing(error: unknown): undefined {
  if (statusOf(error) !== NOT_FOUND) throw error;
}

/** What the service says; errors often have no message but a name, and none where the answer has no XML. */
function reasonOf(error: unknown): string {
  const { name, message, code, $response } = error as S3ServiceException & { readonly code?: string };
  const status = statusOf(error);
  if (status === 0 || !/^Unknown(Error)?$|Deserialization error/.test(message || name)) return message || code || name;
  const region: string | undefined = $response?.headers['x-amz-bucket-region'];
  return `${status} ${STATUS_CODES[status]}${region ? `: the bucket is in region ${region}` : ''}`;
}
