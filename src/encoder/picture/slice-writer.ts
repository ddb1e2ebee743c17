// Writes the slices of pictures by a kernel.
import type { HeaderSymbols } from '../../bitstream/picture-symbols.js';
import { PICTURE_TYPES } from '../../bitstream/picture-type.js';
import type { BitSink } from '../../bitstream/syntax/bit-sink.js';
import { slicesOf } from '../../bitstream/syntax/slice.js';
import { writeSliceHeader } from '../../bitstream/syntax/slice-header.js';
import type { PictureBlocks } from './picture-blocks.js';
import type { Workspace } from './workspace.js';

/** What the headers of a slice start with; see SlicePredictors.startSlice. */
const START_OF_SLICE = { increment: 1, forwardDx: 0, forwardDy: 0, backwardDx: 0, backwardDy: 0 };

/** Writes all slices of a picture. */
export type WriteSlices = (sink: BitSink, picture: HeaderSymbols) => void;

/** A faster equal of writeSlices, for the picture whose symbols lie in the workspace, and its blocks in `blocks`. */
export function sliceWriter(workspace: Workspace, blocks: PictureBlocks): WriteSlices {
  return (sink, picture) => {
    workspace.writing.pictureType = PICTURE_TYPES.indexOf(picture.type);
    workspace.writing.forwardFCode = picture.forwardFCode;
    workspace.writing.backwardFCode = picture.backwardFCode;
    workspace.writing.vectorBits = 0;
    for (const slice of slicesOf(picture)) writeSlice(sink, { ...workspace, blocks }, picture, slice);
    sink.alignWithZeros(); // next_start_code()
  };
}

/** Writes one slice, row by row. */
function writeSlice(
  sink: BitSink,
  { kernels, memory, writing, blocks }: Workspace & { readonly blocks: PictureBlocks },
  { mbWidth, quantizerScale }: HeaderSymbols,
  { firstRow, endRow }: ReturnType<typeof slicesOf>[number],
): void {
  const scale = quantizerScale[firstRow * mbWidth]!;
  writeSliceHeader(sink, firstRow, scale);
  Object.assign(writing, { ...START_OF_SLICE, ...sink.takePending(), quantizerScale: scale });
  for (let row = firstRow; row < endRow; row++) {
    blocks.loadRow(row);
    const bytes = kernels.writeMacroblocks(writing.pointer, row * mbWidth, mbWidth, endRow * mbWidth - 1);
    sink.putBytes(memory.u8.subarray(writing.output, writing.output + bytes));
  }
  sink.putBits(writing.pending, writing.pendingBits);
}
