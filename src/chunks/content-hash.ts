// Hashes that tell contents apart: of frames, of plans, of chunks. They find mistakes and damage, not forgeries.
import type { Frame } from '../picture/frame.js';

const TEXT = new TextEncoder();
/** Starts of the two 32-bit halves of a text's hash. */
const SEEDS = [0x6d706567, 0x67707531] as const;

/** 32-bit MurmurHash3 of bytes, 0..2^32 - 1; a change of one 32-bit word always changes it. */
export function hashOfBytes(bytes: Uint8Array, seed = 0): number {
  const words = wordsOf(bytes);
  let hash = seed | 0;
  for (let i = 0; i < words.length; i++) {
    hash ^= scrambled(words[i]!);
    hash = (Math.imul((hash << 13) | (hash >>> 19), 5) + 0xe6546b64) | 0;
  }
  let tail = 0;
  for (let i = bytes.length - 1; i >= 4 * words.length; i--) tail = (tail << 8) | bytes[i]!;
  hash ^= scrambled(tail) ^ bytes.length;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}

/** Hash of a frame's samples, 8 hexadecimal digits. */
export function hashOfFrame({ y, u, v }: Frame): string {
  return hexadecimal([y, u, v].reduce((hash, plane) => hashOfBytes(plane, hash), 0));
}

/** Hash of a text, 16 hexadecimal digits. */
export function hashOfText(text: string): string {
  const bytes = TEXT.encode(text);
  return SEEDS.map(seed => hexadecimal(hashOfBytes(bytes, seed))).join('');
}

/** JSON of plain data with the keys of objects in order: the same for the same data. */
export function canonicalJson(value: unknown): string {
  return JSON.stringify(value, (_, part: unknown) =>
    typeof part === 'object' && part !== null && !Array.isArray(part)
      ? Object.fromEntries(Object.entries(part).sort(([a], [b]) => (a < b ? -1 : 1)))
      : part,
  );
}

function scrambled(word: number): number {
  const mixed = Math.imul(word, 0xcc9e2d51);
  return Math.imul((mixed << 15) | (mixed >>> 17), 0x1b873593);
}

/** The whole 32-bit words of bytes. */
function wordsOf(bytes: Uint8Array): Int32Array {
  const whole = bytes.length >> 2;
  if (bytes.byteOffset % 4 === 0) return new Int32Array(bytes.buffer, bytes.byteOffset, whole);
  return new Int32Array(new Uint8Array(bytes.subarray(0, 4 * whole)).buffer); // a copy: a Buffer's slice would be none
}

function hexadecimal(hash: number): string {
  return hash.toString(16).padStart(8, '0');
}
