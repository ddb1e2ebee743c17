// Places for smaller versions of pictures: they stay while somebody reads them, and then give way to those of others.
import { describe, expect, it } from 'vitest';
import { clearReducedPlaces, ReducedPlace, reducedPlaceBytes } from '../../src/kernels/reduced-places.js';

const PELS = 256;
const PLACES = { first: 64, count: 3 };
const END = PLACES.first + PLACES.count * reducedPlaceBytes(PELS);

function places() {
  const i32 = new Int32Array(new SharedArrayBuffer(END + 64)).fill(-1);
  clearReducedPlaces(i32, PLACES, PELS);
  return { i32, place: (id: number) => new ReducedPlace(i32, PLACES, PELS, id) };
}

describe('ReducedPlace', () => {
  it('is that of every third picture, with room for three versions', () => {
    const { place } = places();
    const [first, second, third, again] = [place(6), place(7), place(8), place(9)].map(({ half }) => half);
    expect([second! - first!, third! - second!, again]).toEqual([
      reducedPlaceBytes(PELS),
      reducedPlaceBytes(PELS),
      first,
    ]);
    expect([first! % 16, third! + 64 + 16 + 4 <= END]).toEqual([0, true]);
  });

  it('tells how many versions are there, once they are made', () => {
    const { place } = places();
    const [one, other] = [place(4), place(4)];
    expect([one.hold(), other.hold()]).toEqual([0, 0]);
    one.made(3);
    other.made(1); // the others are there, too
    one.release();
    other.release();
    expect(place(4).hold()).toBe(3);
  });

  it('gives way to another picture when nobody reads it', () => {
    const { place } = places();
    const [one, other] = [place(1), place(1)];
    one.hold();
    one.made(1);
    other.hold();
    one.release();
    expect(place(4).hold()).toBe(undefined);
    other.release();
    expect([place(4).hold(), place(1).hold()]).toEqual([0, undefined]);
  });

  it('knows nothing of a picture before it, however large the ids are', () => {
    const { place } = places();
    const ids = [2 ** 21 - 1, 2 ** 21 + 2, 3 * 2 ** 24, 0].map(id => id - (id % 3));
    for (const id of ids) {
      const held = place(id);
      expect(held.hold(), String(id)).toBe(0);
      held.made(2);
      held.release();
    }
  });

  it('writes only the states', () => {
    const { i32, place } = places();
    for (const id of [3, 4, 5]) place(id).hold();
    const states = [3, 4, 5].map(id => place(id).half / 4 - 4);
    expect(i32.every((word, i) => word === -1 || states.includes(i))).toBe(true);
  });
});
