// The block-matching searches and the preparation of planes: SIMD equals the readable kernels.
import { describe, expect, it } from 'vitest';
import type { SearchKernels } from '../../../src/kernels/contracts/search-kernels.js';
import { MAX_CANDIDATES, SEARCH_JOB } from '../../../src/kernels/records/search-job.js';
import { type KernelPair, kernelPair, seededRandom } from '../../kernels/kernel-pair.js';
import { pairwise, wholeGrid } from '../../support/pairwise.js';
import { IS_SOAK } from '../../support/soak.js';

const SEARCHES = [
  'searchExhaustively',
  'searchByElimination',
  'searchNeighbourhoods',
  'searchLogarithmically',
  'searchPredictively',
] as const;
type SearchName = (typeof SEARCHES)[number];

interface Case {
  readonly width: number;
  readonly height: number;
  readonly blockSize: number;
  readonly metric: 0 | 1;
  readonly rangeX: number;
  readonly rangeY: number;
  readonly candidates: number;
  readonly level: number;
  readonly lambda: number;
}

const GUARD = 64;
const KEPT = 3;

/** Planes of noise, of few values (many ties), and smooth with noise. */
function fillPlane(pair: KernelPair, at: number, width: number, height: number, kind: number, seed: number): void {
  const random = seededRandom(seed);
  const pels = Uint8Array.from({ length: width * height }, (_, i) => {
    if (kind === 0) return random() & 255;
    if (kind === 1) return random() % 8 === 0 ? 255 : 0;
    return 120 + 60 * Math.sin((i % width) / 5) + 50 * Math.cos(Math.floor(i / width) / 4) + (random() % 8);
  });
  pair.fill(at, pels);
}

/** Runs one search in both kernel sets over the same memory; the whole memories must come out equal. */
function compare(pair: KernelPair, name: SearchName, test: Case, seed: number): void {
  const { width, height, blockSize, level } = test;
  const pels = width * height;
  const blocks = pels / blockSize ** 2;
  const random = seededRandom(seed);
  const guarded = (bytes: number): number => {
    const before = pair.allocate(GUARD);
    const at = pair.allocate(bytes);
    pair.fill(before, new Uint8Array(GUARD).fill(0xa5));
    pair.fill(pair.allocate(GUARD), new Uint8Array(GUARD).fill(0x5a));
    return at;
  };
  const current = guarded(pels);
  const reference = guarded(pels);
  fillPlane(pair, current, width, height, seed % 3, seed);
  fillPlane(pair, reference, width, height, seed % 3, seed + 1000);
  const tableBytes = 4 * ((Math.max(test.rangeX, test.rangeY) + 1) << level);
  const table = new Uint32Array(tableBytes / 4).map((_, d) =>
    Math.round(test.lambda * (d === 0 ? 1 : 3 + Math.log2(d))),
  );
  const [penaltyX, penaltyY] = [guarded(tableBytes), guarded(tableBytes)];
  for (const at of [penaltyX, penaltyY]) pair.fill(at, new Uint8Array(table.buffer));
  const kept = [0, 1].map(axis => {
    const at = guarded(2 * blocks * KEPT);
    const range = axis === 0 ? test.rangeX : test.rangeY;
    const vectors = Int16Array.from({ length: blocks * KEPT }, (_, i) =>
      i % KEPT === 0 ? 0 : (random() % (range + 1)) - (range >> 1),
    );
    pair.fill(at, new Uint8Array(vectors.buffer));
    return at;
  });
  const fields = {
    ...test,
    rangeX: Math.min(test.rangeX, width - blockSize),
    rangeY: Math.min(test.rangeY, height - blockSize),
    current,
    reference,
    sums4: guarded(2 * pels),
    sums8: guarded(2 * pels),
    sums16: guarded(2 * pels),
    penaltyX,
    penaltyY,
    dx: guarded(2 * blocks * test.candidates),
    dy: guarded(2 * blocks * test.candidates),
    cost: guarded(4 * blocks * test.candidates),
    kept: KEPT,
    keptDx: kept[0],
    keptDy: kept[1],
    radius: 1 + (seed % 2),
  };
  const { lambda: _, ...words } = fields;
  for (const { memory, kernels } of [pair.reference, pair.simd]) {
    const { pointer: job } = SEARCH_JOB.allocate(memory, words);
    if (width >= 4 && height >= 4)
      kernels.blockSums(fields.sums4, fields.sums8, fields.sums16, reference, width, height);
    for (let row = 0; row < height / blockSize; row++) (kernels as SearchKernels)[name](job, row);
  }
  // What block sums leave undefined is not compared: the SIMD kernels fill it with what they read.
  for (const sums of [fields.sums4, fields.sums8, fields.sums16]) {
    pair.simd.memory.u8.set(pair.reference.memory.u8.subarray(sums, sums + 2 * pels), sums);
  }
  expect(pair.firstDifference(), `${name} ${JSON.stringify(test)}, seed ${seed}`).toBe(-1);
}

const CHOICES = {
  size: [
    [16, 16],
    [48, 32],
    [80, 48],
  ],
  metric: [0, 1] as const,
  range: [
    [1, 1],
    [7, 5],
    [33, 16],
    [100, 100],
  ],
  cost: [
    { level: 0, lambda: 0 },
    { level: 0, lambda: 5 },
    { level: 2, lambda: 7 },
  ],
  candidates: [1, 4, MAX_CANDIDATES],
  kind: [0, 1, 2],
};

