// Writes the slices of pictures by a kernel.
import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import { DC_RESET } from '../../bitstream/slice-predictors.js';
import type { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { slicesOf, type writeSlices } from '../../bitstream/syntax/slice.js';
import { writeSliceHeader } from '../../bitstream/syntax/slice-header.js';
import type { Workspace } from './workspace.js';

const PICTURE_TYPES = ['I', 'P', 'B'] as const;

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
