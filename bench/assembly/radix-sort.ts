// Sorts u32 keys with u32 values by their digits, the lowest first: what the GPU's sort is held against.

/** Three digits of 11 bits make a key; the highest has 10. */
const DIGIT_BITS: u32 = 11;
const DIGITS: u32 = 3;
const BUCKETS: u32 = 1 << DIGIT_BITS;

// @ts-ignore: decorator
@inline
function bucketOf(key: u32, digit: u32): usize {
  return <usize>((key >> (digit * DIGIT_BITS)) & (BUCKETS - 1)) << 2;
}

/**
 * Sorts `length` keys at `keys` and the values at `values`, stably. `otherKeys` and `otherValues` have room for as
 * many, and hold the answer at the end; `counts` has room for 3 * 2048 u32.
 */
export function sort(
  keys: usize,
  values: usize,
  otherKeys: usize,
  otherValues: usize,
  counts: usize,
  length: u32,
): void {
  memory.fill(counts, 0, <usize>(DIGITS * BUCKETS) << 2);
  const bytes = <usize>length << 2;
  for (let at: usize = 0; at < bytes; at += 4) {
    const key = load<u32>(keys + at);
    for (let digit: u32 = 0; digit < DIGITS; digit++) {
      const count = counts + (<usize>(digit * BUCKETS) << 2) + bucketOf(key, digit);
      store<u32>(count, load<u32>(count) + 1);
    }
  }
  for (let digit: u32 = 0; digit < DIGITS; digit++) {
    const starts = counts + (<usize>(digit * BUCKETS) << 2);
    let start: u32 = 0;
    for (let bucket: usize = 0; bucket < <usize>BUCKETS << 2; bucket += 4) {
      const count = load<u32>(starts + bucket);
      store<u32>(starts + bucket, start);
      start += count;
    }
    for (let at: usize = 0; at < bytes; at += 4) {
      const key = load<u32>(keys + at);
      const place = starts + bucketOf(key, digit);
      const target = load<u32>(place);
      store<u32>(place, target + 1);
      store<u32>(otherKeys + (<usize>target << 2), key);
      store<u32>(otherValues + (<usize>target << 2), load<u32>(values + at));
    }
    const swappedKeys = keys;
    keys = otherKeys;
    otherKeys = swappedKeys;
    const swappedValues = values;
    values = otherValues;
    otherValues = swappedValues;
  }
}
