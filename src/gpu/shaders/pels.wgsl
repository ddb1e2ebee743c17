// Pels, four to a word (the leftmost in the low byte), and their differences: exact integers, whatever the form.

/** 0: sum of absolute differences; 1: sum of squared errors. */
override METRIC: u32;
/** How absolute differences are formed: 0: in f32; 1: four bytes at a time in u32. The result is the same. */
override ABSOLUTE_BY: u32;

/**
 * 2^23 as f32, in bits: integers below 2^23 added to it stay exact and stand in the low bits, which spares conversions.
 * Sums of differences start here and end with the subtraction of these bits.
 */
const BIAS = 0x4b000000u;
const ONES = 0x01010101u;
const HIGH_BITS = 0x80808080u;

/** The four pels that start `shift` bits (0, 8, 16, 24) into `low`. */
fn straddling(low: u32, high: u32, shift: u32) -> u32 {
  return (low >> shift) | ((high << 1u) << (31u - shift));
}

/** Four pels as f32, each 2^23 too large: good for differences. */
fn biased_pels(word: u32) -> vec4f {
  return bitcast<vec4f>(unpack4xU8(word) | vec4u(BIAS));
}

/**
 * `sum` (see BIAS) with the difference of four pels added. In u32: bit 7 of each byte of `above` says a >= b, and
 * sum |a - b| = 2 * sum max(a - b, 0) - sum a + sum b.
 */
fn add_difference(sum: u32, a: u32, b: u32) -> u32 {
  if (METRIC == 1u) {
    return sum + dot4U8Packed(a, a) + dot4U8Packed(b, b) - 2u * dot4U8Packed(a, b);
  }
  if (ABSOLUTE_BY == 1u) {
    let partial = (a | HIGH_BITS) - (b & ~HIGH_BITS);
    let alike = ~(a ^ b);
    let above = ((a & ~b) | (alike & partial)) & HIGH_BITS;
    let positive = (partial ^ (alike & HIGH_BITS)) & ((above >> 7u) * 255u);
    return sum + 2u * dot4U8Packed(positive, ONES) + dot4U8Packed(b, ONES) - dot4U8Packed(a, ONES);
  }
  let d = abs(biased_pels(a) - biased_pels(b));
  return bitcast<u32>(bitcast<f32>(sum) + ((d.x + d.y) + (d.z + d.w)));
}
