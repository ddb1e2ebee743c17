// Table B.4, the ranges of f_code, and how a difference of vectors is split into motion_code and motion_r.

/**
 * Table B.4 of ISO/IEC 11172-2: the code of |motion_code| 0..16 as printed, without the sign bit that follows 1..16.
 */
export const MOTION_CODES: readonly string[] = [
  '1',
  '01',
  '001',
  '0001',
  '000011',
  '0000101',
  '0000100',
  '0000011',
  '000001011',
  '000001010',
  '000001001',
  '0000010001',
  '0000010000',
  '0000001111',
  '0000001110',
  '0000001101',
  '0000001100',
];

/** Bits of each |motion_code| 0..16, the sign bit included. */
export const MOTION_CODE_LENGTHS: readonly number[] = MOTION_CODES.map((code, magnitude) =>
  magnitude === 0 ? code.length : code.length + 1,
);

/** Largest f_code; forward_f_code and backward_f_code are 1..7; ISO/IEC 11172-2 §2.4.3.4. */
export const MAX_F_CODE = 7;

/**
 * The smallest vector component that `fCode` allows, in half-pels: -16f, f = 2^(f_code - 1); ISO/IEC 11172-2 §2.4.4.2.
 */
export function minVectorHalfPels(fCode: number): number {
  return -(16 << (fCode - 1));
}

/** The largest vector component that `fCode` allows, in half-pels: 16f - 1. */
export function maxVectorHalfPels(fCode: number): number {
  return (16 << (fCode - 1)) - 1;
}

/** The smallest f_code that allows components from `minHalfPels` to `maxHalfPels`; MAX_F_CODE where none does. */
export function smallestFCode(minHalfPels: number, maxHalfPels: number): number {
  const reach = Math.max(-minHalfPels, maxHalfPels + 1); // f_code 1 allows 16, each more allows twice as much
  return Math.max(1, Math.min(MAX_F_CODE, 29 - Math.clz32(reach - 1)));
}

/** The difference of a vector component from the predicted one, as it is coded; ISO/IEC 11172-2 §2.4.4.2. */
export interface CodedMotionComponent {
  /** motion_horizontal_forward_code or one of the three others, -16..16. */
  readonly motionCode: number;
  /** motion_horizontal_forward_r or one of the others: f_code - 1 bits; not in the stream if motionCode is 0. */
  readonly motionR: number;
}

/** A difference in half-pels, wrapped into -16f..16f - 1: a decoder adds it modulo 32f. */
export function wrapMotionDifference(difference: number, fCode: number): number {
  const span = 32 << (fCode - 1);
  const half = span >> 1;
  return ((((difference + half) % span) + span) % span) - half;
}

/** Splits a difference in half-pels into motion_code and motion_r. */
export function codeMotionDifference(difference: number, fCode: number): CodedMotionComponent {
  const wrapped = wrapMotionDifference(difference, fCode);
  if (wrapped === 0) return { motionCode: 0, motionR: 0 };
  const rSize = fCode - 1;
  const magnitude = Math.abs(wrapped) - 1;
  const motionCode = (magnitude >> rSize) + 1;
  return { motionCode: wrapped < 0 ? -motionCode : motionCode, motionR: magnitude & ((1 << rSize) - 1) };
}

/**
 * The bits of motion_code and motion_r for each difference in half-pels: entry `difference +
 * motionDifferenceOrigin(fCode)`. Differences from -64f to 64f are there, so that the difference of any two legal
 * components need not be wrapped.
 */
export function motionDifferenceBits(fCode: number): Uint8Array {
  return DIFFERENCE_BITS[fCode]!;
}

/** Index of the difference 0 in motionDifferenceBits. */
export function motionDifferenceOrigin(fCode: number): number {
  return 64 << (fCode - 1);
}

/** Bits of motion_code and motion_r for one difference of two legal components, in half-pels. */
export function motionComponentBits(difference: number, fCode: number): number {
  return DIFFERENCE_BITS[fCode]![difference + motionDifferenceOrigin(fCode)]!;
}

/** Entries of the largest table, that of MAX_F_CODE. */
export const MAX_MOTION_DIFFERENCES = 2 * motionDifferenceOrigin(MAX_F_CODE) + 1;

const DIFFERENCE_BITS: readonly Uint8Array[] = Array.from({ length: MAX_F_CODE + 1 }, (_, fCode) =>
  fCode === 0 ? new Uint8Array(0) : differenceBits(fCode),
);

/** The table of one f_code: the bits of -16f to 16f - 1, repeated with the period 32f. */
function differenceBits(fCode: number): Uint8Array {
  const f = 1 << (fCode - 1);
  const period = new Uint8Array(32 * f);
  period[16 * f] = MOTION_CODE_LENGTHS[0]!;
  for (let motionCode = 1; motionCode <= 16; motionCode++) {
    const bits = MOTION_CODE_LENGTHS[motionCode]! + fCode - 1;
    const min = (motionCode - 1) * f + 1;
    period.fill(bits, 16 * f + min, 16 * f + min + f);
    period.fill(bits, 16 * f - min - f + 1, 16 * f - min + 1);
  }
  // -64f, the first entry, is as good as 0.
  const bits = new Uint8Array(128 * f + 1);
  for (let at = -16 * f; at < bits.length; at += 32 * f) {
    bits.set(period.subarray(Math.max(0, -at), Math.min(32 * f, bits.length - at)), Math.max(0, at));
  }
  return bits;
}
