// Reordering of int16 vectors for both transforms.

// @ts-ignore: decorator
@inline
export function interleaveLow(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 0, 8, 1, 9, 2, 10, 3, 11);
}

// @ts-ignore: decorator
@inline
export function interleaveHigh(a: v128, b: v128): v128 {
  return v128.shuffle<i16>(a, b, 4, 12, 5, 13, 6, 14, 7, 15);
}

/** Transposes the 8x8 int16 block at `at`, in place. */
// @ts-ignore: decorator
@inline
export function transpose(at: usize): void {
  const x0 = v128.load(at);
  const x1 = v128.load(at, 16);
  const x2 = v128.load(at, 32);
  const x3 = v128.load(at, 48);
  const x4 = v128.load(at, 64);
  const x5 = v128.load(at, 80);
  const x6 = v128.load(at, 96);
  const x7 = v128.load(at, 112);
  const a0 = interleaveLow(x0, x4);
  const a1 = interleaveHigh(x0, x4);
  const a2 = interleaveLow(x1, x5);
  const a3 = interleaveHigh(x1, x5);
  const a4 = interleaveLow(x2, x6);
  const a5 = interleaveHigh(x2, x6);
  const a6 = interleaveLow(x3, x7);
  const a7 = interleaveHigh(x3, x7);
  const b0 = interleaveLow(a0, a4);
  const b1 = interleaveHigh(a0, a4);
  const b2 = interleaveLow(a1, a5);
  const b3 = interleaveHigh(a1, a5);
  const b4 = interleaveLow(a2, a6);
  const b5 = interleaveHigh(a2, a6);
  const b6 = interleaveLow(a3, a7);
  const b7 = interleaveHigh(a3, a7);
  v128.store(at, interleaveLow(b0, b4));
  v128.store(at, interleaveHigh(b0, b4), 16);
  v128.store(at, interleaveLow(b1, b5), 32);
  v128.store(at, interleaveHigh(b1, b5), 48);
  v128.store(at, interleaveLow(b2, b6), 64);
  v128.store(at, interleaveHigh(b2, b6), 80);
  v128.store(at, interleaveLow(b3, b7), 96);
  v128.store(at, interleaveHigh(b3, b7), 112);
}
