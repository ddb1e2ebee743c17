// Damages bytes: bits turned over, cut off, inserted, repeated, zeroed, header fields set to extreme values.
import fc from 'fast-check';

/** One damage. Places and lengths are parts of the whole, 0..1, so that they fit any file. */
export interface Mutation {
  readonly how: 'flip' | 'set' | 'cut' | 'remove' | 'insert' | 'repeat' | 'zero' | 'number' | 'digit';
  readonly at: number;
  readonly length: number;
  readonly value: number;
}

/** Most damage is done near the start of a file, where its headers are. */
const place = fc.oneof(
  fc.integer({ min: 0, max: 1000 }).map(n => n / 1000),
  fc.integer({ min: 0, max: 1000 }).map(n => (n / 1000) ** 4),
);

/** Random damage. */
export const mutations: fc.Arbitrary<readonly Mutation[]> = fc.array(
  fc.record<Mutation>({
    how: fc.constantFrom('flip', 'set', 'cut', 'remove', 'insert', 'repeat', 'zero', 'number', 'digit'),
    at: place,
    length: place,
    value: fc.integer({ min: 0, max: 255 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** Values of 32 bits that a header may hold and should not. */
const EXTREMES = [0, 1, 0x7fffffff, 0x80000000, 0xffffffff, 0x10000, 0xffff, 4096, 0x00ffffff, 2800];

/** A damaged copy. */
export function mutate(bytes: Uint8Array, list: readonly Mutation[]): Uint8Array {
  return list.reduce<Buffer>((damaged, mutation) => apply(damaged, mutation), Buffer.from(bytes));
}

function apply(bytes: Buffer, { how, at, length, value }: Mutation): Buffer {
  if (bytes.length === 0) return bytes;
  const start = Math.min(bytes.length - 1, Math.floor(at * bytes.length));
  const count = Math.max(1, Math.floor(length * (bytes.length - start)));
  const [before, range, after] = [
    bytes.subarray(0, start),
    bytes.subarray(start, start + count),
    bytes.subarray(start + count),
  ];
  switch (how) {
    case 'flip':
      bytes[start]! ^= 1 << (value & 7);
      return bytes;
    case 'set':
      bytes[start] = value;
      return bytes;
    case 'zero':
      range.fill(0);
      return bytes;
    case 'cut':
      return before;
    case 'remove':
      return Buffer.concat([before, after]);
    case 'insert':
      return Buffer.concat([before, Buffer.alloc(Math.min(count, 1000), value), range, after]);
    case 'repeat':
      return Buffer.concat([before, range, range, after]);
    case 'number':
      return setNumber(bytes, start, value);
    case 'digit':
      return setDigit(bytes, start, value);
  }
}

/** Writes an extreme number, in the one or the other order of bytes. */
function setNumber(bytes: Buffer, start: number, value: number): Buffer {
  if (start + 4 > bytes.length) return bytes;
  const number = EXTREMES[value % EXTREMES.length]!;
  if (value & 128) bytes.writeUInt32BE(number, start);
  else bytes.writeUInt32LE(number, start);
  return bytes;
}

/** Changes the first digit from a place on, for headers of text. */
function setDigit(bytes: Buffer, start: number, value: number): Buffer {
  const at = bytes.findIndex((byte, i) => i >= start && byte >= 0x30 && byte <= 0x39);
  if (at >= 0) bytes[at] = 0x30 + (value % 10);
  return bytes;
}