describe.each(SEARCHES)('SIMD %s equals its reference', name => {
  it.each([16, 8, 4, 2])('for blocks of %i pels', async blockSize => {
    const rows = IS_SOAK ? wholeGrid(CHOICES) : pairwise(CHOICES);
    expect(rows.length).toBeGreaterThanOrEqual(12);
    for (const [turn, { size, metric, range, cost, candidates, kind }] of rows.entries()) {
      // The reference is slow where blocks are small and the window is the whole of the largest picture.
      const isSlow = blockSize < 8 && size[0] === 80 && range[0] === 100;
      const [width, height] = isSlow ? [48, 32] : size;
      const [rangeX, rangeY] = range;
      const pair = await kernelPair(1_000_000);
      const seed = 3 * turn + kind;
      compare(pair, name, { width, height, blockSize, metric, rangeX, rangeY, candidates, ...cost }, seed);
    }
  });
});

describe('SIMD searchByElimination', () => {
  it.each([
    ['the largest differences', 255, 0],
    ['no difference', 200, 200],
  ])('is exact at %s', async (_, first, second) => {
    for (const metric of [0, 1] as const) {
      const { simd } = await kernelPair(400_000);
      const { memory, kernels } = simd;
      const [width, height] = [64, 48];
      const take = (bytes: number) => memory.allocate(bytes);
      const [current, reference] = [take(width * height), take(width * height)];
      memory.u8.fill(first, current, current + width * height);
      memory.u8.fill(second, reference, reference + width * height);
      const sums = {
        sums4: take(2 * width * height),
        sums8: take(2 * width * height),
        sums16: take(2 * width * height),
      };
      const answer = { dx: take(256), dy: take(256), cost: take(512) };
      const penalties = { penaltyX: take(256), penaltyY: take(256) };
      const size = { width, height, blockSize: 16, metric, rangeX: 20, rangeY: 20, candidates: 4 };
      const { pointer: job } = SEARCH_JOB.allocate(memory, {
        ...size,
        current,
        reference,
        ...sums,
        ...answer,
        ...penalties,
      });
      kernels.blockSums(sums.sums4, sums.sums8, sums.sums16, reference, width, height);
      for (let row = 0; row < 3; row++) kernels.searchByElimination(job, row);
      const worst = 256 * Math.abs(first - second) ** (metric + 1);
      // The block at (16, 16): all vectors cost the same, so the four nearest come, in the order of ties.
      const entry = 5 * 4;
      const pick = (pointer: number) => [...memory.i16.subarray(pointer / 2 + entry, pointer / 2 + entry + 4)];
      expect(pick(answer.dx)).toEqual([0, 0, -1, 1]);
      expect(pick(answer.dy)).toEqual([0, -1, 0, 0]);
      expect([...memory.u32.subarray(answer.cost / 4, answer.cost / 4 + 48)]).toEqual(new Array(48).fill(worst));
    }
  });
});

describe('SIMD kernels that prepare a plane', () => {
  it.each([
    [2, 2],
    [4, 2],
    [6, 10],
    [16, 16],
    [20, 12],
    [48, 32],
    [80, 48],
    [352, 16],
    [4096, 4],
  ])('halve %i x %i pels as the reference does', async (width, height) => {
    const pair = await kernelPair(200_000);
    const source = pair.allocate(width * height);
    const random = seededRandom(width * height);
    pair.fill(
      source,
      Uint8Array.from({ length: width * height }, () => (random() % 3 === 0 ? 255 : random() & 255)),
    );
    const before = pair.allocate(GUARD);
    const target = pair.allocate((width * height) / 4);
    pair.fill(before, new Uint8Array(GUARD).fill(0xa5));
    pair.fill(target, new Uint8Array((width * height) / 4 + GUARD).fill(0x5a));
    for (const { kernels } of [pair.reference, pair.simd]) kernels.halvePlane(target, source, width, height);
    expect(pair.firstDifference()).toBe(-1);
    const written = pair.simd.memory.u8.subarray(target, target + (width * height) / 4);
    expect(written.some(pel => pel !== 0x5a)).toBe(true);
  });

  it.each([
    [4, 4],
    [12, 8],
    [16, 16],
    [20, 36],
    [48, 32],
    [96, 64],
  ])('sum the blocks of %i x %i pels as the reference does', async (width, height) => {
    const pair = await kernelPair(200_000);
    const plane = pair.allocate(width * height);
    const random = seededRandom(width + height);
    pair.fill(
      plane,
      Uint8Array.from({ length: width * height }, () => (random() % 2 === 0 ? 255 : random() & 255)),
    );
    const targets = [4, 8, 16].map(() => {
      const at = pair.allocate(2 * width * height);
      pair.fill(pair.allocate(GUARD), new Uint8Array(GUARD).fill(0xa5));
      return at;
    });
    for (const { kernels } of [pair.reference, pair.simd]) {
      kernels.blockSums(targets[0], targets[1], targets[2], plane, width, height);
    }
    const differing: string[] = [];
    [4, 8, 16].forEach((size, index) => {
      for (let y = 0; y <= height - size; y++) {
        for (let x = 0; x <= width - size; x++) {
          const at = targets[index] / 2 + y * width + x;
          const [sum, expected] = [pair.simd.memory.u16[at], pair.reference.memory.u16[at]];
          if (sum !== expected) differing.push(`${size}x${size} at (${x}, ${y}): ${sum}, expected ${expected}`);
        }
      }
      const end = targets[index] + 2 * width * height;
      expect([...pair.simd.memory.u8.subarray(end, end + GUARD)]).toEqual(new Array(GUARD).fill(0xa5));
    });
    expect(differing).toEqual([]);
  });
});
