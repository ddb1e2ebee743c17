// f_code, found twice: before a picture is coded, from the vectors proposed; after that, from the vectors used.

import type { HeaderSymbols } from '../../bitstream/picture-symbols.js';
import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import { MAX_F_CODE, smallestFCode } from '../../bitstream/tables/motion-vector-codes.js';
import { proposedComponent, type VectorProposals } from './vector-proposals.js';

/**
 * The part of the macroblocks whose best vector f_code need not hold: with each f_code more, most other vectors take
 * two bits more. 0.25 % fewer bits than with none left out; with 0.06, more bits than with none.
 */
const PART_OUT_OF_REACH = 0.02;

/**
 * The f_code that the coder keeps to in one direction: it holds nearly all best proposals and their half-pel
 * neighbours.
 */
export function coderFCode(proposals: VectorProposals): number {
  const { searched: field } = proposals;
  if (!field) return 1;
  const macroblocks = field.dx.length / field.candidatesPerBlock;
  const needing = new Uint32Array(MAX_F_CODE + 1);
  for (let address = 0; address < macroblocks; address++) {
    const best = address * field.candidatesPerBlock;
    const dx = proposedComponent(proposals, field.dx[best]!);
    const dy = proposedComponent(proposals, field.dy[best]!);
    needing[smallestFCode(2 * Math.min(dx, dy) - 1, 2 * Math.max(dx, dy) + 1)]!++;
  }
  const maxOutOfReach = PART_OUT_OF_REACH * macroblocks;
  let fCode = MAX_F_CODE;
  for (let beyond = needing[fCode]!; fCode > 1 && beyond <= maxOutOfReach; beyond += needing[fCode]!) fCode--;
  return fCode;
}

/** The f_code that the picture header gives for one direction: the smallest that holds all vectors used. */
export function headerFCode(symbols: HeaderSymbols, direction: 'forward' | 'backward'): number {
  const flag = direction === 'forward' ? MACROBLOCK_MOTION_FORWARD : MACROBLOCK_MOTION_BACKWARD;
  const dxHalfPels = symbols[`${direction}DxHalfPels`];
  const dyHalfPels = symbols[`${direction}DyHalfPels`];
  let min = 0;
  let max = 0;
  for (let address = 0; address < symbols.flags.length; address++) {
    if ((symbols.flags[address]! & flag) === 0) continue;
    min = Math.min(min, dxHalfPels[address]!, dyHalfPels[address]!);
    max = Math.max(max, dxHalfPels[address]!, dyHalfPels[address]!);
  }
  return smallestFCode(min, max);
}
