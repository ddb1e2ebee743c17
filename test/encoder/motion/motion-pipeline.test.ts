// Fields that are asked for, and what is held of them.
import { describe, expect, it } from 'vitest';
import { MotionPipeline } from '../../../src/encoder/motion/motion-pipeline.js';
import type { MotionSource } from '../../../src/encoder/motion/motion-search.js';
import type { MotionField, StartField } from '../../../src/motion/estimator.js';
import { macroblockGrid, pictureBytes, pictureOnBuffer } from '../../../src/picture/picture.js';
import { collectGarbage } from '../../support/collect-garbage.js';

const grid = macroblockGrid(16, 16);
const picture = (id: number) => pictureOnBuffer(id, grid, new ArrayBuffer(pictureBytes(grid)));

function fieldAt(dx: number): MotionField {
  const one = { dx: Int16Array.of(dx), dy: Int16Array.of(0), cost: Uint32Array.of(0) };
  return { blockSize: 16, blocksX: 1, blocksY: 1, candidatesPerBlock: 1, ...one } as unknown as MotionField;
}

/** A source that answers with the vector of the start, one pel longer. */
function sourceOf(searchesAhead: boolean): { source: MotionSource; searched: [number, number][] } {
  const searched: [number, number][] = [];
  const source: MotionSource = {
    searchesAhead,
    estimator: undefined,
    work: { busyMs: 0, pictures: 0 },
    ready: async () => {},
    usesStart: async () => true,
    search: async (current, reference, start) => {
      searched.push([current.id, reference.id]);
      return fieldAt((start?.dx[0] ?? 0) + 1);
    },
    isReading: () => false,
    close: async () => {},
  };
  return { source, searched };
}

describe.each([true, false])('a field that is asked for, from a source that searches ahead: %s', searchesAhead => {
  it('is searched once, whoever takes it', async () => {
    const { source, searched } = sourceOf(searchesAhead);
    const field = new MotionPipeline(source, 0).request(picture(1), picture(0));
    const found = await Promise.all([field.find(), field.take(), field.find()]);
    expect(new Set(found).size).toBe(1);
    expect(searched).toEqual([[1, 0]]);
  });

  it('does not hold where its search has started', async () => {
    const { source } = sourceOf(searchesAhead);
    const pipeline = new MotionPipeline(source, 0);
    const starts: WeakRef<StartField>[] = [];
    const requestFrom = (before: { find(): Promise<MotionField> } | undefined, id: number) =>
      pipeline.request(
        picture(id),
        picture(id - 1),
        before &&
          (async () => {
            const start = await before.find();
            starts.push(new WeakRef(start));
            return start;
          }),
      );
    let last = requestFrom(undefined, 1);
    for (let id = 2; id <= 20; id++) {
      last = requestFrom(last, id);
      await last.take();
    }
    await new Promise(resolve => setTimeout(resolve));
    collectGarbage();
    expect(starts).toHaveLength(19);
    expect(starts.filter(start => start.deref()).length).toBeLessThan(3);
    expect((await last.find()).dx[0]).toBe(20);
  });
});
