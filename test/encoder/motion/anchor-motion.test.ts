// The anchors that a picture's motion is searched from, the vectors proposed for it, and the hints of the lookahead.

import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import type { BlockPrediction } from '../../../src/encoder/lookahead/scene-costs.js';
import { vectorHints } from '../../../src/encoder/lookahead/vector-hints.js';
import { proposedVectors, searchedAnchors } from '../../../src/encoder/motion/anchor-motion.js';
import type { MotionField } from '../../../src/motion/estimator.js';
import { macroblockGrid } from '../../../src/picture/picture.js';
import { encodeFrames } from '../../support/encode.js';

const between: PlannedPicture = {
  type: 'B',
  displayNumber: 5,
  codedNumber: 6,
  startsGroup: false,
  closedGroup: false,
  groupStart: 0,
  temporalReference: 5,
  forward: 4,
  backward: 7,
};
const predicted: PlannedPicture = { ...between, type: 'P', backward: undefined };
const none = { forward: undefined, backward: undefined };

/** A field of one row whose blocks have these horizontal vectors; the vertical ones are 100 more. */
function field(candidatesPerBlock: number, ...dx: number[]): MotionField {
  return {
    blockSize: 16,
    blockColumns: dx.length / candidatesPerBlock,
    blockRows: 1,
    candidatesPerBlock,
    dx: Int16Array.from(dx),
    dy: Int16Array.from(dx, x => x + 100),
    cost: Uint32Array.from(dx, Math.abs),
  };
}

describe('the anchors that are searched', () => {
  const hints = { forward: field(1, 1), backward: field(1, 2) };

  it('both, the nearer, or none where the lookahead has vectors', () => {
    expect(searchedAnchors(between, 'both', hints)).toEqual({ forward: 4, backward: 7 });
    expect(searchedAnchors(between, 'near', hints)).toEqual({ forward: 4, backward: undefined });
    expect(searchedAnchors(between, 'lookahead', hints)).toEqual(none);
    expect(searchedAnchors(between, 'lookahead', none)).toEqual({ forward: 4, backward: undefined });
  });

  it('of P pictures: always the one there is', () => {
    for (const search of ['both', 'near', 'lookahead'] as const) {
      expect(searchedAnchors(predicted, search, hints)).toEqual({ forward: 4, backward: undefined });
    }
  });
});

describe('the vectors proposed', () => {
  const past = field(1, 3, -8);
  const future = field(1, 6, 7);
  const hints = { forward: field(1, 7, 8), backward: field(1, 9, 10) };

  it('of B pictures: in a direction that was not searched, those of the other one by the distances', () => {
    expect(proposedVectors(between, { forward: past, backward: undefined }, none)).toEqual({
      forward: { searched: past, factor: 1, hints: undefined },
      backward: { searched: past, factor: -2, hints: undefined },
    });
    expect(proposedVectors(between, { forward: undefined, backward: future }, none)).toEqual({
      forward: { searched: future, factor: -0.5, hints: undefined },
      backward: { searched: future, factor: 1, hints: undefined },
    });
    expect(proposedVectors(between, { forward: past, backward: future }, hints)).toEqual({
      forward: { searched: past, factor: 1, hints: hints.forward },
      backward: { searched: future, factor: 1, hints: hints.backward },
    });
  });

  it('of B pictures where nothing was searched: the hints alone', () => {
    const { forward, backward } = proposedVectors(between, none, hints);
    expect([forward.searched, forward.hints]).toEqual([undefined, hints.forward]);
    expect([backward.searched, backward.hints]).toEqual([undefined, hints.backward]);
  });

  it('of P pictures: in the forward direction alone', () => {
    expect(proposedVectors(predicted, { forward: past, backward: undefined }, hints)).toEqual({
      forward: { searched: past, factor: 1, hints: hints.forward },
      backward: { searched: undefined, factor: 1, hints: undefined },
    });
  });
});

describe('hints of the lookahead', () => {
  const grid = macroblockGrid(48, 16);
  const half: MotionField = { ...field(1, 6, -40, 62, 99), dy: Int16Array.of(-4, 8, 10, 99) };
  const prediction: BlockPrediction = {
    intra: new Uint16Array(4),
    sad: new Uint32Array(4),
    fields: [half],
    anchorShares: [],
  };
  const hints = (reach: number) => {
    const { forward, backward } = vectorHints(prediction, grid, reach);
    expect(backward).toBeUndefined();
    return [[...forward!.dx], [...forward!.dy]];
  };

  it('are its vectors, without its margin', () => {
    const all = [
      [6, -40, 62],
      [-4, 8, 10],
    ];
    expect(hints(64)).toEqual(all);
    expect(hints(Number.POSITIVE_INFINITY)).toEqual(all);
  });

  it('are zero where they are longer than the reach', () => {
    expect(hints(40)).toEqual([
      [6, -40, 0],
      [-4, 8, 0],
    ]);
  });
});

describe('an encode whose B pictures take the vectors of the lookahead', () => {
  it('asks the estimator for P pictures alone', async () => {
    const frames = [...generateSample({ kind: 'zoom', width: 96, height: 80, frames: 13, seed: 2 })];
    const searches = async (search: 'near' | 'lookahead', adaptiveTypes: boolean) => {
      const types: string[] = [];
      const { statistics } = await encodeFrames(frames, {
        width: 96,
        height: 80,
        gop: 12,
        tools: { bPictureMotion: search, adaptiveTypes },
        onPicture: ({ type }) => void types.push(type),
      });
      return { fields: statistics.motion.pictures, types };
    };
    const { fields, types } = await searches('lookahead', true);
    expect(types.filter(type => type === 'B').length).toBeGreaterThan(4);
    expect(fields).toBe(types.filter(type => type === 'P').length);
    // Without a lookahead there is nothing to take.
    expect((await searches('lookahead', false)).fields).toBe((await searches('near', false)).fields);
  });
});
