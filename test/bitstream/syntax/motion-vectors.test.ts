// Every vector survives coding and decoding at each f_code, and its bits are known.

import { describe, expect, it } from 'vitest';
import {
  codeMotionDifference,
  MOTION_CODE_LENGTHS,
  motionDifferenceBits,
  smallestFCode,
} from '../../../src/bitstream/tables/motion-vector-codes.js';

/** A vector component as a decoder finds it; ISO/IEC 11172-2 §2.4.4.2. */
function decodeComponent(predicted: number, motionCode: number, motionR: number, fCode: number): number {
  const f = 1 << (fCode - 1);
  const complement = f === 1 || motionCode === 0 ? 0 : f - 1 - motionR;
  let little = motionCode * f;
  let big: number;
  if (little === 0) big = 0;
  else if (little > 0) {
    little -= complement;
    big = little - 32 * f;
  } else {
    little += complement;
    big = little + 32 * f;
  }
  const sum = predicted + little;
  return sum <= 16 * f - 1 && sum >= -16 * f ? sum : predicted + big;
}

describe.each([1, 2, 3, 4, 5, 6, 7])('f_code %i', fCode => {
  const f = 1 << (fCode - 1);
  const min = -16 * f;
  const max = 16 * f - 1;
  const step = Math.max(1, f >> 2);

  it('the decoder finds every vector from every prediction', () => {
    for (let predicted = min; predicted <= max; predicted += step) {
      for (let component = min; component <= max; component++) {
        const { motionCode, motionR } = codeMotionDifference(component - predicted, fCode);
        const legal = Math.abs(motionCode) <= 16 && motionR >= 0 && motionR < f;
        if (!legal || decodeComponent(predicted, motionCode, motionR, fCode) !== component) {
          expect.fail(`component ${component} from ${predicted} is coded as ${motionCode}, ${motionR}`);
        }
      }
    }
  });

  it('the bit table tells the length of each code', () => {
    const bits = motionDifferenceBits(fCode);
    const lengths: number[] = [];
    for (let difference = -64 * f; difference <= 64 * f; difference++) {
      const { motionCode } = codeMotionDifference(difference, fCode);
      const residual = motionCode === 0 ? 0 : fCode - 1;
      lengths.push(MOTION_CODE_LENGTHS[Math.abs(motionCode)]! + residual);
    }
    expect(Buffer.compare(Uint8Array.from(bits), Uint8Array.from(lengths))).toBe(0);
  });

  it('is the smallest for its extremes', () => {
    expect(smallestFCode(min, max)).toBe(fCode);
    expect(smallestFCode(0, max)).toBe(fCode);
    if (fCode < 7) expect(smallestFCode(0, max + 1)).toBe(fCode + 1);
  });
});
