// Which of the pictures that wait is coded next: an anchor, a B picture that need not wait for rows, the oldest.
import { expect, it } from 'vitest';
import type { PictureType } from '../../../src/bitstream/picture-type.js';
import {
  maxWaitingPictures,
  WaitingPictures,
  waitingPicturesWithRoom,
} from '../../../src/encoder/coders/waiting-pictures.js';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import {
  allocateReconstruction,
  publishRows,
  reconstructionBytes,
} from '../../../src/encoder/picture/reconstructed-picture.js';
import { ReferencePictures, type References } from '../../../src/encoder/picture/reference-pictures.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const GRID = macroblockGrid(48, 48);
const ROWS = 3;

/**
 * Pictures named by type and display number that wait, and as many reconstructions, or `count`. The one that is called
 * `filtered` is still filtered.
 */
function waitingPictures(coded: readonly string[], count = coded.length, filtered = '') {
  const memory = new KernelMemory(count * reconstructionBytes(GRID));
  const reconstructions = Array.from({ length: count }, () => allocateReconstruction(memory, GRID));
  const references = new ReferencePictures(memory, reconstructions, 1);
  const waiting = new WaitingPictures<ReturnType<typeof picture>, string>({ memory, references }, ROWS);
  const filtering = { isOver: false };
  const picture = (name: string) => {
    const type = name[0] as PictureType;
    return {
      name,
      filtering: name === filtered ? filtering : undefined,
      job: { plan: { type } as PlannedPicture, references: references.begin(type) },
    };
  };
  const targets = new Map(coded.map(name => [name, picture(name)]));
  const taken = new Map<string, References>();
  for (const begun of targets.values()) waiting.add(begun).catch(() => {});
  return {
    waiting,
    filtering,
    /** Says that so many rows of a picture are final. */
    publish: (name: string, rows: number) => publishRows(memory, targets.get(name)!.job.references.target!, rows),
    /** The picture that was taken is handed out. */
    release: (name: string) => references.release(taken.get(name)!),
    mayBegin: (type: PictureType) => references.mayBegin(type),
    /** The names of the next pictures, each of which begins before any other ends. */
    take(count: number) {
      const names: string[] = [];
      for (let i = 0; i < count; i++) {
        waiting.take(async ({ name }, held) => {
          names.push(name);
          taken.set(name, held);
          return name;
        });
      }
      return names;
    },
  };
}

it('takes anchors first, in coded order, then the oldest picture', () => {
  const { take } = waitingPictures(['I0', 'P3', 'B1', 'B2', 'P6', 'B4']);
  expect(take(6)).toEqual(['I0', 'P3', 'P6', 'B1', 'B2', 'B4']);
});

it('takes B pictures before an anchor that is still filtered, and no picture after it', () => {
  const { take, waiting, filtering } = waitingPictures(['I0', 'P3', 'B1', 'B2', 'P6', 'B4'], 6, 'P6');
  expect(take(4)).toEqual(['I0', 'P3', 'B1', 'B2']);
  expect([waiting.hasNext, waiting.length]).toEqual([false, 2]);
  filtering.isOver = true;
  expect(take(2)).toEqual(['P6', 'B4']);
});

it('takes an anchor that is filtered by now before older B pictures', () => {
  const { take, filtering } = waitingPictures(['I0', 'P3', 'B1', 'B2', 'P6', 'B4'], 6, 'P6');
  expect(take(3)).toEqual(['I0', 'P3', 'B1']);
  filtering.isOver = true;
  expect(take(3)).toEqual(['P6', 'B2', 'B4']);
});

it('takes a B picture that need not wait for rows before an older one', () => {
  const { take, publish } = waitingPictures(['I0', 'P3', 'B1', 'P6', 'B4', 'B5']);
  expect(take(3)).toEqual(['I0', 'P3', 'P6']);
  publish('P3', ROWS);
  publish('P6', ROWS);
  expect(take(1)).toEqual(['B4']); // I0 is not final
  publish('P6', ROWS - 1);
  expect(take(2)).toEqual(['B1', 'B5']);
});

it('keeps the last free reconstruction for the B picture that has waited longest', () => {
  const { take, publish, release, waiting, mayBegin } = waitingPictures(['I0', 'P3', 'B1', 'P6', 'B4', 'B5'], 5);
  expect(take(3)).toEqual(['I0', 'P3', 'P6']);
  publish('P3', ROWS);
  publish('P6', ROWS);
  expect([take(1), mayBegin('P'), mayBegin('B')]).toEqual([['B4'], false, true]);
  // B5 need not wait for rows, yet B1 comes first.
  expect([take(1), waiting.hasNext, mayBegin('I')]).toEqual([['B1'], false, false]);
  for (const name of ['I0', 'P3', 'B1']) release(name);
  expect([waiting.hasNext, take(1), waiting.hasNext, waiting.length]).toEqual([true, ['B5'], false, 0]);
});

it('resolves with what becomes of a picture, in whatever order they are taken', async () => {
  const memory = new KernelMemory(3 * reconstructionBytes(GRID));
  const references = new ReferencePictures(
    memory,
    [0, 1, 2].map(() => allocateReconstruction(memory, GRID)),
    1,
  );
  const waiting = new WaitingPictures<{ job: never }, string>({ memory, references }, ROWS);
  const add = (type: PictureType) =>
    waiting.add({ job: { plan: { type }, references: references.begin(type) } as never });
  const [anchor, failing] = [add('I'), add('P')];
  expect(waiting.length).toBe(2);
  const taken = waiting.take(async () => 'coded');
  void waiting.take(() => Promise.reject(new Error('it failed'))).catch(() => {});
  expect(waiting.length).toBe(0);
  expect([await taken, await anchor]).toEqual(['coded', 'coded']);
  await new Promise(setImmediate); // a failure may wait until the pictures before are looked at
  await expect(failing).rejects.toThrow('it failed');
});

it.each([
  [2, 5, 5, 5, 5],
  [4, 6, 5, 9, 6],
  [14, 21, 14, 31, 21],
])('with %i threads %i wait and %i have room, with a GPU %i and %i', (threads, wait, room, waitOfGpu, roomOfGpu) => {
  expect([maxWaitingPictures(threads, false), waitingPicturesWithRoom(threads, false)]).toEqual([wait, room]);
  expect([maxWaitingPictures(threads, true), waitingPicturesWithRoom(threads, true)]).toEqual([waitOfGpu, roomOfGpu]);
});
