// There are enough reconstructions for any order of coding, and none is used again while it is read.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import {
  allocateReconstruction,
  finalRows,
  publishRows,
  type ReconstructedPicture,
  reconstructionBytes,
} from '../../../src/encoder/picture/reconstructed-picture.js';
import {
  type BegunReferences,
  ReferencePictures,
  type References,
} from '../../../src/encoder/picture/reference-pictures.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const GRID = macroblockGrid(16, 16);

/** The types in coded order of anchors, each followed by its B pictures; the first has none. */
const codedTypes = fc
  .array(fc.record({ anchor: fc.constantFrom<PictureType>('I', 'P'), bPictures: fc.nat(4) }), { maxLength: 12 })
  .map(groups => groups.flatMap(({ anchor, bPictures }) => [anchor, ...Array<PictureType>(bPictures).fill('B')]))
  .map((types): PictureType[] => ['I', ...types]);

const orders = fc.record({
  types: codedTypes,
  reconstructions: fc.integer({ min: 4, max: 9 }),
  threads: fc.integer({ min: 1, max: 4 }),
  forB: fc.integer({ min: 1, max: 6 }),
  choices: fc.infiniteStream(fc.nat(1000)),
});

interface TestPicture {
  state: 'waiting' | 'being coded' | 'coded';
  readonly type: PictureType;
  readonly begun: BegunReferences;
  references?: References;
  /** Coded numbers of its anchors. */
  readonly past: number;
  readonly future: number;
}

it('codes all pictures in any order that they may be coded in', () => {
  fc.assert(
    fc.property(orders, ({ types, reconstructions, threads, forB, choices }) => {
      const memory = new KernelMemory(reconstructions * reconstructionBytes(GRID));
      const all = Array.from({ length: reconstructions }, () => allocateReconstruction(memory, GRID));
      const references = new ReferencePictures(memory, all, forB);
      const pictures: TestPicture[] = [];
      /** Whose reconstruction it is. */
      const owners = new Map<ReconstructedPicture, number>();
      let anchors = [0, 0] as [past: number, future: number];
      let handedOut = 0;
      const wrong: string[] = [];
      const own = (target: ReconstructedPicture, number: number) => {
        owners.set(target, number);
        // Nobody may read rows of the picture that it had before.
        if (finalRows(memory, target) > 0) wrong.push(`the final rows of picture ${number}`);
      };

      const begin = (type: PictureType) => {
        const number = pictures.length;
        const begun = references.begin(type);
        if (begun.target) own(begun.target, number);
        if (type !== 'B') anchors = [anchors[1], number];
        const past = type === 'B' ? anchors[0] : type === 'P' ? anchors[0] : number;
        pictures.push({ state: 'waiting', type, begun, past, future: type === 'B' ? anchors[1] : past });
      };
      const take = (picture: TestPicture) => {
        picture.state = 'being coded';
        picture.references = references.complete(picture.begun);
        if (picture.type === 'B') own(picture.references.target, pictures.indexOf(picture));
      };
      const finish = (picture: TestPicture) => {
        picture.state = 'coded';
        publishRows(memory, picture.references!.target, 1);
      };
      const handOut = () => references.release(pictures[handedOut++]!.references!);

      while (handedOut < types.length) {
        const next = types[pictures.length];
        const waiting = pictures.filter(({ state }) => state === 'waiting');
        const coding = pictures.filter(({ state }) => state === 'being coded');
        const anchor = waiting.find(({ type }) => type !== 'B');
        const mayTake = anchor ? [anchor] : waiting.filter((_, index) => references.mayComplete(index === 0));
        const steps = [
          ...(next && references.mayBegin(next) ? [() => begin(next)] : []),
          ...(coding.length < threads ? mayTake.map(picture => () => take(picture)) : []),
          ...coding.map(picture => () => finish(picture)),
          ...(pictures[handedOut]?.state === 'coded' ? [handOut] : []),
        ];
        if (steps.length === 0) throw new Error(`nothing can be done after ${handedOut} pictures`);
        steps[choices.next().value! % steps.length]!();
        for (const [i, { begun, references: held, past, future }] of pictures.entries()) {
          if (i < handedOut) continue;
          if (owners.get(begun.past) !== past) wrong.push(`the past of picture ${i}`);
          if (owners.get(begun.future) !== future) wrong.push(`the future of picture ${i}`);
          if (held && owners.get(held.target) !== i) wrong.push(`the target of picture ${i}`);
        }
        if (wrong.length > 0) break;
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 100 },
  );
});

it('anchors leave reconstructions to B pictures that wait, as many as these are, up to a limit', () => {
  const memory = new KernelMemory(12 * reconstructionBytes(GRID));
  const all = Array.from({ length: 12 }, () => allocateReconstruction(memory, GRID));
  const references = new ReferencePictures(memory, all, 3);
  const waiting: BegunReferences[] = [];
  references.begin('I');
  let anchors = 1;
  while (references.mayBegin('P')) {
    references.begin('P');
    anchors++;
    waiting.push(references.begin('B'));
  }
  expect([anchors, waiting.length]).toEqual([9, 8]);
  // Three B pictures can be coded at the same time.
  for (const { past, future } of waiting.splice(0, 3)) {
    expect(references.mayComplete(true)).toBe(true);
    references.complete({ past, future, target: undefined });
  }
  expect(references.mayComplete(true)).toBe(false);
});
