// The memory of what writes slices: the codes, and room for the bits of a row of macroblocks.
import {
  DC_SIZE_CHROMINANCE_CODES,
  DC_SIZE_LUMINANCE_CODES,
  runLevelCodes,
} from '../../bitstream/tables/block-codes.js';
import { type Code, compileCode, compileCodes } from '../../bitstream/tables/code-table.js';
import {
  ADDRESS_INCREMENTS,
  CODED_BLOCK_PATTERNS,
  MACROBLOCK_ESCAPE,
  MACROBLOCK_TYPE_CODES,
} from '../../bitstream/tables/macroblock-codes.js';
import { MOTION_CODES } from '../../bitstream/tables/motion-vector-codes.js';
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import { MACROBLOCK_CODES, type MacroblockCodes } from '../../kernels/records/macroblock-codes.js';
import { MAX_MACROBLOCK_BYTES, SLICE_WRITING, type SliceWriting } from '../../kernels/records/slice-writing.js';
import type { SymbolArrays } from '../../kernels/records/symbol-arrays.js';
import type { MacroblockGrid } from '../../picture/picture.js';

/** The bytes of kernel memory that `allocateWriting` takes. */
export function writingBytes({ mbWidth, mbHeight }: MacroblockGrid): number {
  const rows = 2 * mbWidth * MAX_MACROBLOCK_BYTES + 2 * mbWidth * mbHeight;
  return SLICE_WRITING.bytes + MACROBLOCK_CODES.bytes + rows + 5 * ALIGNMENT_BYTES;
}

/** Takes room for what writes slices, and sets the codes. */
export function allocateWriting(
  memory: KernelMemory,
  { mbWidth, mbHeight }: MacroblockGrid,
  symbols: SymbolArrays,
): SliceWriting {
  const codes = MACROBLOCK_CODES.allocate(memory);
  setMacroblockCodes(codes);
  return SLICE_WRITING.allocate(memory, {
    symbols: symbols.pointer,
    codes: codes.pointer,
    blocks: memory.allocate(mbWidth * MAX_MACROBLOCK_BYTES),
    blockBits: memory.allocate(2 * mbWidth * mbHeight),
    output: memory.allocate(mbWidth * MAX_MACROBLOCK_BYTES),
  });
}

/** Fills the tables of codes. */
export function setMacroblockCodes(codes: MacroblockCodes): void {
  const { I, P, B } = MACROBLOCK_TYPE_CODES;
  codes.types.set(wordsOf([...I, ...P, ...B]));
  codes.increments.set(wordsOf([compileCode(MACROBLOCK_ESCAPE), ...ADDRESS_INCREMENTS.slice(1)]));
  codes.patterns.set(wordsOf([undefined, ...CODED_BLOCK_PATTERNS.slice(1)]));
  codes.motion.set(wordsOf(compileCodes(MOTION_CODES)));
  codes.dcLuma.set(wordsOf(compileCodes(DC_SIZE_LUMINANCE_CODES)));
  codes.dcChroma.set(wordsOf(compileCodes(DC_SIZE_CHROMINANCE_CODES)));
  codes.runLevels.set(runLevelCodes());
}

/** Codes as `length << 24 | bits`. */
function wordsOf(codes: readonly (Code | undefined)[]): number[] {
  return codes.map(code => (code ? (code.length << 24) | code.bits : 0));
}
