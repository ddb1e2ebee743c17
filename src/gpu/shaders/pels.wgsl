// Four pels to a word, the leftmost in the low byte: shifting them and taking their differences, in exact integers.

/** 0: sum of absolute differences; 1: sum of squared errors. */
override METRIC: u32;

/**
 * The bits of 2^23 as f32. Integers below 2^23 that are added to it stay exact and stand in the low bits, so no
 * conversion is needed. A sum of differences starts with these bits, and at the end they are subtracted.
 */
const BIAS = 0x4b000000u;
const ONES = 0x01010101u;
const HIGH_BITS = 0x80808080u;

/** The four pels that start `shift` bits (0, 8, 16, 24) into `low`. */
fn straddling(low: u32, high: u32, shift: u32) -> u32 {
  return (low >> shift) | ((high << 1u) << (31u - shift));
}

/** Four pels as f32, each plus 2^23; their differences are exact. */
fn biased_pels(word: u32) -> vec4f {
  return bitcast<vec4f>(unpack4xU8(word) | vec4u(BIAS));
}

/** max(a - b, 0) of each of four bytes. Bit 7 of each byte of `above` says a >= b. */
fn positive_differences(a: u32, b: u32) -> u32 {
  let partial = (a | HIGH_BITS) - (b & ~HIGH_BITS);
  let alike = ~(a ^ b);
  let above = ((a & ~b) | (alike & partial)) & HIGH_BITS;
  return (partial ^ (alike & HIGH_BITS)) & ((above >> 7u) * 255u);
}

/** `sum`, which started with BIAS, plus the metric of four pels. */
fn add_difference(sum: u32, a: u32, b: u32) -> u32 {
  if (METRIC == 1u) {
    return sum + dot4U8Packed(a, a) + dot4U8Packed(b, b) - 2u * dot4U8Packed(a, b);
  }
  let d = abs(biased_pels(a) - biased_pels(b));
  return bitcast<u32>(bitcast<f32>(sum) + ((d.x + d.y) + (d.z + d.w)));
}

/**
 * The same for four matches, each a pel further to the right: `sums` plus the metric of the pels of `a` that `mask`
 * keeps, two or four, with the pels that start at pels 0, 1, 2 and 3 of `low`.
 */
fn add_differences(sums: vec4u, a: u32, low: u32, high: u32, mask: u32) -> vec4u {
  if (METRIC == 1u) {
    return vec4u(
      add_difference(sums.x, a, low & mask),
      add_difference(sums.y, a, straddling(low, high, 8u) & mask),
      add_difference(sums.z, a, straddling(low, high, 16u) & mask),
      add_difference(sums.w, a, straddling(low, high, 24u) & mask),
    );
  }
  let own = biased_pels(a);
  let left = biased_pels(low);
  let right = biased_pels(high);
  var d = abs(own.x - left) + abs(own.y - vec4f(left.yzw, right.x));
  if (mask > 0xffffu) {
    d += abs(own.z - vec4f(left.zw, right.xy)) + abs(own.w - vec4f(left.w, right.xyz));
  }
  return bitcast<vec4u>(bitcast<vec4f>(sums) + d);
}
