// No macroblock is predicted too many times in a row in long groups of pictures.

import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import { MACROBLOCK_INTRA } from '../../../src/bitstream/tables/macroblock-codes.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { Frame } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';

const [width, height] = [176, 144];
const MACROBLOCKS = 99;

/** The anchors of an encode in coded order, with which of their macroblocks are intra. */
async function anchors(frames: Iterable<Frame>, options: Partial<EncoderOptions>) {
  const coded: { type: PictureType; intra: boolean[] }[] = [];
  await encodeFrames(frames, {
    width,
    height,
    preset: 'fast',
    q: 8,
    adaptiveTypes: false,
    onPicture: report => {
      const intra = Array.from(report.macroblockTypes(), flags => (flags & MACROBLOCK_INTRA) !== 0);
      if (report.type !== 'B') coded.push({ type: report.type, intra });
    },
    ...options,
  });
  return coded;
}

/** The longest time that a macroblock was predicted, in P pictures, without being intra. */
function longestPredicted(coded: readonly { intra: readonly boolean[] }[]): number {
  const age = new Array<number>(MACROBLOCKS).fill(0);
  let longest = 0;
  for (const { intra } of coded) {
    for (let address = 0; address < MACROBLOCKS; address++) {
      age[address] = intra[address] ? 0 : age[address]! + 1;
      longest = Math.max(longest, age[address]!);
    }
  }
  return longest;
}

function* still(frames: number): Iterable<Frame> {
  const [frame] = generateSample({ kind: 'pan', width, height, frames: 1, seed: 4 });
  for (let n = 0; n < frames; n++) yield frame!;
}

describe('refresh of macroblocks in long groups, ISO/IEC 11172-2 §2.4.1', () => {
  it.each([
    [250, 260],
    [400, 400],
  ])('gop %i: none is predicted more than 131 times, few are refreshed in one picture', async (gop, length) => {
    const coded = await anchors(still(length), { gop, bFrames: 0 });
    expect(coded).toHaveLength(length);
    expect(longestPredicted(coded)).toBeLessThanOrEqual(131);
    // A still picture needs no intra macroblocks but for the refresh.
    const refreshed = coded.filter(({ type }) => type === 'P').map(({ intra }) => intra.filter(Boolean).length);
    expect(Math.max(...refreshed)).toBeLessThanOrEqual(Math.ceil(MACROBLOCKS / 31));
    expect(refreshed.slice(0, 99).every(count => count === 0)).toBe(true);
    expect(refreshed.reduce((sum, count) => sum + count, 0)).toBeGreaterThanOrEqual(MACROBLOCKS);
  });

  it('B pictures do not count, and the rule holds with them', async () => {
    const coded = await anchors(still(420), { gop: 420, bFrames: 2, openGop: true });
    expect(coded).toHaveLength(141);
    const longest = longestPredicted(coded);
    expect(longest).toBeLessThanOrEqual(131);
    expect(longest).toBeGreaterThanOrEqual(100);
  });

  it('holds in a moving picture', async () => {
    const moving = generateSample({ kind: 'pan', width, height, frames: 150, seed: 4 });
    expect(longestPredicted(await anchors(moving, { gop: 250, bFrames: 0 }))).toBeLessThanOrEqual(131);
  });
});
