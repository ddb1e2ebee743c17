// The temporal filter of luma: SIMD equals the readable kernel; noise falls, other scenes and movement leave no mark.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { filterNumbers } from '../../src/encoder/picture/temporal-filter.js';
import { TEMPORAL_FILTER } from '../../src/kernels/records/picture-planes.js';
import { kernelPair, PEL_CONTENTS, seededRandom } from '../kernels/kernel-pair.js';
import { IS_SOAK } from '../support/soak.js';

const SEED = 0x5eed;
const RUNS = IS_SOAK ? 1000 : 150;
const MAX_PELS = 64 * 64;
const REFERENCES = [0, 1, 2, 3];

const pair = await kernelPair(1 << 16);
const current = pair.allocate(MAX_PELS);
const planes = REFERENCES.map(() => pair.allocate(MAX_PELS));
const [dx, dy] = [0, 1].map(() => REFERENCES.map(() => pair.allocate(2 * 16))) as [number[], number[]];
const job = pair.allocate(TEMPORAL_FILTER.bytes);
pair.allocate(64); // guard
const target = pair.allocate(MAX_PELS);
/** A room for the widest row, and as many pels before and behind it. */
const roomForRow = pair.allocate(3 * 16 * 64) + 16 * 64;

/** Of what is filtered: the size in macroblocks and what the record says. */
interface Filter {
  readonly mbWidth: number;
  readonly mbHeight: number;
  readonly pelRange: number;
  readonly blockRange: number;
  readonly strengths: readonly number[];
  /** That of the vectors of each reference; all 1 by default. */
  readonly signs?: readonly number[];
}

/** Writes the record in both memories, with `target` for what becomes of the plane. */
function prepare({ mbWidth, mbHeight, pelRange, blockRange, strengths, signs = [1, 1, 1, 1] }: Filter): void {
  const { strengths: wholes, ...ranges } = filterNumbers({ pels: pelRange, macroblock: blockRange }, strengths);
  const scalars = { target, current, mbWidth, mbHeight, count: strengths.length, ...ranges };
  for (const { memory } of [pair.reference, pair.simd]) {
    const record = Object.assign(TEMPORAL_FILTER.at(memory, job), scalars);
    record.planes.set(planes);
    record.dx.set(dx);
    record.dy.set(dy);
    record.signs.set(signs);
    record.strengths.set(wholes);
  }
}

/** Filters by both kernel sets, which must agree and write nothing else; what the plane becomes. */
function filter(given: Filter): Uint8Array {
  prepare(given);
  for (let mbY = 0; mbY < given.mbHeight; mbY++) filterRow(mbY);
  expect(pair.firstDifference()).toBe(-1);
  return pair.simd.memory.u8.slice(target, target + 256 * given.mbWidth * given.mbHeight);
}

/** Filters a row by both kernel sets, into the plane at `plane`. */
function filterRow(mbY: number, plane = target): void {
  for (const { memory, kernels } of [pair.reference, pair.simd]) {
    TEMPORAL_FILTER.at(memory, job).target = plane;
    kernels.filterLumaRow(job, mbY);
  }
}

/** Filters each row once more, from the last to the first, into the room for one: it gets that row and no other pel. */
function expectRowsAlone(filtered: Uint8Array, mbHeight: number): void {
  const rowBytes = filtered.length / mbHeight;
  const untouched = new Uint8Array(rowBytes).fill(9);
  for (let mbY = mbHeight - 1; mbY >= 0; mbY--) {
    const row = filtered.subarray(rowBytes * mbY, rowBytes * (mbY + 1));
    pair.fill(roomForRow - rowBytes, Buffer.concat([untouched, untouched, untouched]));
    filterRow(mbY, roomForRow - rowBytes * mbY);
    const around = pair.simd.memory.u8.subarray(roomForRow - rowBytes, roomForRow + 2 * rowBytes);
    expect(Buffer.compare(around, Buffer.concat([untouched, row, untouched]))).toBe(0);
  }
  expect(pair.firstDifference()).toBe(-1);
}

/** The plane of a function of x and y. */
const planeOf = (width: number, height: number, pelAt: (x: number, y: number) => number) =>
  Uint8Array.from({ length: width * height }, (_, i) =>
    Math.min(Math.max(Math.round(pelAt(i % width, Math.floor(i / width))), 0), 255),
  );
const scene = (x: number, y: number) =>
  128 + 50 * Math.sin(x / 2.3 + y / 7) + 40 * Math.cos(y / 2.1 - x / 9) + 10 * Math.sin((x * y) / 90);
/** Components of the vectors of a reference. */
const fillVectors = (at: number, components: readonly number[]) =>
  pair.fill(at, new Uint8Array(Int16Array.from(components).buffer));
