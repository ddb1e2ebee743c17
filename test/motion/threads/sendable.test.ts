// What goes to a search thread in a message: each picture once.
import { describe, expect, it } from 'vitest';
import type { EstimateRequest, LumaPicture } from '../../../src/motion/estimator.js';
import { sendableRequests } from '../../../src/motion/threads/sendable.js';

const [WIDTH, HEIGHT] = [32, 16];

/** An object of its own for each call, as the lookahead makes them. */
function picture(id: number, buffer: ArrayBufferLike = new ArrayBuffer(WIDTH * HEIGHT)): LumaPicture {
  return { id, width: WIDTH, height: HEIGHT, pels: new Uint8Array(buffer).fill(id) };
}

/** Three pairs of three pictures, which lie on `buffers`. */
function pairsOn(buffers: readonly ArrayBufferLike[]): EstimateRequest[] {
  const pairs = [
    [2, 1],
    [1, 2],
    [2, 0],
  ] as const;
  return pairs.map(([current, reference]) => ({
    current: picture(current, buffers[current]),
    reference: picture(reference, buffers[reference]),
  }));
}

describe('requests of one message', () => {
  it('have each picture as one object', () => {
    const buffers = [0, 1, 2].map(() => new SharedArrayBuffer(WIDTH * HEIGHT));
    const copies: ArrayBuffer[] = [];
    const [first, second, third] = sendableRequests(pairsOn(buffers), copies);
    expect(first!.current).toBe(second!.reference);
    expect(first!.reference).toBe(second!.current);
    expect(third!.current).toBe(first!.current);
    expect(third!.reference.pels.buffer).toBe(buffers[0]);
    expect(copies).toEqual([]);
  });

  it('copy pels that are not shared once, and hand the copies over', () => {
    const buffers = [0, 1, 2].map(() => new ArrayBuffer(WIDTH * HEIGHT));
    const copies: ArrayBuffer[] = [];
    const sent = sendableRequests(pairsOn(buffers), copies);
    expect(copies).toHaveLength(3);
    expect(buffers).not.toContain(sent[0]!.current.pels.buffer);
    expect([...new Set(sent.flatMap(({ current, reference }) => [current.id, reference.id]))]).toEqual([2, 1, 0]);
    for (const { current } of sent) expect(current.pels).toEqual(picture(current.id).pels);
  });

  it('keep their starts, of which the caller keeps its own', () => {
    const start = { dx: Int16Array.of(1, -2), dy: Int16Array.of(3, 4) };
    const copies: ArrayBuffer[] = [];
    const [pair] = pairsOn([0, 1, 2].map(() => new SharedArrayBuffer(WIDTH * HEIGHT)));
    const [sent] = sendableRequests([{ ...pair!, start }], copies);
    expect(sent!.start).toEqual(start);
    expect(copies).toEqual([sent!.start!.dx.buffer, sent!.start!.dy.buffer]);
    expect(copies).not.toContain(start.dx.buffer);
  });
});
