import { InputError } from '../../errors.js';
import { chromaLength, type Frame } from '../../picture/frame.js';

/** One number per plane, and `all`: the planes weighted by their pels (4:1:1 for even sizes). */
export interface PlaneValues {
  readonly y: number;
  readonly u: number;
  readonly v: number;
  readonly all: number;
}

/** Largest value of a pel. */
const PEAK = 255;

/** Mean squared error per plane of two frames of one size; `all` is over all pels of the three planes. */
export function meanSquaredError(a: Frame, b: Frame): PlaneValues {
  requireSameSize(a, b);
  return perPlane(a, name => squaredErrorSum(a[name], b[name]) / a[name].length);
}

/** Peak signal-to-noise ratio in dB of a mean squared error; Infinity for 0. */
export function psnrFromMse(mse: number): number {
  return mse === 0 ? Number.POSITIVE_INFINITY : 10 * Math.log10((PEAK * PEAK) / mse);
}

/** PSNR in dB of each plane of two frames; Infinity where a plane is equal. `all` is the PSNR of the weighted mean error. */
export function psnr(a: Frame, b: Frame): PlaneValues {
  return psnrOfErrors(meanSquaredError(a, b));
}

/**
 * PSNR and SSIM of a sequence, as ffmpeg's `psnr` and `ssim` filters sum up: the PSNR of the mean squared error of all
 * frames (not the mean of their PSNRs), and the mean of the frames' SSIM.
 */
export class SequenceQuality {
  #frames = 0;
  readonly #errors = { y: 0, u: 0, v: 0, all: 0 };
  readonly #similarity = { y: 0, u: 0, v: 0, all: 0 };

  /** `withSsim` false leaves SSIM out, which takes most of the time. */
  constructor(readonly withSsim = false) {}

  /** Adds one pair of frames; returns the pair's own PSNR. */
  add(original: Frame, decoded: Frame): PlaneValues {
    const errors = meanSquaredError(original, decoded);
    accumulate(this.#errors, errors);
    if (this.withSsim) accumulate(this.#similarity, ssim(original, decoded));
    this.#frames++;
    return psnrOfErrors(errors);
  }

  get frames(): number {
    return this.#frames;
  }

  /** PSNR in dB over the frames so far; NaN before the first. */
  psnr(): PlaneValues {
    return psnrOfErrors(mean(this.#errors, this.#frames));
  }

  /** SSIM over the frames so far; NaN before the first, or without `withSsim`. */
  ssim(): PlaneValues {
    return mean(this.#similarity, this.withSsim ? this.#frames : 0);
  }
}

/**
 * Structural similarity (Wang et al. 2004) per plane, 1 for equal planes, in the windowing of ffmpeg's `ssim` filter:
 * uniform 8x8 windows every 4 pels, whole 4x4 blocks only. A plane below 8 pels a side is first extended to 8 by repeating
 * its last row and column. `all` weights the planes by their pels.
 */
export function ssim(a: Frame, b: Frame): PlaneValues {
  requireSameSize(a, b);
  return perPlane(a, name => {
    const width = name === 'y' ? a.width : chromaLength(a.width);
    const height = name === 'y' ? a.height : chromaLength(a.height);
    return planeSsim(a[name], b[name], width, height);
  });
}

/** Side of an SSIM window, and of the blocks whose sums it is made of: four blocks a window. */
const WINDOW = 8;
const BLOCK = 4;
const WINDOW_PELS = WINDOW * WINDOW;
/** (0.01 * 255)^2 and (0.03 * 255)^2, scaled as the sums are: means by 64, (co)variances by 64 * 63; rounded as in ffmpeg. */
const STABILISER_MEAN = Math.floor(0.01 * 0.01 * PEAK * PEAK * WINDOW_PELS + 0.5);
const STABILISER_VARIANCE = Math.floor(0.03 * 0.03 * PEAK * PEAK * WINDOW_PELS * (WINDOW_PELS - 1) + 0.5);

/** The four sums of a 4x4 block, `SUMS` entries apart: of a, of b, of a*a + b*b, of a*b. */
const SUMS = 4;

function planeSsim(a: Uint8Array, b: Uint8Array, width: number, height: number): number {
  if (width < WINDOW || height < WINDOW) {
    const wide = Math.max(width, WINDOW);
    const high = Math.max(height, WINDOW);
    return planeSsim(extend(a, width, height, wide, high), extend(b, width, height, wide, high), wide, high);
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

/** SSIM of the window whose blocks are at `at` and the next one of both block rows. */
function windowSsim(above: Int32Array, below: Int32Array, at: number): number {
  const total = (sum: number) =>
    above[at + sum]! + above[at + SUMS + sum]! + below[at + sum]! + below[at + SUMS + sum]!;
  const sumA = total(0);
  const sumB = total(1);
  const variances = total(2) * WINDOW_PELS - sumA * sumA - sumB * sumB;
  const covariance = total(3) * WINDOW_PELS - sumA * sumB;
  return (
    ((2 * sumA * sumB + STABILISER_MEAN) * (2 * covariance + STABILISER_VARIANCE)) /
    ((sumA * sumA + sumB * sumB + STABILISER_MEAN) * (variances + STABILISER_VARIANCE))
  );
}

function extend(plane: Uint8Array, width: number, height: number, wide: number, high: number): Uint8Array {
  return Uint8Array.from({ length: wide * high }, (_, at) => {
    const x = Math.min(at % wide, width - 1);
    const y = Math.min(Math.floor(at / wide), height - 1);
    return plane[y * width + x]!;
  });
}

/** Below 2^53 for any plane: 255^2 * 4095 * 2800. */
function squaredErrorSum(a: Uint8Array, b: Uint8Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) {
    const difference = a[i]! - b[i]!;
    sum += difference * difference;
  }
  return sum;
}

function perPlane(frame: Frame, measure: (plane: 'y' | 'u' | 'v') => number): PlaneValues {
  const y = measure('y');
  const u = measure('u');
  const v = measure('v');
  const pels = frame.y.length + frame.u.length + frame.v.length;
  return { y, u, v, all: (y * frame.y.length + u * frame.u.length + v * frame.v.length) / pels };
}

function psnrOfErrors(mse: PlaneValues): PlaneValues {
  return { y: psnrFromMse(mse.y), u: psnrFromMse(mse.u), v: psnrFromMse(mse.v), all: psnrFromMse(mse.all) };
}

function accumulate(sums: { y: number; u: number; v: number; all: number }, values: PlaneValues): void {
  sums.y += values.y;
  sums.u += values.u;
  sums.v += values.v;
  sums.all += values.all;
}

function mean(sums: PlaneValues, count: number): PlaneValues {
  return { y: sums.y / count, u: sums.u / count, v: sums.v / count, all: sums.all / count };
}

function requireSameSize(a: Frame, b: Frame): void {
  if (a.width !== b.width || a.height !== b.height) {
    throw new InputError(
      `frames of ${a.width}x${a.height} and ${b.width}x${b.height} cannot be compared: sizes differ`,
    );
  }
}
