// Proposals as they are written into kernel memory.

import { describe, expect, it } from 'vitest';
import {
  proposalsPerMacroblock,
  type VectorProposals,
  writeProposals,
} from '../../../src/encoder/motion/vector-proposals.js';
import { createWorkspace } from '../../../src/encoder/picture/workspace.js';
import { InputError } from '../../../src/errors.js';
import type { MotionField } from '../../../src/motion/estimator.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

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

const MACROBLOCKS = 2;
const { memory, vectors } = await createWorkspace(macroblockGrid(32, 16), 'reference');
const places = vectors.backward;

function written(proposals: VectorProposals): { dx: number[]; dy: number[] } {
  writeProposals(memory, places, MACROBLOCKS, proposals);
  const count = MACROBLOCKS * proposalsPerMacroblock(proposals);
  const at = (pointer: number) => [...memory.i16.subarray(pointer >> 1, (pointer >> 1) + count)];
  return { dx: at(places.fieldDx), dy: at(places.fieldDy) };
}

describe('proposals in kernel memory', () => {
  it("the lookahead's vector comes after a macroblock's others", () => {
    const proposals = { searched: field(2, 1, 2, 3, 4), factor: 1, hints: field(1, 7, 8) };
    expect(written(proposals)).toEqual({ dx: [1, 2, 7, 3, 4, 8], dy: [101, 102, 107, 103, 104, 108] });
  });

  it("the factor is for the estimator's vectors alone", () => {
    const proposals = { searched: field(1, 3, -8), factor: -0.5, hints: field(1, 7, 8) };
    expect(written(proposals)).toEqual({ dx: [-1, 7, 4, 8], dy: [-51, 107, -46, 108] });
  });

  it('either kind alone', () => {
    expect(written({ searched: undefined, factor: 1, hints: field(1, 7, 8) }).dx).toEqual([7, 8]);
    expect(written({ searched: field(3, 1, 2, 3, 4, 5, 6), factor: 1, hints: undefined }).dx).toEqual([
      1, 2, 3, 4, 5, 6,
    ]);
    expect(written({ searched: undefined, factor: 1, hints: undefined }).dx).toEqual([]);
  });

  it('a field of the wrong size is an error', () => {
    const hints = field(1, 7, 8);
    for (const searched of [field(1, 1, 2, 3), field(2, 1, 2), { ...field(1, 1, 2), dy: new Int16Array(1) }]) {
      expect(() => writeProposals(memory, places, MACROBLOCKS, { searched, factor: 1, hints })).toThrow(InputError);
    }
    const ten = field(10, ...new Array(20).fill(1));
    expect(() => writeProposals(memory, places, MACROBLOCKS, { searched: ten, factor: 1, hints: undefined })).toThrow(
      InputError,
    );
  });
});
