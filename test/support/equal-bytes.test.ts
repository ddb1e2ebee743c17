// Typed arrays are equal when their types and elements are, however they lie in memory.
import { expect, it } from 'vitest';

const bytes = (...values: number[]) => Uint8Array.from(values);

it('finds arrays of one type with the same elements equal, alone and in objects', () => {
  expect(bytes(1, 2, 3)).toEqual(bytes(1, 2, 3));
  expect(bytes(9, 1, 2).subarray(1)).toEqual(bytes(1, 2));
  expect({ frames: [{ y: Int16Array.of(-1, 300) }] }).toStrictEqual({ frames: [{ y: Int16Array.of(-1, 300) }] });
  expect(new Uint8Array(new SharedArrayBuffer(2))).toEqual(new Uint8Array(2));
  expect(Buffer.from('mpeg')).toEqual(Buffer.from('mpeg'));
});

it.each([
  ['element', bytes(1, 2, 3), bytes(1, 2, 4)],
  ['length', bytes(1, 2, 3), bytes(1, 2)],
  ['place in memory', bytes(9, 1, 2).subarray(1), bytes(9, 1)],
  ['element of four bytes', Uint32Array.of(1, 2), Uint32Array.of(1, 258)],
  ['sign of zero', Float64Array.of(0), Float64Array.of(-0)],
])('finds another %s', (_, actual, expected) => {
  expect(actual).not.toEqual(expected);
  expect([{ actual }]).not.toEqual([{ actual: expected }]);
  expect(() => expect(actual).toEqual(expected)).toThrow(/deeply equal/);
});

it('tells the types of arrays from each other', () => {
  expect(bytes(1, 2)).not.toEqual(Int8Array.of(1, 2));
  expect(bytes(1, 2)).not.toStrictEqual(Buffer.from([1, 2]));
  expect(bytes(1, 0)).not.toEqual(Uint16Array.of(1));
});
