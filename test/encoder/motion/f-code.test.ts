// f_code from the vectors proposed for a picture, and from the vectors used in it.

import { describe, expect, it } from 'vitest';
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_BOTH,
  MACROBLOCK_MOTION_FORWARD,
} from '../../../src/bitstream/tables/macroblock-codes.js';
import { MAX_F_CODE } from '../../../src/bitstream/tables/motion-vector-codes.js';
import { coderFCode, headerFCode } from '../../../src/encoder/motion/f-code.js';
import {
  proposalsPerMacroblock,
  type VectorProposals,
  writeProposals,
} from '../../../src/encoder/motion/vector-proposals.js';
import { createWorkspace, workspaceBytes } from '../../../src/encoder/picture/workspace.js';
import { allocateQuantizers, QUANTIZERS_BYTES } from '../../../src/encoder/quantizer/quantizer-set.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import type { MotionField } from '../../../src/motion/estimator.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

type Candidate = readonly [dx: number, dy: number, cost: number];

/**
 * 100 macroblocks in a row, all with these candidates, best first; `others` replaces those of the first macroblocks.
 */
function field(candidates: readonly Candidate[], others: readonly (readonly Candidate[])[] = []): MotionField {
  const all = Array.from({ length: 100 }, (_, block) => others[block] ?? candidates).flat();
  return {
    blockSize: 16,
    blockColumns: 100,
    blockRows: 1,
    candidatesPerBlock: candidates.length,
    dx: Int16Array.from(all, ([dx]) => dx),
    dy: Int16Array.from(all, ([, dy]) => dy),
    cost: Uint32Array.from(all, ([, , cost]) => cost),
  };
}

/** A coder's memory for so many macroblocks in a row. */
async function workspaceFor(macroblocks: number) {
  const grid = macroblockGrid(16 * macroblocks, 16);
  const memory = new KernelMemory(workspaceBytes({ grid }) + QUANTIZERS_BYTES);
  const quantizers = allocateQuantizers(memory, { intra: undefined, nonIntra: undefined }, true);
  return createWorkspace(memory, { grid, quantizers });
}

const workspace = await workspaceFor(100);

/** The f_code for proposals. */
function fCodeOf(proposals: VectorProposals, maxFCode = MAX_F_CODE): number {
  const places = workspace.vectors.forward;
  writeProposals(workspace.memory, places, 100, proposals);
  return coderFCode(workspace, { places, candidates: proposalsPerMacroblock(proposals) }, maxFCode);
}

function searched(...args: Parameters<typeof field>) {
  return { searched: field(...args), factor: 1 };
}

describe('the f_code of the coder', () => {
  it.each([
    [[0, 0], 1],
    [[7, -7], 1], // half-pel refinement reaches 15
    [[8, 0], 2],
    [[0, -8], 2],
    [[-63, 63], 4],
    [[64, 0], 5],
    [[0, 300], 7],
  ] as const)('vectors %o need f_code %i', ([dx, dy], fCode) => {
    expect(fCodeOf(searched([[dx, dy, 9]]))).toBe(fCode);
  });

  it('is 1 where nothing is proposed', () => {
    expect(fCodeOf({ searched: undefined, factor: 1 })).toBe(1);
  });

  it('two macroblocks in a hundred may stay out of reach, three may not', () => {
    const far: readonly Candidate[] = [[100, 0, 9]];
    expect(fCodeOf(searched([[3, 3, 9]], [far, far]))).toBe(1);
    expect(fCodeOf(searched([[3, 3, 9]], [far, far, far]))).toBe(5);
  });

  it('is no greater than the stream may have', () => {
    expect(fCodeOf(searched([[300, 0, 9]]), 4)).toBe(4);
  });

  it('vectors count as they are proposed: multiplied by the factor', () => {
    expect(fCodeOf({ ...searched([[20, 0, 9]]), factor: -3 })).toBe(4);
  });
});

describe('the f_code of the header', () => {
  const flags = [MACROBLOCK_MOTION_FORWARD, MACROBLOCK_MOTION_BOTH, MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_INTRA, 0];
  /** The f_code of a direction, by horizontal vectors forward and vertical ones backward. */
  async function headerFCodeOf(forward: number[], backward: number[], direction: 'forward' | 'backward') {
    const own = await workspaceFor(flags.length);
    const { memory, symbols } = own;
    memory.u8.set(flags, symbols.flags);
    memory.i16.set(forward, symbols.forwardDx >> 1);
    memory.i16.set(backward, symbols.backwardDy >> 1);
    return headerFCode(own, direction);
  }

  it('holds the vectors of the macroblocks that use the direction, and no others', async () => {
    expect(await headerFCodeOf([15, -16, 999, 999, 999], [999, 0, 0, 999, 999], 'forward')).toBe(1);
    expect(await headerFCodeOf([15, -17, 0, 0, 0], [0, 0, 0, 0, 0], 'forward')).toBe(2);
    expect(await headerFCodeOf([999, 0, 0, 0, 0], [999, 32, 0, 999, 999], 'backward')).toBe(3);
  });
});