const noVectors = () => {
  for (const at of [...dx, ...dy]) fillVectors(at, Array(16).fill(0));
};

describe('filterLumaRow: SIMD equals the reference, and writes nothing else', () => {
  const size = fc.constantFrom([1, 1], [3, 2], [4, 4]) as fc.Arbitrary<[number, number]>;
  const signs = fc.array(fc.constantFrom(1, -1), { minLength: 4, maxLength: 4 });
  /** All that the kernel takes: mostly nothing is near enough to count. */
  const any = fc.record({
    seed: fc.integer(),
    content: fc.constantFrom('scene', 'unlike', ...(['noise', 'extremes', 'ramp', 'flat', 'nearlyEqual'] as const)),
    size,
    pelRange: fc.oneof(fc.constantFrom(2.5, 3, 12, 64, 128, 181), fc.double({ min: 2.5, max: 181, noNaN: true })),
    blockRange: fc.constantFrom(0.5, 4, 20, 90, 255),
    strengths: fc.array(fc.constantFrom(0, 0.01, 0.3, 0.5), { maxLength: 4 }),
    signs,
    near: fc.boolean(),
  });
  /** As in an encode. */
  const usual = fc.record({
    seed: fc.integer(),
    content: fc.constantFrom('scene' as const, 'steps' as const),
    size,
    pelRange: fc.oneof(fc.constantFrom(2.5, 5.5, 8.1), fc.integer({ min: 10, max: 100 })),
    blockRange: fc.integer({ min: 5, max: 60 }),
    strengths: fc.array(fc.constantFrom(0.27, 0.4, 0.5), { minLength: 1, maxLength: 4, size: 'max' }),
    signs,
    near: fc.constant(true),
  });

  it('random planes, vectors and parameters', () => {
    let changed = 0;
    fc.assert(
      fc.property(
        fc.oneof(any, { arbitrary: usual, weight: 2 }),
        ({ seed, content, size: [mbWidth, mbHeight], near, ...parameters }) => {
          const random = seededRandom(seed);
          const [width, height] = [16 * mbWidth, 16 * mbHeight];
          /** Where the scene is, in pels: between pictures that are near, it moves by one pel at most. */
          const quarter = () => (near ? (random() % 5) - 2 : (random() % 17) - 8) / 4;
          for (const [i, at] of [current, ...planes].entries()) {
            const [shiftX, shiftY] = [quarter(), quarter()];
            const pelAt = (x: number, y: number) => {
              if (content === 'scene') return scene(x + shiftX, y + shiftY) + (random() % 7) - 3;
              if (content === 'unlike') return i === 0 ? 255 : 0;
              // Differences of a few sizes: SADs are often equal.
              if (content === 'steps') return 100 + 3 * (random() % 4);
              return PEL_CONTENTS[content](random, y * width + x + i);
            };
            pair.fill(at, planeOf(width, height, pelAt));
          }
          /** A legal component: anywhere, or one pel at most. */
          const component = (place: number, blocks: number) => {
            const last = 16 * (blocks - 1);
            const to = near ? 16 * place + (random() % 3) - 1 : random() % (last + 1);
            return Math.min(Math.max(to, 0), last) - 16 * place;
          };
          const addresses = Array.from({ length: mbWidth * mbHeight }, (_, address) => address);
          const across = () => addresses.map(address => component(address % mbWidth, mbWidth));
          const down = () => addresses.map(address => component(Math.floor(address / mbWidth), mbHeight));
          for (const at of dx) fillVectors(at, across());
          for (const at of dy) fillVectors(at, down());
          pair.fill(target, new Uint8Array(MAX_PELS).fill(7));
          const filtered = filter({ mbWidth, mbHeight, ...parameters });
          expectRowsAlone(filtered, mbHeight);
          const own = pair.simd.memory.u8.subarray(current, current + filtered.length);
          if (Buffer.compare(filtered, own) !== 0) changed++;
        },
      ),
      { seed: SEED, numRuns: RUNS },
    );
    expect(changed).toBeGreaterThan(RUNS / 3);
  });
});

