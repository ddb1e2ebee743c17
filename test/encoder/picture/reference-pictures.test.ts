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
import { ReferencePictures, type References } from '../../../src/encoder/picture/reference-pictures.js';
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
  reconstructions: fc.integer({ min: 3, max: 9 }),
  threads: fc.integer({ min: 1, max: 4 }),
  choices: fc.infiniteStream(fc.nat(1000)),
});

interface TestPicture {
  state: 'waiting' | 'being coded' | 'coded';
  readonly type: PictureType;
  readonly references: References;
  /** Coded numbers of its anchors. */
  readonly past: number;
  readonly future: number;
}

it('codes all pictures in any order that they may be coded in', () => {
  fc.assert(
    fc.property(orders, ({ types, reconstructions, threads, choices }) => {
      const memory = new KernelMemory(reconstructions * reconstructionBytes(GRID));
      const all = Array.from({ length: reconstructions }, () => allocateReconstruction(memory, GRID));
      const references = new ReferencePictures(memory, all);
      const pictures: TestPicture[] = [];
      /** Whose reconstruction it is. */
      const owners = new Map<ReconstructedPicture, number>();
      let anchors = [0, 0] as [past: number, future: number];
      let handedOut = 0;
      const wrong: string[] = [];

      const begin = (type: PictureType) => {
        const number = pictures.length;
        const held = references.begin(type);
        if (held.target) {
          owners.set(held.target, number);
          // Nobody may read rows of the picture that it had before.
          if (finalRows(memory, held.target) > 0) wrong.push(`the final rows of picture ${number}`);
        }
        if ((held.target === undefined) !== (type === 'B')) wrong.push(`where picture ${number} is reconstructed`);
        if (type !== 'B') anchors = [anchors[1], number];
        const past = type === 'B' ? anchors[0] : type === 'P' ? anchors[0] : number;
        pictures.push({ state: 'waiting', type, references: held, past, future: type === 'B' ? anchors[1] : past });
      };
      const take = (picture: TestPicture) => {
        picture.state = 'being coded';
      };
      const finish = (picture: TestPicture) => {
        picture.state = 'coded';
        if (picture.references.target) publishRows(memory, picture.references.target, 1);
      };
      const handOut = () => references.release(pictures[handedOut++]!.references);

      while (handedOut < types.length) {
        const next = types[pictures.length];
        const waiting = pictures.filter(({ state }) => state === 'waiting');
        const coding = pictures.filter(({ state }) => state === 'being coded');
        const anchor = waiting.find(({ type }) => type !== 'B');
        const mayTake = anchor ? [anchor] : waiting;
        const steps = [
          ...(next && references.mayBegin(next) ? [() => begin(next)] : []),
          ...(coding.length < threads ? mayTake.map(picture => () => take(picture)) : []),
          ...coding.map(picture => () => finish(picture)),
          ...(pictures[handedOut]?.state === 'coded' ? [handOut] : []),
        ];
        if (steps.length === 0) throw new Error(`nothing can be done after ${handedOut} pictures`);
        steps[choices.next().value! % steps.length]!();
        for (const [i, { references: held, past, future }] of pictures.entries()) {
          if (i < handedOut) continue;
          if (owners.get(held.past) !== past) wrong.push(`the past of picture ${i}`);
          if (owners.get(held.future) !== future) wrong.push(`the future of picture ${i}`);
          if (held.target && owners.get(held.target) !== i) wrong.push(`the target of picture ${i}`);
        }
        if (wrong.length > 0) break;
      }
      expect(wrong).toEqual([]);
    }),
    { numRuns: 100 },
  );
});
