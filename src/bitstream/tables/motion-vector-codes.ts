/** Table B.4 of ISO/IEC 11172-2: the code of |motion_code| 0..16 as printed, without the sign bit that follows 1..16. */
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

/** The smallest f_code whose range -16f..16f-1 holds half-pel components from `least` to `greatest`, f = 2^(f_code-1). */
export function smallestFCode(least: number, greatest: number): number {
  let fCode = 1;
  while (fCode < MAX_F_CODE && (least < -(16 << (fCode - 1)) || greatest > (16 << (fCode - 1)) - 1)) fCode++;
  return fCode;
}

/** One component of a motion vector difference as it is coded; ISO/IEC 11172-2 §2.4.4.2. */
export interface CodedMotionComponent {
  /** motion_horizontal_forward_code and its kin, -16..16. */
  readonly motionCode: number;
  /** motion_horizontal_forward_r and its kin, `f_code - 1` bits; absent from the stream when f_code is 1 or the code 0. */
  readonly motionR: number;
}

/** The difference in half-pels, wrapped into the range of `fCode`. */
export function wrapMotionDifference(difference: number, fCode: number): number {
  const span = 32 << (fCode - 1);
  const half = span >> 1;
  return ((((difference + half) % span) + span) % span) - half;
}

/** Splits a difference of vector components (half-pels) into motion_code and motion_r. */
export function codeMotionDifference(difference: number, fCode: number): CodedMotionComponent {
  const wrapped = wrapMotionDifference(difference, fCode);
  if (wrapped === 0) return { motionCode: 0, motionR: 0 };
  const rSize = fCode - 1;
  const magnitude = Math.abs(wrapped) - 1;
  const motionCode = (magnitude >> rSize) + 1;
  return { motionCode: wrapped < 0 ? -motionCode : motionCode, motionR: magnitude & ((1 << rSize) - 1) };
}

/**
 * Bits of every component difference for one f_code: index `difference + 64f`, so that any difference of two legal
 * components (each -16f..16f-1) may be looked up without wrapping it first.
 */
export function motionDifferenceBits(fCode: number): Uint8Array {
  return DIFFERENCE_BITS[fCode]!;
}

const DIFFERENCE_BITS: readonly Uint8Array[] = Array.from({ length: MAX_F_CODE + 1 }, (_, fCode) =>
  fCode === 0 ? new Uint8Array(0) : differenceBits(fCode),
);

/** One period of the differences, -16f to 16f - 1, put side by side four times. */
function differenceBits(fCode: number): Uint8Array {
  const f = 1 << (fCode - 1);
  const period = new Uint8Array(32 * f);
  period[16 * f] = MOTION_CODE_LENGTHS[0]!;
  for (let motionCode = 1; motionCode <= 16; motionCode++) {
    const bits = MOTION_CODE_LENGTHS[motionCode]! + fCode - 1;
    const least = (motionCode - 1) * f + 1;
    period.fill(bits, 16 * f + least, 16 * f + least + f);
    period.fill(bits, 16 * f - least - f + 1, 16 * f - least + 1);
  }
  // Differences wrap round: -64f lies where 0 does.
  const bits = new Uint8Array(128 * f + 1);
  for (let at = -16 * f; at < bits.length; at += 32 * f) {
    bits.set(period.subarray(Math.max(0, -at), Math.min(32 * f, bits.length - at)), Math.max(0, at));
  }
  return bits;
}
