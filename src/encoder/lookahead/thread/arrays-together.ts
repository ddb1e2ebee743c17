// Arrays of a message on one buffer: a thread takes one in faster than many.

type SentArray = Int16Array | Uint16Array | Uint32Array;

/** Offsets of arrays are multiples of this. */
const ALIGNMENT_BYTES = 4;

/** Copies of arrays, which lie on one buffer; an array that is there twice is copied once. */
export function copiedTogether<Arrays extends readonly SentArray[]>(arrays: readonly [...Arrays]): Arrays {
  const different = [...new Set<SentArray>(arrays)];
  const buffer = new ArrayBuffer(different.reduce((bytes, array) => bytes + bytesOf(array), 0));
  const copies = new Map<SentArray, SentArray>();
  let offset = 0;
  for (const array of different) {
    const Copy = array.constructor as new (buffer: ArrayBuffer, offset: number, length: number) => SentArray;
    const copy = new Copy(buffer, offset, array.length);
    copy.set(array);
    copies.set(array, copy);
    offset += bytesOf(array);
  }
  return arrays.map(array => copies.get(array)) as unknown as Arrays;
}

function bytesOf({ byteLength }: SentArray): number {
  return Math.ceil(byteLength / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;
}
