import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { motionDifferenceBits } from '../../../src/bitstream/tables/motion-vector-codes.js';
import type { Kernels } from '../../../src/kernels/kernels.js';
import { PLANES_RECORD_BYTES } from '../../../src/kernels/macroblock-kernels.js';
import {
  JOINT_SEARCH,
  JOINT_SEARCH_BYTES,
  VECTOR_SEARCH,
  VECTOR_SEARCH_BYTES,
} from '../../../src/kernels/vector-kernels.js';
import { kernelPair, seededRandom } from '../../kernels/kernel-pair.js';

const SEED = 0x5eed;
const MB_WIDTH = 4;
const MB_HEIGHT = 3;
const WIDTH = 16 * MB_WIDTH;
const PELS = WIDTH * 16 * MB_HEIGHT;
const CANDIDATES = 8;
const MACROBLOCKS = MB_WIDTH * MB_HEIGHT;
const F_CODE = 2;
const LEAST = -(16 << (F_CODE - 1));

const pair = await kernelPair(1 << 17);
const bits = motionDifferenceBits(F_CODE);
const differenceBits = pair.allocate(bits.length);
pair.fill(differenceBits, bits);

function allocatePicture(): { record: number; pels: number } {
  const record = pair.allocate(PLANES_RECORD_BYTES);
  const pels = pair.allocate(PELS);
  pair.fill(record, new Uint8Array(new Int32Array([pels, 0, 0, WIDTH, 0]).buffer));
  return { record, pels };
}

pair.allocate(2 * WIDTH); // neighbours of the first row are read, never used
const source = allocatePicture();
const past = allocatePicture();
const future = allocatePicture();
const vectors = Array.from({ length: 4 }, () => pair.allocate(2 * MACROBLOCKS * CANDIDATES));
const forward = pair.allocate(VECTOR_SEARCH_BYTES);
const backward = pair.allocate(VECTOR_SEARCH_BYTES);
const joint = pair.allocate(JOINT_SEARCH_BYTES);
const scratch = pair.allocate(256);

const given = fc.record({
  seed: fc.integer(),
  /** How far pels lie apart: little, so that many vectors cost the same. */
  amplitude: fc.constantFrom(1, 8, 255),
  mbX: fc.integer({ min: 0, max: MB_WIDTH - 1 }),
  mbY: fc.integer({ min: 0, max: MB_HEIGHT - 1 }),
  predictedX: fc.integer({ min: LEAST, max: -LEAST - 1 }),
  predictedY: fc.integer({ min: LEAST, max: -LEAST - 1 }),
  candidates: fc.integer({ min: 0, max: CANDIDATES }),
  neighbours: fc.constantFrom(0, 1),
  rounds: fc.integer({ min: 0, max: 8 }),
  lambda: fc.constantFrom(0, 0.921954, 7.375, 300.3),
});
type Given = typeof given extends fc.Arbitrary<infer T> ? T : never;

/** A search with the vectors of the field at `field` and those chosen so far at `field + 2`. */
function fillSearch(search: number, reference: number, field: number, job: Given): void {
  const record = new ArrayBuffer(VECTOR_SEARCH_BYTES);
  const { candidates, rounds, lambda, neighbours } = job;
  const words = {
    source: source.record,
    reference,
    differenceBits: differenceBits + (64 << (F_CODE - 1)),
    least: LEAST,
    greatest: -LEAST - 1,
    right: 32 * (MB_WIDTH - 1),
    bottom: 32 * (MB_HEIGHT - 1),
    rounds,
    mbWidth: MB_WIDTH,
    candidates,
    fieldX: vectors[field]!,
    fieldY: vectors[1 - field]!,
    chosenX: vectors[field + 2]!,
    chosenY: vectors[3 - field]!,
    neighbours,
  };
  for (const [name, value] of Object.entries(words)) {
    new Int32Array(record)[VECTOR_SEARCH[name as keyof typeof words] / 4] = value;
  }
  new Float64Array(record)[VECTOR_SEARCH.lambda / 8] = lambda;
  pair.fill(search, new Uint8Array(record));
}

/** Runs kernels of both sets over the same memory; the whole memory, guards included, must be equal. */
function bothAgree(run: (kernels: Kernels, given: Given) => void): void {
  fc.assert(
    fc.property(given, job => {
      const random = seededRandom(job.seed);
      const noise = () => Uint8Array.from({ length: PELS }, () => random() % (job.amplitude + 1));
      for (const { pels } of [source, past, future]) pair.fill(pels, noise());
      for (const at of vectors) {
        const components = Int16Array.from({ length: MACROBLOCKS * CANDIDATES }, () => (random() % 25) - 12);
        pair.fill(at, new Uint8Array(components.buffer));
      }
      fillSearch(forward, past.record, 0, job);
      fillSearch(backward, future.record, 1, job);
      const words = new Int32Array(JOINT_SEARCH_BYTES / 4);
      const { rounds } = job;
      for (const [name, value] of Object.entries({ forward, backward, rounds, scratch })) {
        words[JOINT_SEARCH[name as keyof typeof JOINT_SEARCH] / 4] = value;
      }
      pair.fill(joint, new Uint8Array(words.buffer));
      for (const { kernels } of [pair.reference, pair.simd]) run(kernels, job);
      expect(pair.firstDifference()).toBe(-1);
    }),
    { seed: SEED, numRuns: 300 },
  );
}

describe('vector kernels: SIMD equals the reference, and writes nothing else', () => {
  it('findVector', () =>
    bothAgree((k, { mbX, mbY, predictedX, predictedY }) => k.findVector(forward, mbX, mbY, predictedX, predictedY)));
  it('refineJointly', () =>
    bothAgree((k, { mbX, mbY, predictedX, predictedY }) => {
      k.findVector(forward, mbX, mbY, predictedX, predictedY);
      k.findVector(backward, mbX, mbY, predictedY, predictedX);
      k.refineJointly(joint);
    }));
});

describe('vector kernels: known answers', () => {
  it('find a block that moved by half a pel', () => {
    const ramp = Uint8Array.from({ length: PELS }, (_, i) => 2 * (i % WIDTH) + 40 * (Math.floor(i / WIDTH) % 5));
    pair.fill(past.pels, ramp);
    const moved = ramp.map(value => value + 1);
    pair.fill(source.pels, moved);
    for (const at of vectors) pair.fill(at, new Uint8Array(2 * MACROBLOCKS * CANDIDATES));
    const job = { seed: 0, amplitude: 1 as const, mbX: 1, mbY: 1, predictedX: 0, predictedY: 0 };
    fillSearch(forward, past.record, 0, {
      ...job,
      candidates: 1,
      neighbours: 0 as const,
      rounds: 1,
      lambda: 0.921954 as const,
    });
    pair.simd.kernels.findVector(forward, 1, 1, 0, 0);
    const answer = (field: 'x' | 'y' | 'sad' | 'zeroSad') => pair.simd.memory.i32[(forward + VECTOR_SEARCH[field]) / 4];
    expect([answer('x'), answer('y'), answer('sad'), answer('zeroSad')]).toEqual([1, 0, 0, 256]);
    expect(pair.simd.memory.f64[(forward + VECTOR_SEARCH.cost) / 8]).toBe(
      0.921954 * (bits[bits.length >> 1]! + bits[1 + (bits.length >> 1)]!),
    );
  });
});
