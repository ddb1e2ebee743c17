// The groups of a live encode: where they begin, and which columns of a picture are intra.
import { describe, expect, it } from 'vitest';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import { createLiveGroups } from '../../../src/encoder/live/create-live-groups.js';
import { checkLeftOut } from '../../../src/encoder/live/leave-out-check.js';
import { LiveGroups } from '../../../src/encoder/live/live-groups.js';
import { sparsePictureBits } from '../../../src/encoder/rate-control/buffer/sparse-picture.js';
import { SparseReserve } from '../../../src/encoder/rate-control/buffer/sparse-reserve.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import { InputError } from '../../../src/errors.js';

/** The plans of frames: a key frame is requested before each `K`, and so many are left out at a digit. */
function plansOf(groups: LiveGroups, frames: string): PlannedPicture[] {
  return [...frames].flatMap(frame => {
    if (frame >= '1' && frame <= '9') return [...groups.leaveOut(Number(frame))];
    if (frame === 'K') groups.requestKeyFrame();
    groups.addFrame();
    return [groups.takePlan()];
  });
}

const typesOf = (plans: readonly PlannedPicture[]) => plans.map(({ type }) => type).join('');

describe('the groups of a live encode', () => {
  it('are numbered in the stream, where repetitions have places, too', () => {
    const plans = plansOf(new LiveGroups(4), '..2..K1.');
    expect(typesOf(plans)).toBe('IPPPPPIPP');
    expect(plans.map(({ temporalReference }) => temporalReference)).toEqual([0, 1, 2, 3, 4, 5, 0, 1, 2]);
    expect(plans.map(({ groupStart }) => groupStart)).toEqual([0, 0, 0, 0, 0, 0, 6, 6, 6]);
    expect(plans.map(({ displayNumber, repeatsBefore = 0 }) => displayNumber + repeatsBefore)).toEqual([
      0, 1, 2, 3, 4, 5, 6, 7, 8,
    ]);
  });

  it('end after so many frames, counted from the last key frame', () => {
    expect(typesOf(plansOf(new LiveGroups(4), '......K.......'))).toBe('IPPPIPIPPPIPPP');
  });

  it('are closed where an I picture begins them, and not where a P picture does', () => {
    const closed = (groups: LiveGroups, frames: string) =>
      plansOf(groups, frames)
        .filter(({ startsGroup }) => startsGroup)
        .map(({ type, closedGroup }) => [type, closedGroup]);
    expect(closed(new LiveGroups(2), '....')).toEqual([
      ['I', true],
      ['I', true],
    ]);
    expect(closed(new LiveGroups(2, 6), '....')).toEqual([
      ['I', true],
      ['P', false],
    ]);
  });
});

describe('refresh by columns', () => {
  const drawn = (groups: LiveGroups, frames: string, columns: number) =>
    plansOf(groups, frames).map(({ refreshColumns: range }) => {
      if (!range) return 'I';
      return Array.from({ length: columns }, (_, x) => (x >= range.first && x < range.end ? '#' : '.')).join('');
    });

  it('goes from left to right, as the drawing has it', () => {
    const group = ['#.....', '.##...', '...#..', '....##'];
    expect(drawn(new LiveGroups(4, 6), '........', 6)).toEqual(['I', ...group.slice(1), ...group]);
  });

  it('begins anew after a key frame', () => {
    expect(drawn(new LiveGroups(4, 4), '..K..', 4)).toEqual(['I', '.#..', 'I', '.#..', '..#.']);
  });
});

describe("a key frame that the decoder's buffer cannot hold yet", () => {
  const shape = { macroblocks: 120, slices: 1, gop: 100 };
  const intraBits = sparsePictureBits('I', shape);
  const gainedBits = 1000;
  const buffer = {
    isConstantRate: false,
    sizeBits: 10 * intraBits,
    startBits: 10 * intraBits,
    fillBits: sparsePictureBits('P', shape, 1) + gainedBits,
  };
  /** How many pictures after an I picture the buffer holds another. */
  const pictures = Math.ceil((intraBits - buffer.fillBits) / gainedBits);
  const groups = () => new LiveGroups(shape.gop, undefined, new SparseReserve(buffer, shape, 0));

  it('comes as soon as it does', () => {
    expect(pictures).toBeGreaterThan(10);
    expect(typesOf(plansOf(groups(), `.K${'.'.repeat(pictures + 1)}`))).toBe(`I${'P'.repeat(pictures)}IP`);
  });

  it('comes that many pictures after the last one, of which repetitions are some', () => {
    const left = pictures - 9;
    expect(typesOf(plansOf(groups(), `.9${'K'.repeat(left)}..`))).toBe(`I${'P'.repeat(pictures)}IP`);
  });

  it('waits for half of what comes in beyond sparse pictures, with their intra columns', () => {
    const options = { width: 160, height: 128, frameRate: 25, latency: 'low', bitrate: 80_000, gop: 20 } as const;
    const settings = resolveOptions({ ...options, intraRefresh: 'columns' });
    const columns = { macroblocks: 80, slices: 1, gop: 20, refreshed: 8 };
    const fillBits = 80_000 / 25;
    const keptBits = (fillBits - sparsePictureBits('P', columns)) / 2;
    const waiting = Math.ceil((sparsePictureBits('I', columns) - fillBits) / keptBits);
    expect(waiting).toBeGreaterThan(10);
    const types = typesOf(plansOf(createLiveGroups(settings), `.K${'.'.repeat(waiting)}`));
    expect(types).toBe(`I${'P'.repeat(waiting)}I`);
  });
});

it('as many frames may be left out as a day has at 60 a second', () => {
  const day = 24 * 3600 * 60;
  for (const frames of [1, day]) expect(() => checkLeftOut(frames, 1)).not.toThrow();
  expect(() => checkLeftOut(day + 1, 1)).toThrow(InputError);
});
