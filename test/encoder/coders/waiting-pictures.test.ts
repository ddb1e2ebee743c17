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
import { ReferencePictures } from '../../../src/encoder/picture/reference-pictures.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const GRID = macroblockGrid(48, 48);
const ROWS = 3;

/** Pictures named by type and display number that wait. The one that is called `filtered` is still filtered. */
function waitingPictures(coded: readonly string[], filtered = '') {
  const memory = new KernelMemory(coded.length * reconstructionBytes(GRID));
  const references = new ReferencePictures(
    memory,
    coded.map(() => allocateReconstruction(memory, GRID)),
  );
  const waiting = new WaitingPictures<ReturnType<typeof picture>, string>(memory, ROWS);
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
  for (const begun of targets.values()) waiting.add(begun).catch(() => {});
  return {
    waiting,
    filtering,
    /** Says that so many rows of a picture are final. */
    publish: (name: string, rows = ROWS) => publishRows(memory, targets.get(name)!.job.references.target!, rows),
    /** The names of the next pictures, each of which begins before any other ends. */
    take(count: number, isBusy = false) {
      const names: string[] = [];
      for (let i = 0; i < count; i++) {
        waiting.take({ isBusy }, async ({ name }) => {
          names.push(name);
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
  const { take, waiting, filtering } = waitingPictures(['I0', 'P3', 'B1', 'B2', 'P6', 'B4'], 'P6');
  expect(take(4)).toEqual(['I0', 'P3', 'B1', 'B2']);
  expect([waiting.hasNext, waiting.length]).toEqual([false, 2]);
  filtering.isOver = true;
  expect(take(2)).toEqual(['P6', 'B4']);
});

it('takes an anchor that is filtered by now before older B pictures', () => {
  const { take, filtering } = waitingPictures(['I0', 'P3', 'B1', 'B2', 'P6', 'B4'], 'P6');
  expect(take(3)).toEqual(['I0', 'P3', 'B1']);
  filtering.isOver = true;
  expect(take(3)).toEqual(['P6', 'B2', 'B4']);
});

it('takes a B picture that need not wait for rows before an older one', () => {
  const { take, publish } = waitingPictures(['I0', 'P3', 'B1', 'P6', 'B4', 'B5']);
  expect(take(3)).toEqual(['I0', 'P3', 'P6']);
  publish('P3');
  publish('P6');
  expect(take(1)).toEqual(['B4']); // I0 is not final
  publish('P6', ROWS - 1);
  expect(take(2)).toEqual(['B1', 'B5']);
});

it('gives a busy thread a B picture that need not wait for rows, and nothing else', () => {
  const { take, waiting, publish } = waitingPictures(['I0', 'P3', 'B1', 'B2', 'P6', 'B4']);
  expect(take(2)).toEqual(['I0', 'P3']);
  publish('I0');
  publish('P3', ROWS - 1);
  expect(waiting.hasFollower).toBe(false);
  publish('P3');
  expect(waiting.hasFollower).toBe(true);
  expect(take(2, true)).toEqual(['B1', 'B2']);
  expect([waiting.hasFollower, waiting.hasNext]).toEqual([false, true]); // P6 is an anchor, and B4 waits for it
  expect(take(1)).toEqual(['P6']);
});

it('resolves with what becomes of a picture, in whatever order they are taken', async () => {
  const memory = new KernelMemory(3 * reconstructionBytes(GRID));
  const references = new ReferencePictures(
    memory,
    [0, 1, 2].map(() => allocateReconstruction(memory, GRID)),
  );
  const waiting = new WaitingPictures<{ job: never }, string>(memory, ROWS);
  const add = (type: PictureType) =>
    waiting.add({ job: { plan: { type }, references: references.begin(type) } as never });
  const [anchor, failing] = [add('I'), add('P')];
  expect(waiting.length).toBe(2);
  const taken = waiting.take({ isBusy: false }, async () => 'coded');
  void waiting.take({ isBusy: false }, () => Promise.reject(new Error('it failed'))).catch(() => {});
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
