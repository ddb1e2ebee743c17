// YCbCr of another matrix or range becomes what its RGB would become: compared with the definitions in doubles.
import { describe, expect, it } from 'vitest';
import { limitedBt601, ycbcrKind } from '../../src/browser/frames/limited-bt601.js';

/** Kr and Kb of ITU-R BT.601, BT.709 and BT.2020. */
const WEIGHTS = { smpte170m: [0.299, 0.114], bt709: [0.2126, 0.0722], 'bt2020-ncl': [0.2627, 0.0593] } as const;

type Triple = readonly [number, number, number];

/** Samples 0..255 of R'G'B' 0..1. */
function encoded([r, g, b]: Triple, [kr, kb]: readonly [number, number], isFullRange: boolean): Triple {
  const y = kr * r + (1 - kr - kb) * g + kb * b;
  const [steps, chromaSteps, zero] = isFullRange ? [255, 255, 0] : [219, 224, 16];
  const [cb, cr] = [(b - y) / (2 * (1 - kb)), (r - y) / (2 * (1 - kr))];
  return [zero + steps * y, 128 + chromaSteps * cb, 128 + chromaSteps * cr];
}

describe('limitedBt601', () => {
  const colours = Array.from(
    { length: 125 },
    (_, n): Triple => [(n % 5) / 4, (Math.floor(n / 5) % 5) / 4, Math.floor(n / 25) / 4],
  );

  it.each(
    (['smpte170m', 'bt709', 'bt2020-ncl'] as const).flatMap(matrix =>
      [false, true].map(isFull => [matrix, isFull] as const),
    ),
  )('converts %s, full range: %s', (matrix, fullRange) => {
    let maxError = 0;
    for (const rgb of colours) {
      const [y, cb, cr] = encoded(rgb, WEIGHTS[matrix], fullRange).map(value => Math.min(Math.round(value), 255));
      // 3x1: the second chroma sample belongs to one pel.
      const frame = {
        width: 3,
        height: 1,
        y: Uint8Array.of(y, y, y),
        u: Uint8Array.of(cb, cb),
        v: Uint8Array.of(cr, cr),
      };
      const found = limitedBt601(frame, ycbcrKind({ matrix, fullRange })!);
      const expected = encoded(rgb, WEIGHTS.smpte170m, false);
      // The source is rounded to whole samples first, and one of luma can be more than one of the result.
      const errors = (['y', 'u', 'v'] as const).flatMap((name, index) =>
        Array.from(found[name], value => Math.abs(value - expected[index])),
      );
      expect(errors).toHaveLength(7);
      maxError = Math.max(maxError, ...errors);
    }
    expect(maxError).toBeLessThan(1.5);
  });

  it('keeps what is limited BT.601 already, and what says nothing of itself', () => {
    const frame = { width: 2, height: 2, y: new Uint8Array(4), u: new Uint8Array(1), v: new Uint8Array(1) };
    expect(limitedBt601(frame, ycbcrKind({ matrix: 'bt470bg', fullRange: false })!)).toBe(frame);
    expect(limitedBt601(frame, ycbcrKind({ matrix: null, fullRange: null })!)).toBe(frame);
    expect(ycbcrKind({ matrix: 'rgb', fullRange: true })).toBeUndefined();
  });

  it('keeps samples that lie outside of the range of colours within a byte', () => {
    const frame = { width: 1, height: 1, y: Uint8Array.of(255), u: Uint8Array.of(255), v: Uint8Array.of(0) };
    const found = limitedBt601(frame, ycbcrKind({ matrix: 'bt709', fullRange: false })!);
    expect([found.y[0], found.u[0], found.v[0]]).toEqual([243, 255, 0]);
  });
});
