// Tests of the generated sequences and their true motion.
import { createHash } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { generateSample, SAMPLE_KINDS, type Sample, type SampleKind } from '../../samples/generate.js';
import type { TrueMotion } from '../../samples/true-motion.js';
import type { Frame } from '../../src/picture/frame.js';
import { expectSameFrames } from '../support/compare-frames.js';

const KINDS = Object.keys(SAMPLE_KINDS) as SampleKind[];
const SIZE = { width: 160, height: 112 };

/** Kinds whose motion is by whole pels: a block equals its match to the pel. */
const WHOLE_PEL_KINDS: readonly SampleKind[] = ['pan', 'stereo'];
const MOVING_KINDS: readonly SampleKind[] = ['pan', 'pan-subpel', 'zoom', 'rotation', 'snow', 'fade', 'stereo'];

/**
 * SHA-256 of the frames of each kind at 51x35, 7 frames, seed 11172: the same on every machine and in every release.
 */
const GOLDEN: Record<SampleKind, string> = {
  pan: 'fa761ee2dfe32bdd',
  'pan-subpel': 'c38dfe6b34d3cb99',
  zoom: '9bf3ce84fd72d689',
  rotation: 'e5502625e68ef4c4',
  snow: '77138d3870d70deb',
  cut: '7d237e76d829ebe1',
  fade: '8489559f41655878',
  noise: '4c0315c4131df75d',
  stereo: '8ef678b8a63e76a8',
};

function hashOf(sample: Sample): string {
  const hash = createHash('sha256');
  for (const { y, u, v } of sample) hash.update(y).update(u).update(v);
  return hash.digest('hex').slice(0, 16);
}

/**
 * Mean absolute difference of a 16x16 luma block and its match in another frame, between pels by linear interpolation.
 */
function blockDifference(now: Frame, before: Frame, left: number, top: number, dx: number, dy: number): number {
  const { width } = now;
  const [wholeX, wholeY] = [Math.floor(dx), Math.floor(dy)];
  const [right, down] = [dx - wholeX, dy - wholeY];
  const next = right > 0 ? 1 : 0;
  const below = down > 0 ? width : 0;
  let sum = 0;
  for (let y = top; y < top + 16; y++) {
    for (let x = left; x < left + 16; x++) {
      const at = (y + wholeY) * width + x + wholeX;
      const above = before.y[at]! + right * (before.y[at + next]! - before.y[at]!);
      const under = before.y[at + below]! + right * (before.y[at + below + next]! - before.y[at + below]!);
      sum += Math.abs(now.y[y * width + x]! - above - down * (under - above));
    }
  }
  return sum / 256;
}

/** Whether a block at this place, and a pel more for interpolation, lies inside a picture of `SIZE`. */
function isInside(left: number, top: number): boolean {
  return left >= 0 && top >= 0 && Math.ceil(left) + 16 <= SIZE.width && Math.ceil(top) + 16 <= SIZE.height;
}

function forEachReliable(
  motion: TrueMotion,
  visit: (left: number, top: number, dx: number, dy: number) => void,
): number {
  let count = 0;
  for (const [block, reliable] of motion.reliable.entries()) {
    if (reliable === 0) continue;
    count++;
    const left = (block % motion.blockColumns) * 16;
    const top = Math.floor(block / motion.blockColumns) * 16;
    visit(left, top, motion.dx[block]!, motion.dy[block]!);
  }
  return count;
}

describe('generateSample', () => {
  it.each(KINDS)('makes the same pels from the same seed everywhere, others from another: %s', kind => {
    const options = { kind, width: 51, height: 35, frames: 7, seed: 11172 };
    expect(hashOf(generateSample(options))).toBe(GOLDEN[kind]);
    expect(hashOf(generateSample({ ...options, seed: 11173 }))).not.toBe(GOLDEN[kind]);
  });

  it.each(KINDS)('iterates over the frames that it gives by index: %s', kind => {
    const sample = generateSample({ kind, ...SIZE, frames: 5, seed: 3 });
    const inOrder = [...sample];
    expectSameFrames(
      inOrder,
      [0, 1, 2, 3, 4].map(index => sample.frame(index)),
    );
    for (const frame of inOrder) {
      expect(frame).toMatchObject(SIZE);
      expect([frame.y.length, frame.u.length, frame.v.length]).toEqual([160 * 112, 80 * 56, 80 * 56]);
    }
  });

  it.each(KINDS)('makes any size: %s', kind => {
    for (const [width, height] of [
      [1, 1],
      [15, 17],
      [257, 3],
    ] as const) {
      const sample = generateSample({ kind, width, height, frames: 2, seed: 4 });
      const frame = sample.frame(1);
      const chroma = Math.ceil(width / 2) * Math.ceil(height / 2);
      expect([frame.y.length, frame.u.length, frame.v.length]).toEqual([width * height, chroma, chroma]);
      const motion = sample.trueMotion(1);
      if (motion !== undefined) expect(motion.dx.length).toBe(Math.ceil(width / 16) * Math.ceil(height / 16));
    }
  });

  it('has texture everywhere: no 16x16 block of a pan is nearly flat', () => {
    const frame = generateSample({ kind: 'pan', width: 320, height: 240, frames: 1, seed: 9 }).frame(0);
    for (let top = 0; top < 240; top += 16) {
      for (let left = 0; left < 320; left += 16) {
        expect(blockDifference(frame, frame, left, top, left < 160 ? 1 : -1, 0)).toBeGreaterThan(0.8);
      }
    }
  });

  it('refuses options out of range, naming them', () => {
    const good = { kind: 'pan', width: 16, height: 16, frames: 1, seed: 1 } as const;
    expect(() => generateSample({ ...good, width: 0 })).toThrow(/width is 0; legal: a whole number, 1\.\.4095/);
    expect(() => generateSample({ ...good, frames: 1.5 })).toThrow(/frames is 1.5/);
    expect(() => generateSample({ ...good, seed: -1 })).toThrow(/seed is -1/);
    expect(() => generateSample({ ...good, kind: 'tilt' as SampleKind })).toThrow(
      /kind 'tilt' is unknown; legal: pan, /,
    );
    expect(() => generateSample(good).frame(1)).toThrow(/frame index is 1; legal: a whole number, 0\.\.0/);
  });
});

