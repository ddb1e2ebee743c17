// The bytes of a coded chunk: what it is of, its pictures, their access units.
import type { PictureType } from '../bitstream/picture-type.js';
import { InputError } from '../errors.js';
import { hashOfBytes } from './content-hash.js';

/** A picture of a chunk, in coded order: its frame of the whole input, the bytes of its access unit, its figures. */
export type ChunkPicture = readonly [
  type: PictureType,
  frame: number,
  bytes: number,
  meanScale: number,
  squaredErrorY: number,
  squaredErrorU: number,
  squaredErrorV: number,
];

/** What the bytes of a chunk say of it. */
export interface ChunkHeader {
  /** Identity of its plan. */
  readonly plan: string;
  readonly index: number;
  readonly pictures: readonly ChunkPicture[];
}

/** A chunk where it lies: in a file, in a store, in memory. */
export interface StoredChunk {
  /** For messages. */
  readonly name: string;
  readonly byteLength: number;
  /** The bytes from `start` up to `end`, both within the chunk. */
  read(start: number, end: number): Promise<Uint8Array>;
}

/** A chunk whose header has been read. */
export interface OpenChunk extends ChunkHeader {
  readonly name: string;
  /** The access units in coded order, without sequence_end_code. Rejects with an InputError if they are damaged. */
  accessUnits(): Promise<Uint8Array[]>;
}

/**
 * The start of a chunk:
 *
 *      0        8         12             16            20           24
 *      | magic  | version | header bytes | header hash | units hash | header: JSON | access units
 */
const MAGIC = 'MPEGPUCH';
const VERSION = 1;
const VERSION_AT = 8;
const HEADER_BYTES_AT = 12;
const HEADER_HASH_AT = 16;
const UNITS_HASH_AT = 20;
const START_BYTES = 24;

/** The bytes of a chunk whose pictures have these access units. */
export function writeChunk(header: ChunkHeader, units: readonly Uint8Array[]): Uint8Array {
  const json = new TextEncoder().encode(JSON.stringify(header));
  const unitBytes = units.reduce((bytes, unit) => bytes + unit.length, 0);
  const bytes = new Uint8Array(START_BYTES + json.length + unitBytes);
  bytes.set(json, START_BYTES);
  let at = START_BYTES + json.length;
  for (const unit of units) {
    bytes.set(unit, at);
    at += unit.length;
  }
  for (let i = 0; i < MAGIC.length; i++) bytes[i] = MAGIC.charCodeAt(i);
  const fields = new DataView(bytes.buffer);
  fields.setUint32(VERSION_AT, VERSION);
  fields.setUint32(HEADER_BYTES_AT, json.length);
  fields.setUint32(HEADER_HASH_AT, hashOfBytes(json));
  fields.setUint32(UNITS_HASH_AT, hashOfBytes(bytes.subarray(START_BYTES + json.length)));
  return bytes;
}

/** A chunk in memory. Throws an InputError unless `bytes` is a Uint8Array. */
export function chunkInMemory(bytes: Uint8Array, name: string): StoredChunk {
  if (!ArrayBuffer.isView(bytes)) throw new InputError(`${name} is no Uint8Array`);
  return { name, byteLength: bytes.length, read: async (start, end) => bytes.subarray(start, end) };
}

/** Reads the header of a chunk. Rejects with an InputError that names the chunk if it is none, or damaged. */
export async function openChunk(chunk: StoredChunk): Promise<OpenChunk> {
  const { name, byteLength } = chunk;
  const start = await chunk.read(0, Math.min(START_BYTES, byteLength));
  if (![...MAGIC].every((letter, i) => start[i] === letter.charCodeAt(0))) {
    throw new InputError(`${name} is no chunk: encode-chunk makes one`);
  }
  if (start.length < START_BYTES) throw damaged(name);
  const fields = new DataView(start.buffer, start.byteOffset, START_BYTES);
  const version = fields.getUint32(VERSION_AT);
  if (version !== VERSION) {
    throw new InputError(`${name} is a chunk of version ${version}, and this mpegpu reads version ${VERSION}`);
  }
  const unitsAt = START_BYTES + fields.getUint32(HEADER_BYTES_AT);
  if (unitsAt > byteLength) throw damaged(name);
  const json = await chunk.read(START_BYTES, unitsAt);
  if (json.length < unitsAt - START_BYTES || hashOfBytes(json) !== fields.getUint32(HEADER_HASH_AT))
    throw damaged(name);
  const header = JSON.parse(new TextDecoder().decode(json)) as ChunkHeader;
  const unitBytes = header.pictures.reduce((sum, [, , bytes]) => sum + bytes, 0);
  if (unitsAt + unitBytes !== byteLength) throw damaged(name);
  return {
    ...header,
    name,
    accessUnits: async () => {
      const units = await chunk.read(unitsAt, byteLength);
      if (units.length !== unitBytes || hashOfBytes(units) !== fields.getUint32(UNITS_HASH_AT)) throw damaged(name);
      return split(units, header.pictures);
    },
  };
}

function split(units: Uint8Array, pictures: readonly ChunkPicture[]): Uint8Array[] {
  let at = 0;
  return pictures.map(([, , bytes]) => {
    at += bytes;
    return units.subarray(at - bytes, at);
  });
}

function damaged(name: string): InputError {
  return new InputError(`${name} is damaged or not whole: make the chunk again`);
}
