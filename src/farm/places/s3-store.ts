// Buckets of an S3 service: chunks in them, inputs from them, outputs to them.
import { createReadStream, createWriteStream } from 'node:fs';
import { mkdir, rename, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline as pipedTo, type Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { S3Client, S3ServiceException } from '@aws-sdk/client-s3';
import type { StoredChunk } from '../../chunks/chunk-format.js';
import { InputError, OutputError } from '../../errors.js';
import { requireOptional } from '../load-optional.js';
import type { ObjectStore } from './object-store.js';
import { type Place, placeIn } from './place-url.js';

/** A place in a bucket. */
export type S3Place = Extract<Place, { scheme: 's3' }>;

type Sdk = typeof import('@aws-sdk/client-s3');

/** One PUT takes no more; ISO 11172 videos of many hours are smaller. */
const MAX_PUT_BYTES = 5 * 2 ** 30;

/**
 * The S3 service of this machine. Region, keys and address come from the environment, as all programs of AWS take
 * them: AWS_REGION, AWS_ACCESS_KEY_ID, AWS_SECRET_ACCESS_KEY, AWS_ENDPOINT_URL_S3.
 */
export class S3Service {
  readonly #onTransfer: () => void;
  #opened: Promise<{ readonly sdk: Sdk; readonly client: S3Client }> | undefined;

  /** `onTransfer` is called again and again while a file comes or goes. */
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
      put: async (name, bytes) => this.#put(at(name), bytes, bytes.length),
      putFile: async (name, path) => this.upload(at(name), path),
    };
  }

  /** What lies at a place, to be read in parts; undefined if there is nothing. */
  async object(place: S3Place): Promise<StoredChunk | undefined> {
    const { sdk, client } = await this.#open();
    const { bucket: Bucket, key: Key } = place;
    const name = nameOf(place);
    try {
      const { ContentLength = 0 } = await client.send(new sdk.HeadObjectCommand({ Bucket, Key }));
      const read = async (start: number, end: number): Promise<Uint8Array> => {
        if (start === end) return new Uint8Array(0);
        const part = await client
          .send(new sdk.GetObjectCommand({ Bucket, Key, Range: `bytes=${start}-${end - 1}` }))
          .catch(error => {
            throw unreadable(place, error);
          });
        return part.Body!.transformToByteArray();
      };
      return { name, byteLength: ContentLength, read };
    } catch (error) {
      if ((error as S3ServiceException).$metadata?.httpStatusCode === 404) return undefined;
      throw unreadable(place, error);
    }
  }

  /** Fetches an object into a folder, once. Returns its path. */
  async fetch(place: S3Place, folder: string, name: string): Promise<string> {
    const path = join(folder, name);
    if (await stat(path).catch(() => undefined)) return path;
    await mkdir(folder, { recursive: true });
    const { sdk, client } = await this.#open();
    try {
      const { Body } = await client.send(new sdk.GetObjectCommand({ Bucket: place.bucket, Key: place.key }));
      await pipeline(Body as Readable, this.#watch(), createWriteStream(`${path}.part`));
    } catch (error) {
      throw unreadable(place, error);
    }
    await rename(`${path}.part`, path);
    return path;
  }

  /** Writes a file of this machine to a place. */
  async upload(place: S3Place, path: string): Promise<void> {
    const { size } = await stat(path);
    if (size > MAX_PUT_BYTES) throw new OutputError(`${nameOf(place)} would have more than 5 GiB: write it to file:`);
    const body = pipedTo(createReadStream(path), this.#watch(), () => {}); // its errors are those of the transfer
    try {
      await this.#put(place, body, size);
    } finally {
      body.destroy();
    }
  }

  close(): void {
    void this.#opened?.then(({ client }) => client.destroy());
  }

  /** Passes bytes on, and tells of them. */
  #watch(): Transform {
    return new Transform({
      transform: (bytes, _, done) => {
        this.#onTransfer();
        done(null, bytes);
      },
    });
  }

  async #put({ bucket, key }: S3Place, body: Uint8Array | Readable, bytes: number): Promise<void> {
    const { sdk, client } = await this.#open();
    const place = { scheme: 's3', bucket, key } as const;
    await client
      .send(new sdk.PutObjectCommand({ Bucket: bucket, Key: key, Body: body, ContentLength: bytes }))
      .catch(error => {
        throw new OutputError(`${nameOf(place)} cannot be written: ${reasonOf(error)}`, { cause: error });
      });
  }

  #open(): Promise<{ readonly sdk: Sdk; readonly client: S3Client }> {
    this.#opened ??= (async () => {
      const sdk = await requireOptional<Sdk>('@aws-sdk/client-s3', 's3: URLs', '@aws-sdk/client-s3');
      // Services beside AWS have their buckets in the path, and not all know the newer checksums.
      const isOwn = process.env.AWS_ENDPOINT_URL_S3 !== undefined || process.env.AWS_ENDPOINT_URL !== undefined;
      const client = new sdk.S3Client({
        ...(isOwn && { forcePathStyle: true }),
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

function unreadable(place: S3Place, error: unknown): InputError {
  return new InputError(`${nameOf(place)} cannot be read: ${reasonOf(error)}`, { cause: error });
}

/** What the service says; its errors often have no message but a name. */
function reasonOf(error: unknown): string {
  const { name, message, code } = error as Error & { readonly code?: string };
  return message || code || name;
}
