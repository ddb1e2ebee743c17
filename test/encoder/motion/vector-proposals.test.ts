// Proposals as they are written into kernel memory.

import { describe, expect, it } from 'vitest';
import {
  proposalsPerMacroblock,
  type VectorProposals,
  writeProposals,
} from '../../../src/encoder/motion/vector-proposals.js';
import { createWorkspace, workspaceBytes } from '../../../src/encoder/picture/workspace.js';
import { allocateQuantizers, QUANTIZERS_BYTES } from '../../../src/encoder/quantizer/quantizer-set.js';
import { InputError } from '../../../src/errors.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
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
const grid = macroblockGrid(32, 16);
const memory = new KernelMemory(workspaceBytes({ grid }) + QUANTIZERS_BYTES);
const quantizers = allocateQuantizers(memory, { intra: undefined, nonIntra: undefined }, true);
const { vectors } = await createWorkspace(memory, { grid, quantizers, kernels: 'reference' });
const places = vectors.backward;

function written(proposals: VectorProposals): { dx: number[]; dy: number[] } {
  writeProposals(memory, places, MACROBLOCKS, proposals);
  const count = MACROBLOCKS * proposalsPerMacroblock(proposals);
  const at = (pointer: number) => [...memory.i16.subarray(pointer >> 1, (pointer >> 1) + count)];
  return { dx: at(places.fieldDx), dy: at(places.fieldDy) };
}

describe('proposals in kernel memory', () => {
  it('are the vectors of a macroblock together', () => {
    const searched = field(2, 1, 2, 3, 4);
    expect(written({ searched, factor: 1 })).toEqual({ dx: [1, 2, 3, 4], dy: [101, 102, 103, 104] });
  });

  it('are multiplied by the factor', () => {
    expect(written({ searched: field(1, 3, -8), factor: -0.5 })).toEqual({ dx: [-1, 4], dy: [-51, -46] });
  });

  it('are none where nothing was searched', () => {
    expect(written({ searched: undefined, factor: 1 }).dx).toEqual([]);
  });

  it('a field of the wrong size is an error', () => {
    for (const searched of [field(1, 1, 2, 3), field(2, 1, 2), { ...field(1, 1, 2), dy: new Int16Array(1) }]) {
      expect(() => writeProposals(memory, places, MACROBLOCKS, { searched, factor: 1 })).toThrow(InputError);
    }
    const ten = field(10, ...new Array(20).fill(1));
    expect(() => writeProposals(memory, places, MACROBLOCKS, { searched: ten, factor: 1 })).toThrow(InputError);
  });
});
