// Converts RGB images to frames: ITU-R BT.601 Y'CbCr, 4:2:0.
import type { PictureKernels } from '../kernels/contracts/picture-kernels.js';
import type { KernelMemory } from '../kernels/kernel-memory.js';
import { chromaLength, type Frame, frameFromI420, i420Bytes } from './frame.js';

/** Pels R, G, B, or R, G, B and a fourth byte that is not looked at, row by row without padding; sRGB. */
export interface RgbPels {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly pels: Uint8Array | Uint8ClampedArray;
}

/** How the pels of an image lie. */
export interface PelLayout {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** From a row to the one below it; negative where that lies before it. */
  readonly rowBytes: number;
  /** From a pel to the one to its right: 3 or 4. */
  readonly pelBytes: number;
  /** Where in a pel its red lies: 0, or 2 where its blue comes first. */
  readonly redAt: number;
}

/** The pels of an image as they lie in `bytes`, the first pel at `first`. */
export interface StoredPels extends PelLayout {
  readonly bytes: Uint8Array;
  readonly first: number;
}

/*
 * The matrix of ITU-R BT.601 with MPEG-1's ranges (Y' 16..235, Cb and Cr 16..240) in 16-bit fixed point. Each row has
 * its exact sum (56284 = 219 / 255 * 65536; 0; 0), so that gray has chroma 128 and white has luma 235.
 */
export const Y_R = 16829;
export const Y_G = 33039;
export const Y_B = 6416;
export const CB_R = -9714;
export const CB_G = -19070;
export const CB_B = 28784;
export const CR_R = 28784;
export const CR_G = -24103;
export const CR_B = -4681;
/** Offset 16, and one half for rounding to nearest, in 1/65536. */
export const Y_OFFSET = (16 << 16) + (1 << 15);
/** Offset 128, and one half for rounding, in 1/262144: chroma is computed from sums of four pels. */
export const C_OFFSET = (128 << 18) + (1 << 17);

/** The same numbers for the shader that does what `rgbToFrame` does. */
export const RGB_TO_FRAME_CONSTANTS: Readonly<Record<string, number>> = {
  ...{ Y_R, Y_G, Y_B, Y_OFFSET },
  ...{ CB_R, CB_G, CB_B, CR_R, CR_G, CR_B, C_OFFSET },
};

/**
 * The 4:2:0 frame of an RGB image. A chroma sample belongs to the mean of its 2x2 pels, so it lies in their centre, as
 * in MPEG-1 (ISO/IEC 11172-2 §2.4.1). At an odd edge the last column or row counts twice. A pel has `bytesPerPel`.
 */
export function rgbToFrame({ width, height, pels }: RgbPels, bytesPerPel: 3 | 4 = 3): Frame {
  const bytes = new Uint8Array(pels.buffer, pels.byteOffset, pels.length);
  const rowBytes = bytesPerPel * width;
  return storedToFrame({ width, height, bytes, first: 0, rowBytes, pelBytes: bytesPerPel, redAt: 0 });
}

/** The same of pels wherever they lie. */
export function storedToFrame({ bytes, first, ...layout }: StoredPels): Frame {
  const { width, height } = layout;
  const frame = frameFromI420(width, height, new Uint8Array(i420Bytes(width, height)));
  convertRgb(frame, bytes, first, layout);
  return frame;
}

/** The same into planes that are there, from an image whose first pel lies at `first`. */
function convertRgb(
  { y, u, v }: Pick<Frame, 'y' | 'u' | 'v'>,
  pels: Uint8Array,
  first: number,
  { width, height, rowBytes, pelBytes, redAt }: PelLayout,
): void {
  const blueAt = 2 - redAt;
  const chromaWidth = chromaLength(width);
  const chromaHeight = chromaLength(height);
  for (let chromaY = 0; chromaY < chromaHeight; chromaY++) {
    const row = 2 * chromaY * width;
    const hasRowBelow = 2 * chromaY + 1 < height;
    const rowBelow = hasRowBelow ? row + width : row;
    const pelRow = first + 2 * chromaY * rowBytes;
    const pelRowBelow = hasRowBelow ? pelRow + rowBytes : pelRow;
    for (let chromaX = 0; chromaX < chromaWidth; chromaX++) {
      const x = 2 * chromaX;
      const xRight = x + 1 < width ? x + 1 : x;
      // Each pel by itself: with a local function for one it takes 1.14 times as long, in a loop 1.5 times.
      let at = pelRow + pelBytes * x;
      let r = pels[at + redAt]!;
      let g = pels[at + 1]!;
      let b = pels[at + blueAt]!;
      y[row + x] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      let sumR = r;
      let sumG = g;
      let sumB = b;

      at = pelRow + pelBytes * xRight;
      r = pels[at + redAt]!;
      g = pels[at + 1]!;
      b = pels[at + blueAt]!;
      y[row + xRight] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      sumR += r;
      sumG += g;
      sumB += b;

      at = pelRowBelow + pelBytes * x;
      r = pels[at + redAt]!;
      g = pels[at + 1]!;
      b = pels[at + blueAt]!;
      y[rowBelow + x] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      sumR += r;
      sumG += g;
      sumB += b;

      at = pelRowBelow + pelBytes * xRight;
      r = pels[at + redAt]!;
      g = pels[at + 1]!;
      b = pels[at + blueAt]!;
      y[rowBelow + xRight] = (Y_R * r + Y_G * g + Y_B * b + Y_OFFSET) >> 16;
      sumR += r;
      sumG += g;
      sumB += b;

      const chroma = chromaY * chromaWidth + chromaX;
      u[chroma] = (CB_R * sumR + CB_G * sumG + CB_B * sumB + C_OFFSET) >> 18;
      v[chroma] = (CR_R * sumR + CR_G * sumG + CR_B * sumB + C_OFFSET) >> 18;
    }
  }
}

/** The definition of the kernel. */
export function referenceRgbConversion({ u8 }: KernelMemory): Pick<PictureKernels, 'convertRgb'> {
  return {
    convertRgb(y, u, v, pels, rowBytes, pelBytes, redAt, width, height) {
      const planes = { y: u8.subarray(y), u: u8.subarray(u), v: u8.subarray(v) };
      convertRgb(planes, u8, pels, { width, height, rowBytes, pelBytes, redAt });
    },
  };
}
