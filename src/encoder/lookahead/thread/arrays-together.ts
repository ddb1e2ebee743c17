// Arrays of a message on one buffer: a thread takes one in faster than many.

type SentArray = Int16Array | Uint16Array;

/** Offsets of arrays are multiples of this. */
const ALIGNMENT_BYTES = 4;

/** Copies of arrays, which lie on one buffer; an array that is there twice is there once. */
export function copiedTogether<Arrays extends readonly SentArray[]>(arrays: readonly [...Arrays]): Arrays {
  const offsets = new Map<SentArray, number>();
  let bytes = 0;
  for (const array of new Set<SentArray>(arrays)) {
    offsets.set(array, bytes);
    bytes += Math.ceil(array.byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
  }
  const buffer = new ArrayBuffer(bytes);
  return arrays.map(array => {
    const Copy = array.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => SentArray;
    const copy = new Copy(buffer, offsets.get(array)!, array.length);
    copy.set(array);
    return copy;
  }) as unknown as Arrays;
}
