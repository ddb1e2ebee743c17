// Where inputs, outputs and chunks lie: URLs that mean the same on every machine of a farm.
import { posix } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { InputError } from '../../errors.js';

/** A place that all machines of a farm reach. */
export type Place =
  /** Below the root of the machine; `path` has `/` between its parts, and no `..`. */
  | { readonly scheme: 'file'; readonly path: string }
  /** In a bucket of an S3 service; `key` has no `..` between its `/`, which some services take for a folder. */
  | { readonly scheme: 's3'; readonly bucket: string; readonly key: string };

const LEGAL = 'legal: file:PATH, below the root that each machine names, and s3://BUCKET/KEY';

/** The place that a URL means. Throws an InputError for one that means none, or that leaves the root. */
export function parsePlace(url: string): Place {
  const file = /^file:(?!\/)([^\0\\]+)$/.exec(url)?.[1];
  if (file !== undefined && !file.split('/').includes('..')) return { scheme: 'file', path: posix.normalize(file) };
  const s3 = /^s3:\/\/([a-z0-9][a-z0-9.-]{1,61}[a-z0-9])\/([^\0]+)$/.exec(url);
  if (s3 && !s3[2]!.split('/').includes('..')) return { scheme: 's3', bucket: s3[1]!, key: s3[2]! };
  throw new InputError(`'${url}' is no place of a farm; ${LEGAL}`);
}

/** Whether two URLs mean the same place, however they are spelled. Throws the errors of `parsePlace`. */
export function isSamePlace(one: string, other: string): boolean {
  return isDeepStrictEqual(parsePlace(one), parsePlace(other));
}

/** The URL of what is called `name` in the folder `url`. */
export function placeIn(url: string, name: string): string {
  return `${url.replace(/\/+$/, '')}/${name}`;
}

/** The last part of a place: the name of its file. */
export function nameOfPlace(url: string): string {
  const place = parsePlace(url);
  return posix.basename(place.scheme === 'file' ? place.path : place.key);
}
