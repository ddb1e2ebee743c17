// Tests of the scale factors that come from macroblocks' weights.
import { describe, expect, it } from 'vitest';
import { generateSample, type SampleKind } from '../../../samples/generate.js';
import { CodedOrder, patternType } from '../../../src/encoder/gop/gop-plan.js';
import { AnchorCandidates } from '../../../src/encoder/lookahead/anchor-candidates.js';
import { MacroblockTree, type WeightedPicture } from '../../../src/encoder/lookahead/macroblock-tree.js';
import { predictPicture } from '../../../src/encoder/lookahead/predicted-picture.js';
import { SceneCosts } from '../../../src/encoder/lookahead/scene-costs.js';
import { MotionSearch } from '../../../src/encoder/motion/motion-search.js';
import { SourceMotion } from '../../../src/encoder/motion/source-motion.js';
import { wholePictureScale } from '../../../src/encoder/quantizer/picture-scale.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import type { Frame } from '../../../src/picture/frame.js';
import { macroblockGrid, pictureFromFrame } from '../../../src/picture/picture.js';
import { encodeFrames } from '../../support/encode.js';

const size = { width: 96, height: 80 };
const PICTURES = 13;
const pattern = { gop: 12, bFrames: 2, closedGop: false };

function sample(kind: SampleKind): Frame[] {
  return [...generateSample({ kind, ...size, frames: PICTURES, seed: 5 })];
}

function mean(factors: Float64Array): number {
  return factors.reduce((sum, factor) => sum + factor, 0) / factors.length;
}

/** The factors of all pictures of a fixed pattern, in coded order. */
async function factorsOf(frames: readonly Frame[], scale: number, rate: { readonly bitrate?: number } = {}) {
  const grid = macroblockGrid(size.width, size.height);
  const settings = resolveOptions({ ...size, frameRate: 25, threads: 1, estimator: 'cpu-predictive', ...rate });
  const motion = new MotionSearch(settings);
  const anchors = new AnchorCandidates(pattern);
  const costs = await SceneCosts.create(settings, PICTURES, new SourceMotion(motion, 2), anchors);
  const tree = await MacroblockTree.create({ ...settings, pattern: { ...settings.pattern, ...pattern } });
  const order = new CodedOrder();
  const weighted: WeightedPicture[] = [];
  for (const [number, frame] of frames.entries()) {
    await costs.add(pictureFromFrame(number, frame, grid));
    for (const plan of order.push(number, patternType(number, order.lastAnchor, pattern))) {
      weighted.push(...tree.push([await predictPicture(plan, costs, true)]));
    }
  }
  for (const plan of order.end()) weighted.push(...tree.push([await predictPicture(plan, costs, true)]));
  weighted.push(...tree.end());
  await motion.close();
  return weighted.map(({ plan, weightFactors }) => ({ plan, factors: weightFactors!(scale) }));
}

describe('macroblock tree', () => {
  it('still pictures: the I picture is the finest, B pictures are coarser than P pictures', async () => {
    const [still] = sample('pan');
    const all = await factorsOf(
      Array.from({ length: PICTURES }, () => still!),
      6,
    );
    const scales = all.map(({ plan, factors }) => ({
      type: plan.type,
      scale: mean(factors) * wholePictureScale(plan.type, 6),
    }));
    const of = (type: string) => scales.filter(picture => picture.type === type).map(({ scale }) => scale);
    expect(of('I')[0]).toBeLessThan(of('P')[0]! * 0.97);
    expect(Math.min(...of('B'))).toBeGreaterThan(Math.max(...of('P')));
    // An error of the I picture is seen twelve times, one of a B picture once.
    expect(Math.abs(of('I')[0]! / of('B')[0]! - 12 ** -0.33)).toBeLessThan(0.02);
  });

  it('noise: nothing is taken over at a fine scale, so all pictures have about the same', async () => {
    const all = await factorsOf(sample('noise'), 1);
    for (const { plan, factors } of all) {
      const scale = mean(factors) * wholePictureScale(plan.type, 1);
      expect(scale).toBeGreaterThan(0.95);
      expect(scale).toBeLessThan(1.05);
    }
  });

  it('a moving object on still ground: what stays is quantized finer than what goes', async () => {
    const ground = sample('pan')[0]!;
    const noise = sample('noise');
    const frames = noise.map(frame => {
      const y = ground.y.slice();
      for (let row = 0; row < 32; row++) {
        y.set(frame.y.subarray(row * size.width, row * size.width + 32), row * size.width);
      }
      return { ...ground, y };
    });
    const [first] = await factorsOf(frames, 4);
    const mbWidth = size.width / 16;
    expect(first!.factors[0]).toBeGreaterThan(1.2 * first!.factors[3 * mbWidth + 4]!);
  });

  it('noise over a still picture makes anchors coarser, and B pictures no finer; at a bit rate it does not count', async () => {
    const ground = sample('pan')[0]!;
    const noisy = sample('noise').map(({ y: noise }) => {
      const y = ground.y.map((pel, at) => Math.max(0, Math.min(255, pel + (noise[at]! - 128) / 12)));
      return { ...ground, y };
    });
    const still = noisy.map(() => ground);
    const withoutNoise = await factorsOf(noisy, 4, { bitrate: 200_000 });
    for (const [at, { plan, factors }] of (await factorsOf(noisy, 4)).entries()) {
      const coarser = mean(factors) / mean(withoutNoise[at]!.factors);
      if (plan.type === 'B') expect(coarser).toBe(1);
      else if (plan.displayNumber < 6) expect(coarser).toBeGreaterThan(1.05);
    }
    expect(await factorsOf(still, 4)).toEqual(await factorsOf(still, 4, { bitrate: 200_000 }));
  });

  it('changes the stream, whatever the number of threads alike', async () => {
    const frames = sample('snow');
    const { stream } = await encodeFrames(frames, { ...size, threads: 1 });
    expect((await encodeFrames(frames, { ...size, threads: 2 })).stream).toEqual(stream);
    const without = await encodeFrames(frames, { ...size, tools: { macroblockTree: false } });
    expect(without.stream).not.toEqual(stream);
  });

  it('at a bit rate, too, streams do not depend on timing', async () => {
    const frames = sample('zoom');
    const options = { ...size, bitrate: 200_000 };
    const { stream } = await encodeFrames(frames, { ...options, threads: 1 });
    expect((await encodeFrames(frames, { ...options, threads: 2 })).stream).toEqual(stream);
  });
});