describe('trueMotion', () => {
  it.each(MOVING_KINDS)('has no answer for frame 0, and one for most blocks after it: %s', kind => {
    const sample = generateSample({ kind, ...SIZE, frames: 8, seed: 6 });
    expect(sample.trueMotion(0)).toBeUndefined();
    const motion = sample.trueMotion(4)!;
    expect(motion).toMatchObject({ blockColumns: 10, blockRows: 7 });
    expect(forEachReliable(motion, () => {})).toBeGreaterThan(kind === 'snow' || kind === 'stereo' ? 10 : 35);
  });

  it.each(WHOLE_PEL_KINDS)('points at equal pels: %s', kind => {
    for (const seed of [1, 2, 3]) {
      const sample = generateSample({ kind, ...SIZE, frames: 3, seed });
      const [, before, now] = [...sample];
      forEachReliable(sample.trueMotion(2)!, (left, top, dx, dy) => {
        expect([Math.round(dx), Math.round(dy)]).toEqual([dx, dy]);
        expect(blockDifference(now!, before!, left, top, dx, dy)).toBe(0);
      });
    }
  });

  it.each(['zoom', 'rotation', 'pan-subpel', 'snow'] as const)(
    'is a better vector than all others near it: %s',
    kind => {
      const sample = generateSample({ kind, ...SIZE, frames: 6, seed: 8 });
      const [now, before] = [sample.frame(5), sample.frame(4)];
      forEachReliable(sample.trueMotion(5)!, (left, top, dx, dy) => {
        const atTruth = blockDifference(now, before, left, top, dx, dy);
        for (let y = -4; y <= 4; y++) {
          for (let x = -4; x <= 4; x++) {
            if ((x === 0 && y === 0) || !isInside(left + dx + x, top + dy + y)) continue;
            const off = blockDifference(now, before, left, top, dx + x, dy + y);
            expect(off, `block at ${left}, ${top}, (${x}, ${y}) off`).toBeGreaterThan(atTruth);
          }
        }
      });
    },
  );

  it('sees the layers of a stereo pair move by their own disparity, to the right in the left view', () => {
    const motion = generateSample({ kind: 'stereo', width: 320, height: 240, frames: 2, seed: 5 }).trueMotion(1)!;
    const disparities = new Set<number>();
    forEachReliable(motion, (_left, _top, dx, dy) => {
      expect(dy).toBe(0);
      disparities.add(dx);
    });
    expect(disparities.size).toBeGreaterThan(2);
    for (const disparity of disparities) expect([2, 5, 8, 11, 14, 17]).toContain(disparity);
  });

  it('has no answer across a cut, nor for noise', () => {
    const cut = generateSample({ kind: 'cut', ...SIZE, frames: 7, seed: 2 });
    const answered = [0, 1, 2, 3, 4, 5, 6].map(index => cut.trueMotion(index) !== undefined);
    expect(answered).toEqual([false, true, true, false, true, true, false]);
    expect(generateSample({ kind: 'noise', ...SIZE, frames: 2, seed: 2 }).trueMotion(1)).toBeUndefined();
  });

  it('fades from black to full and back, in step with its motion', () => {
    const sample = generateSample({ kind: 'fade', ...SIZE, frames: 12, seed: 2 });
    const brightest = [...sample].map(({ y }) => y.reduce((high, pel) => Math.max(high, pel), 0));
    expect([brightest[0], brightest[11]]).toEqual([16, 16]);
    expect(brightest[1]!).toBeLessThan(brightest[2]!);
    expect(brightest[5]!).toBeGreaterThan(150);
    expect(sample.trueMotion(1)!.dx).toEqual(sample.trueMotion(6)!.dx);
  });
});
