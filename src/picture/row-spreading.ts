// Spreads tight planes to rows of whole macroblocks.
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';

/**
 * Gives a tight plane of `width` * `height` pels, which lies at the start of `plane`, a stride of `paddedWidth`, which
 * is greater. Behind each row its last pel is repeated.
 */
export type RowSpreading = (plane: Uint8Array, width: number, height: number, paddedWidth: number) => void;

/** The definition. Rows move towards the end, the last one first. */
export const spreadRows: RowSpreading = (plane, width, height, paddedWidth) => {
  for (let y = height - 1; y >= 0; y--) {
    const row = y * paddedWidth;
    plane.copyWithin(row, y * width, (y + 1) * width);
    plane.fill(plane[row + width - 1]!, row + width, row + paddedWidth);
  }
};

/** The definition of the kernel. */
export function referenceRowSpreading({ u8 }: KernelMemory): Pick<PictureKernels, 'spreadRows'> {
  return {
    spreadRows(plane, width, height, paddedWidth) {
      spreadRows(u8.subarray(plane, plane + paddedWidth * height), width, height, paddedWidth);
    },
  };
}

/**
 * The same by the kernel, for planes in the memory that it was made for; by the definition elsewhere. V8 moves what
 * lies in shared memory byte by byte, unless both places begin alike in words of eight.
 */
export function rowSpreadingBy({ spreadRows: spreadByKernel }: PictureKernels, memory: KernelMemory): RowSpreading {
  return (plane, ...sizes) => {
    const address = memory.addressOf(plane);
    if (address === 0) spreadRows(plane, ...sizes);
    else spreadByKernel(address, ...sizes);
  };
}
