// Structural similarity of two frames.
import { chromaLength, type Frame } from '../../picture/frame.js';
import { MAX_PEL, measurePlanes, type PlaneValues } from './plane-values.js';

/**
 * Structural similarity (Wang et al. 2004) of each plane, 1 for equal planes. Windows are those of ffmpeg's `ssim`
 * filter: 8x8 pels every 4 pels, whole 4x4 blocks only. A plane with a side below 8 pels is first extended to 8 by
 * repeating its last row and column. `all` weights the planes by their pels.
 */
export function ssim(a: Frame, b: Frame): PlaneValues {
  return measurePlanes(a, b, plane => {
    const width = plane === 'y' ? a.width : chromaLength(a.width);
    const height = plane === 'y' ? a.height : chromaLength(a.height);
    return planeSsim(a[plane], b[plane], width, height);
  });
}

/** SSIM in dB, as ffmpeg prints it: -10 log10(1 - ssim), Infinity for equal planes. Differences near 1 are seen so. */
export function ssimInDb(similarity: number): number {
  return -10 * Math.log10(1 - similarity);
}

/** Side of a window in pels, and of the blocks whose sums are computed once; a window has four blocks. */
const WINDOW = 8;
const BLOCK = 4;
const WINDOW_PELS = WINDOW * WINDOW;
/** The constants C1 = (0.01 * 255)^2 and C2 = (0.03 * 255)^2 in the scale of the sums, rounded as in ffmpeg. */
const MEAN_CONSTANT = Math.floor(0.01 * 0.01 * MAX_PEL * MAX_PEL * WINDOW_PELS + 0.5);
const VARIANCE_CONSTANT = Math.floor(0.03 * 0.03 * MAX_PEL * MAX_PEL * WINDOW_PELS * (WINDOW_PELS - 1) + 0.5);

/** Each block has four sums, one after another: of a, of b, of a*a + b*b and of a*b. */
const SUMS = 4;

function planeSsim(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  if (width < WINDOW || height < WINDOW) {
    const newWidth = Math.max(width, WINDOW);
    const newHeight = Math.max(height, WINDOW);
    const extended = (plane: Uint8Array) => extendPlane(plane, width, height, newWidth, newHeight);
    return planeSsim(extended(a), extended(b), newWidth, newHeight);
  }
  const columns = Math.floor(width / BLOCK);
  const rows = Math.floor(height / BLOCK);
  let above = new Int32Array(columns * SUMS);
  let below = new Int32Array(columns * SUMS);
  let sum = 0;
  for (let row = 0; row < rows; row++) {
    [above, below] = [below, above];
    sumBlockRow(below, a, b, row * BLOCK * width, width);
    if (row === 0) continue;
    for (let column = 0; column + 1 < columns; column++) sum += windowSsim(above, below, column * SUMS);
  }
  return sum / ((columns - 1) * (rows - 1));
}

/** The sums of each 4x4 block of the block row that starts at pel `start`. */
function sumBlockRow(sums: Int32Array, a: Uint8Array, b: Uint8Array, start: number, width: number): void {
  for (let at = 0; at < sums.length; at += SUMS) {
    let sumA = 0;
    let sumB = 0;
    let squares = 0;
    let products = 0;
    for (let y = 0; y < BLOCK; y++) {
      const pel = start + y * width + at;
      for (let x = 0; x < BLOCK; x++) {
        const pelA = a[pel + x]!;
        const pelB = b[pel + x]!;
        sumA += pelA;
        sumB += pelB;
        squares += pelA * pelA + pelB * pelB;
        products += pelA * pelB;
      }
    }
    sums[at] = sumA;
    sums[at + 1] = sumB;
    sums[at + 2] = squares;
    sums[at + 3] = products;
  }
}

/** SSIM of the window of two blocks above and two below, the left ones at entry `at`. */
function windowSsim(above: Int32Array, below: Int32Array, at: number): number {
  const total = (sum: number) =>
    above[at + sum]! + above[at + SUMS + sum]! + below[at + sum]! + below[at + SUMS + sum]!;
  const sumA = total(0);
  const sumB = total(1);
  const variances = total(2) * WINDOW_PELS - sumA * sumA - sumB * sumB;
  const covariance = total(3) * WINDOW_PELS - sumA * sumB;
  return (
    ((2 * sumA * sumB + MEAN_CONSTANT) * (2 * covariance + VARIANCE_CONSTANT)) /
    ((sumA * sumA + sumB * sumB + MEAN_CONSTANT) * (variances + VARIANCE_CONSTANT))
  );
}

/** The plane with its last row and column repeated up to the new size. */
function extendPlane(
  plane: Uint8Array,
  width: number,
  height: number,
  newWidth: number,
  newHeight: number,
): Uint8Array {
  return Uint8Array.from({ length: newWidth * newHeight }, (_, at) => {
    const x = Math.min(at % newWidth, width - 1);
    const y = Math.min(Math.floor(at / newWidth), height - 1);
    return plane[y * width + x]!;
  });
}
