// With one thread, frames come while pictures are coded.
import { afterEach, expect, it, vi } from 'vitest';
import { Coder } from '../../src/encoder/coders/coder.js';
import { encodeFrames } from '../support/encode.js';
import { uniformFrame } from '../support/uniform-frames.js';

const SIZE = { width: 64, height: 48 };

/** How often the event loop has turned. */
let turns = 0;
let counting: NodeJS.Immediate | undefined;

function countTurns(): void {
  turns++;
  counting = setImmediate(countTurns);
}

afterEach(() => {
  clearImmediate(counting);
  vi.restoreAllMocks();
});

it('between two pictures the event loop turns: a frame that has been read is taken, and the next one is read', async () => {
  countTurns();
  const turnsAt: number[] = [];
  const { code } = Coder.prototype;
  vi.spyOn(Coder.prototype, 'code').mockImplementation(function (this: Coder, job) {
    turnsAt.push(turns);
    return code.call(this, job);
  });
  const frames = Array.from({ length: 12 }, (_, number) => uniformFrame(SIZE, 16 * number));
  const { units } = await encodeFrames(frames, { ...SIZE, preset: 'fastest', bFrames: 2 });
  expect(units.map(({ pictureType }) => pictureType).join('')).toBe('IPBBPBBPBBPB');
  expect(turnsAt).toHaveLength(frames.length);
  expect(turnsAt).toEqual([...new Set(turnsAt)]);
});
