// The slots for prepared pictures: which slot a picture gets, and how often it is filled.
import { describe, expect, it } from 'vitest';
import { PictureSlots } from '../../src/motion/picture-slots.js';
import { makePicture } from './motion-pictures.js';

/** Takes the pairs `[current, reference]` of picture ids; returns the slots of each and the ids that were filled in. */
function takePairs(capacity: number, pairs: readonly (readonly [number, number])[]) {
  const filled: number[] = [];
  const slots = new PictureSlots<number>(capacity, index => index);
  const take = (id: number, partnerId: number) =>
    slots.take(makePicture(id, 16, 16, 'flat'), partnerId, (_, picture) => filled.push(picture.id));
  const taken = pairs.map(([current, reference]) => [take(current, reference), take(reference, current)]);
  return { filled, taken };
}

describe('picture slots', () => {
  it('fill each picture once as long as there is room', () => {
    const pairs = [
      [1, 0],
      [2, 1],
      [0, 2],
    ] as const;
    expect(takePairs(3, pairs)).toEqual({
      filled: [1, 0, 2],
      taken: [
        [0, 1],
        [2, 0],
        [1, 2],
      ],
    });
  });

  it('give away the slot that was unused for longest', () => {
    const pairs = [
      [1, 0],
      [2, 1],
      [3, 2],
      [3, 0],
    ] as const;
    expect(takePairs(3, pairs).filled).toEqual([1, 0, 2, 3, 0]);
  });

  it('keep the slot of the partner, though it was unused for longest', () => {
    const pairs = [
      [1, 0],
      [2, 1],
      [3, 1],
      [4, 3],
    ] as const;
    expect(takePairs(2, pairs)).toEqual({
      filled: [1, 0, 2, 3, 4],
      taken: [
        [0, 1],
        [1, 0],
        [1, 0],
        [0, 1],
      ],
    });
  });

  it('give a picture that is its own partner one slot', () => {
    expect(takePairs(2, [[5, 5]])).toEqual({ filled: [5], taken: [[0, 0]] });
  });
});