describe('filterLumaRow', () => {
  const still = { mbWidth: 3, mbHeight: 3, pelRange: 30, blockRange: 25, strengths: [0.5, 0.5, 0.5, 0.5] };
  const clean = planeOf(48, 48, scene);

  it('takes noise from a still scene', () => {
    const random = seededRandom(SEED);
    const noise = () => ((random() % 9) + (random() % 9)) / 2 - 4;
    const noisy = [current, ...planes].map(at => {
      const pels = clean.map(pel => Math.min(Math.max(pel + noise(), 0), 255));
      pair.fill(at, pels);
      return pels;
    });
    noVectors();
    const error = (pels: Uint8Array) => pels.reduce((sum, pel, i) => sum + (pel - clean[i]!) ** 2, 0);
    const errors = [0, 1, 2, 3, 4].map(count => error(filter({ ...still, strengths: Array(count).fill(0.5) })));
    expect(errors[0]).toBe(error(noisy[0]!));
    // Each reference takes some; four alike leave two ninths of the noise at best, and roundings.
    for (const count of [1, 2, 3, 4]) expect(errors[count]).toBeLessThan(errors[count - 1]!);
    expect(errors[4]).toBeLessThan(0.35 * errors[0]!);
  });

  it('leaves a picture as it is beside references of another scene', () => {
    pair.fill(current, clean);
    for (const at of planes)
      pair.fill(
        at,
        planeOf(48, 48, (x, y) => 255 - scene(y, x + 5)),
      );
    noVectors();
    expect(filter(still)).toEqual(clean);
  });

  it('keeps what only one pel shows, where the rest of the block is the same', () => {
    pair.fill(current, clean.with(24 * 48 + 24, 255));
    for (const at of planes) pair.fill(at, clean.with(24 * 48 + 24, 0));
    noVectors();
    expect(filter(still)).toEqual(clean.with(24 * 48 + 24, 255));
  });

  it.each([
    ['its own', 4, 1],
    ['that to the left', 3, 1],
    ['that to the right', 5, 1],
    ['that above', 1, 1],
    ['that below', 7, 1],
    ['its own, reversed', 4, -1],
    ['that below, reversed', 7, -1],
  ])('follows the vector of a macroblock or of one beside it: %s', (_, address, sign) => {
    const spot = 24 * 48 + 24;
    const spotted = clean.with(spot, clean[spot]! + 20);
    pair.fill(current, spotted);
    pair.fill(
      planes[0]!,
      planeOf(48, 48, (x, y) => scene(x - 6, y + 5)),
    );
    noVectors();
    const filtered = () => filter({ ...still, pelRange: 100, strengths: [0.5], signs: Array(4).fill(sign) });
    expect(filtered()[spot]).toBe(spotted[spot]);
    const here = (component: number) => Array.from({ length: 9 }, (_, i) => (i === address ? sign * component : 0));
    fillVectors(dx[0]!, here(6));
    fillVectors(dy[0]!, here(-5));
    expect(filtered()[spot]).toBeLessThan(spotted[spot]! - 5);
  });

  it('stays in the plane where vectors lead out of it', () => {
    const spotted = clean.with(0, clean[0]! + 20);
    pair.fill(current, spotted);
    pair.fill(planes[0]!, clean);
    // Its own leads out to the left, the others by even more.
    fillVectors(dx[0]!, [1, 16, 16, 16, 16, 16, 16, 16, 16]);
    fillVectors(dy[0]!, Array(9).fill(0));
    const [filtered] = filter({ ...still, pelRange: 100, strengths: [0.5], signs: Array(4).fill(-1) });
    expect(filtered).toBeLessThan(spotted[0]! - 5);
  });

  it.each([-2, -1, 0, 1, 2].flatMap(fx => [-2, -1, 0, 1, 2].map(fy => [fx, fy] as const)))(
    'finds a movement of %i and %i quarter-pels beside the vectors',
    (fx, fy) => {
      // Waves along each axis, so that what moves along one does not look like a movement along the other.
      const waves = (x: number, y: number) => 128 + 50 * Math.sin(x / 2.3) + 50 * Math.cos(y / 2.1);
      const clean = planeOf(48, 48, waves);
      // The reference has them farther to the right and below, by so much more than 2 and -1 pels.
      const moved = planeOf(48, 48, (x, y) => waves(x - 2 - fx / 4, y + 1 - fy / 4));
      const spot = 24 * 48 + 24;
      const spotted = clean.with(spot, clean[spot]! + 12);
      pair.fill(current, spotted);
      pair.fill(planes[0]!, moved);
      fillVectors(dx[0]!, [2, 2, 0, 2, 2, 0, 2, 2, 0]);
      fillVectors(dy[0]!, [0, 0, 0, -1, -1, -1, -1, -1, -1]);
      // A difference of 3.5 is too much: none but the right quarter-pel comes so near, and takes from the spot.
      const result = filter({ ...still, pelRange: 100, blockRange: 3.5, strengths: [0.5] });
      expect(result[spot]! - clean[spot]!).toBeLessThan(9.5);
      for (let y = 16; y < 32; y++) {
        for (let x = 16; x < 32; x++) {
          if (y * 48 + x === spot) continue;
          expect(Math.abs(result[y * 48 + x]! - clean[y * 48 + x]!)).toBeLessThanOrEqual(2);
        }
      }
    },
  );
});
