// Writes the slices of pictures by a kernel.
import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import { DC_RESET } from '../../bitstream/slice-predictors.js';
import type { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { slicesOf, type writeSlices } from '../../bitstream/syntax/slice.js';
import { writeSliceHeader } from '../../bitstream/syntax/slice-header.js';
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
import { MACROBLOCK_CODES } from '../../kernels/records/macroblock-codes.js';
import { MAX_MACROBLOCK_BYTES, SLICE_WRITING, type SliceWriting } from '../../kernels/records/slice-writing.js';
import type { SymbolArrays } from '../../kernels/records/symbol-arrays.js';
import type { MacroblockGrid } from '../../picture/picture.js';
import type { Workspace } from './workspace.js';

const PICTURE_TYPES = ['I', 'P', 'B'] as const;

/** The bytes of kernel memory that `allocateWriting` takes. */
export function writingBytes({ mbWidth }: MacroblockGrid): number {
  return SLICE_WRITING.bytes + MACROBLOCK_CODES.bytes + mbWidth * MAX_MACROBLOCK_BYTES + 3 * ALIGNMENT_BYTES;
}

/** Takes room for what writes slices, and sets the codes. */
export function allocateWriting(
  memory: KernelMemory,
  { mbWidth }: MacroblockGrid,
  symbols: SymbolArrays,
): SliceWriting {
  const codes = MACROBLOCK_CODES.allocate(memory);
  const { I, P, B } = MACROBLOCK_TYPE_CODES;
  codes.types.set(wordsOf([...I, ...P, ...B]));
  codes.increments.set(wordsOf([compileCode(MACROBLOCK_ESCAPE), ...ADDRESS_INCREMENTS.slice(1)]));
  codes.patterns.set(wordsOf([undefined, ...CODED_BLOCK_PATTERNS.slice(1)]));
  codes.motion.set(wordsOf(compileCodes(MOTION_CODES)));
  codes.dcLuma.set(wordsOf(compileCodes(DC_SIZE_LUMINANCE_CODES)));
  codes.dcChroma.set(wordsOf(compileCodes(DC_SIZE_CHROMINANCE_CODES)));
  codes.runLevels.set(runLevelCodes());
  const output = memory.allocate(mbWidth * MAX_MACROBLOCK_BYTES);
  return SLICE_WRITING.allocate(memory, { symbols: symbols.pointer, codes: codes.pointer, output });
}

/** A faster equal of writeSlices, for pictures whose symbols lie in the workspace. */
export function sliceWriter(workspace: Workspace): typeof writeSlices {
  return (sink, picture) => {
    workspace.writing.pictureType = PICTURE_TYPES.indexOf(picture.type);
    workspace.writing.forwardFCode = picture.forwardFCode;
    workspace.writing.backwardFCode = picture.backwardFCode;
    for (const slice of slicesOf(picture)) writeSlice(sink, workspace, picture, slice);
    sink.alignWithZeros(); // next_start_code()
  };
}

/** Writes one slice, row by row. */
function writeSlice(
  sink: BitSink,
  { kernels, memory, writing }: Workspace,
  { mbWidth, quantizerScale }: PictureSymbols,
  { firstRow, endRow }: ReturnType<typeof slicesOf>[number],
): void {
  const scale = quantizerScale[firstRow * mbWidth]!;
  writeSliceHeader(sink, firstRow, scale);
  Object.assign(writing, { ...START_OF_SLICE, ...sink.takePending(), quantizerScale: scale });
  for (let row = firstRow; row < endRow; row++) {
    const bytes = kernels.writeMacroblocks(writing.pointer, row * mbWidth, mbWidth, endRow * mbWidth - 1);
    sink.putBytes(memory.u8.subarray(writing.output, writing.output + bytes));
  }
  sink.putBits(writing.pending, writing.pendingBits);
}

/** What a slice starts with; see SlicePredictors.startSlice. */
const START_OF_SLICE = {
  ...{ increment: 1, dcY: DC_RESET, dcCb: DC_RESET, dcCr: DC_RESET },
  ...{ forwardDx: 0, forwardDy: 0, backwardDx: 0, backwardDy: 0 },
};

/** Codes as `length << 24 | bits`. */
function wordsOf(codes: readonly (Code | undefined)[]): number[] {
  return codes.map(code => (code ? (code.length << 24) | code.bits : 0));
}
