// Bits that kernels append to bytes in memory, most significant first.

/** Where the next bytes go. The low `pendingBits` bits of `pending`, fewer than 32, come before them. */
export let to: usize = 0;
export let pending: u64 = 0;
export let pendingBits: u32 = 0;

/** `bswap` without a call, for loops: a word whose most significant byte comes first in memory, or one from there. */
// @ts-ignore: decorator
@inline
export function bigEndian(word: u32): u32 {
  return (rotl<u32>(word, 8) & 0x00ff00ff) | (rotl<u32>(word, 24) & 0xff00ff00);
}

/** Starts to write at `at`. The low `count` bits of `bits` come first. */
// @ts-ignore: decorator
@inline
export function goOn(at: usize, bits: u64, count: u32): void {
  to = at;
  pending = bits;
  pendingBits = count;
}

/** Appends a code of at most 32 bits. */
// @ts-ignore: decorator
@inline
export function put(code: u32, length: u32): void {
  pending = (pending << <u64>length) | <u64>code;
  pendingBits += length;
  if (pendingBits >= 32) {
    pendingBits -= 32;
    store<u32>(to, bswap<u32>(<u32>(pending >> <u64>pendingBits)));
    to += 4;
  }
}

/** Appends entry `index` of a table of codes. */
// @ts-ignore: decorator
@inline
export function putEntry(table: usize, index: i32): void {
  const code = load<u32>(table + (<usize>index << 2));
  put(code & 0xffffff, code >>> 24);
}

/** Stores the whole bytes of what is pending; 0 to 7 bits stay. */
export function flushBytes(): void {
  while (pendingBits >= 8) {
    pendingBits -= 8;
    store<u8>(to++, <u8>(pending >> <u64>pendingBits));
  }
  pending &= (<u64>1 << <u64>pendingBits) - 1;
}
