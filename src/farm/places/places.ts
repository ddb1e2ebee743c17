// What a machine of a farm may read and write, and where that lies there.
import { mkdir, readlink, realpath, rm } from 'node:fs/promises';
import { dirname, extname, join, resolve, sep } from 'node:path';
import { hashOfText } from '../../chunks/content-hash.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { InputError, OptionError } from '../../errors.js';
import { OutputPlace } from '../../media/output/output-place.js';
import { FolderStore, type ObjectStore } from './object-store.js';
import { nameOfPlace, type Place, parsePlace } from './place-url.js';
import { S3Service } from './s3-store.js';

/** What a machine allows the jobs of a farm to read and write; nothing else is touched for them. */
export interface FarmRoots {
  /** The folder that `file:` URLs are relative to; undefined: none are allowed. */
  readonly file?: string | undefined;
  /** Buckets that `s3:` URLs may name, each as `bucket` or `bucket/prefix`, `s3://` before it or not; default none. */
  readonly s3?: readonly string[] | undefined;
}

/** For a folder of the worker's user alone. */
const PRIVATE_MODE = 0o700;

/** The places that a machine allows. To be closed. */
export class Places {
  readonly #roots: FarmRoots;
  readonly #scratch: string;
  readonly #onTransfer: () => void;
  /** The inputs that were fetched. */
  readonly #fetched = new Set<string>();
  #s3: S3Service | undefined;

  /**
   * `scratch` is a folder for what only this machine needs. `onTransfer` is called again and again while a file comes
   * from a bucket or goes there.
   */
  constructor(roots: FarmRoots, scratch: string, onTransfer: () => void = () => {}) {
    this.#roots = roots;
    this.#scratch = scratch;
    this.#onTransfer = onTransfer;
  }

  /** The store in a folder. Throws an InputError for a place that is not allowed. */
  async store(url: string): Promise<ObjectStore> {
    const place = this.#allowed(url);
    return place.scheme === 'file' ? new FolderStore(await this.#pathOf(place, url)) : this.#service().store(place);
  }

  /**
   * The path of an input on this machine. What lies in a bucket is one file, and is fetched once. Throws an InputError
   * for a place that is not allowed.
   */
  async inputPath(url: string): Promise<string> {
    const place = this.#allowed(url);
    if (place.scheme === 'file') return this.#pathOf(place, url);
    this.#fetched.add(url);
    return this.#service().fetch(place, await this.#folderOf(url), nameOfPlace(url));
  }

  /** Removes the inputs that were fetched, but for one. */
  async dropInputs(kept?: string): Promise<void> {
    for (const url of this.#fetched) {
      if (url === kept) continue;
      await rm(await this.#folderOf(url), { recursive: true, force: true });
      this.#fetched.delete(url);
    }
  }

  /**
   * Throws an OptionError if an output is there and may not be replaced, and for a file that cannot be written; an
   * InputError for a bucket that is not there.
   */
  async requireWritable(url: string, overwrite: boolean): Promise<void> {
    const place = this.#allowed(url);
    if (place.scheme === 'file') {
      const prepared = await OutputPlace.prepare(await this.#pathOf(place, url), { overwrite });
      prepared.remove();
      return;
    }
    await this.#service().requireBucket(place);
    if (overwrite || !(await this.#service().object(place))) return;
    throw new OptionError('overwrite', named => `output ${url} exists already: use ${named('overwrite')}`);
  }

  /** Throws an OptionError for an output that is one of the inputs by another path. `inputs` has words for each. */
  async requireDifferent(output: string, inputs: Readonly<Record<string, string | undefined>>): Promise<void> {
    const outputs = await this.#filePaths({ output });
    await requireDifferentFiles({ inputs: await this.#filePaths(inputs), outputs, json: false });
  }

  /** Has `write` make the output at a path of this machine, and puts it in its place. */
  async writeOutput(url: string, write: (path: string) => Promise<void>): Promise<void> {
    const place = this.#allowed(url);
    if (place.scheme === 'file') return write(await this.#pathOf(place, url));
    const path = await this.scratchPath(`output${extname(nameOfPlace(url))}`); // names in buckets may be longer
    try {
      await write(path);
      await this.#service().upload(place, path);
    } finally {
      await rm(path, { force: true });
    }
  }

  /** A path for a file that only this machine needs. */
  async scratchPath(name: string): Promise<string> {
    await mkdir(this.#scratch, { recursive: true, mode: PRIVATE_MODE });
    return join(this.#scratch, name);
  }

  /** Removes what only this machine needed. */
  async close(): Promise<void> {
    this.#s3?.close();
    await rm(this.#scratch, { recursive: true, force: true });
  }

  /** Where an input is kept that was fetched. */
  #folderOf(url: string): Promise<string> {
    return this.scratchPath(hashOfText(url));
  }

  #allowed(url: string): Place {
    const place = parsePlace(url);
    const { file, s3 = [] } = this.#roots;
    if (place.scheme === 'file') {
      if (file !== undefined) return place;
      throw new InputError(`${url} needs a root for file: URLs, and this machine names none`);
    }
    const path = `${place.bucket}/${place.key}`;
    const allowed = s3.map(prefix => prefix.replace(/^s3:\/\/|\/+$/g, ''));
    if (allowed.some(prefix => path === prefix || path.startsWith(`${prefix}/`))) return place;
    throw new InputError(`${url} is in no bucket that this machine allows; allowed: ${s3.join(', ') || 'none'}`);
  }

  /** The paths of those places that lie below the root. */
  async #filePaths(urls: Readonly<Record<string, string | undefined>>): Promise<Record<string, string>> {
    const paths: Record<string, string> = {};
    for (const [words, url] of Object.entries(urls)) {
      const place = url === undefined ? undefined : this.#allowed(url);
      if (place?.scheme === 'file') paths[words] = await this.#pathOf(place, url!);
    }
    return paths;
  }

  /** The path of a place below the root. A link that leads out of the root is refused. */
  async #pathOf({ path }: Extract<Place, { scheme: 'file' }>, url: string): Promise<string> {
    const root = await realpath(this.#roots.file!).catch(() => {
      throw new InputError(`the root ${this.#roots.file} of this machine is not there`);
    });
    const full = join(root, path);
    const real = await realOfExisting(full);
    if (real === root || real.startsWith(root.endsWith(sep) ? root : `${root}${sep}`)) return full;
    throw new InputError(`${url} leads out of the root of this machine`);
  }

  #service(): S3Service {
    this.#s3 ??= new S3Service(this.#onTransfer);
    return this.#s3;
  }
}

/** The real path of the nearest part of a path that exists. A link to what is not there leads there all the same. */
async function realOfExisting(path: string): Promise<string> {
  try {
    return await realpath(path);
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'; // and so no link in a circle
    const target = isMissing ? await readlink(path).catch(() => undefined) : undefined;
    return realOfExisting(target === undefined ? dirname(path) : resolve(await realpath(dirname(path)), target));
  }
}
