// What a decoder's buffer holds of a stream on its way, at the very times of decoding.
import { expect, it } from 'vitest';
import { BufferedFeed } from '../../../src/media/containers/buffered-feed.js';

/** Two units of 10 bytes, decoded at 100 and at 200 ticks, in a buffer of 30 bytes. */
function twoUnits(): BufferedFeed {
  const feed = new BufferedFeed(30);
  for (const ticks of [100, 200]) {
    feed.push({
      data: new Uint8Array(10),
      stampAt: 0,
      stamps: { decodingTicks: ticks, presentationTicks: ticks },
    });
  }
  return feed;
}

it('a unit leaves the buffer at the time of its decoding, once it is whole', () => {
  const feed = twoUnits();
  feed.take(9);
  expect(feed.roomAt(100)).toBe(21);
  feed.take(6);
  expect(feed.roomAt(99)).toBe(15);
  expect(feed.roomAt(100)).toBe(25);
});

it('a unit that is not whole is late from the time of its decoding on', () => {
  const feed = twoUnits();
  feed.take(9);
  expect(feed.lateAt(99)).toBeUndefined();
  expect(feed.lateAt(100)?.stamps.decodingTicks).toBe(100);
  feed.take(1);
  expect(feed.lateAt(199)).toBeUndefined();
  expect(feed.lateAt(200)?.stamps.decodingTicks).toBe(200);
});
