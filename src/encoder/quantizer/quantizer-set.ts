// The quantizer matrices by name, and the quantizer records of all quantizer_scales.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { DEFAULT_INTRA_MATRIX, DEFAULT_NON_INTRA_MATRIX } from '../../dct/matrices.js';
import { writeQuantizer } from '../../dct/quantizer-record.js';
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import { QUANTIZER } from '../../kernels/records/quantizer.js';

/**
 * Rounding of levels without a trellis, in steps. Intra coefficients are rounded up more often: they are worth keeping
 * more often than those of residuals. Not measured.
 */
const PLAIN_ROUNDING = { nonIntra: 0, intra: 0.375 };
/**
 * The same where no trellis follows, which would drop levels that cost more bits than they are worth: of 0, -0.12 and
 * -0.24, -0.12 takes 1.5 % fewer bits than 0 at equal PSNR (three clips); -0.24 is as good at coarse scales only.
 */
const ONLY_ROUNDING = { nonIntra: -0.15, intra: 0.375 };
/**
 * Rounding to the nearest reconstruction, for the trellis, which tries the level below, too. Non-intra levels
 * reconstruct half a step higher (§2.4.4.2): level 1 is the nearest from 0.75 steps on, level n from n on.
 */
const NEAREST_ROUNDING = { nonIntra: 0.25, intra: 0.5 };

/** The weights of intra and non-intra blocks, column by column; undefined: the standard's default matrix. */
export interface QuantizerMatrices {
  readonly intra: Uint8Array | undefined;
  readonly nonIntra: Uint8Array | undefined;
}

/** The named intra matrices. */
export type MatrixName = 'standard' | 'flat';

/**
 * The intra matrices by name; undefined: the standard's default, which the stream need not carry. In `flat` all AC
 * coefficients have the same step, which is best for squared errors at high rates. A step of 22 follows from the
 * coder's lambda (0.85 q^2 = 0.1155 step^2); 24 is the best measured, see docs/benchmarks.md.
 */
export const NAMED_INTRA_MATRICES: Readonly<Record<MatrixName, Uint8Array | undefined>> = {
  standard: undefined,
  flat: new Uint8Array(64).fill(24).fill(8, 0, 1),
};

/** The legal names. */
export const MATRIX_NAMES = Object.keys(NAMED_INTRA_MATRICES) as readonly MatrixName[];

/** Pointers to quantizer records, indexed by quantizer_scale 1..31. */
export interface QuantizerPointers {
  /** Records with a dead zone, for quantization without the trellis. */
  readonly plain: readonly [nonIntra: readonly number[], intra: readonly number[]];
  /** Records that round to the nearest reconstruction, from which the trellis starts. */
  readonly nearest: readonly [nonIntra: readonly number[], intra: readonly number[]];
}

/** The bytes of kernel memory that `allocateQuantizers` takes: of 31 scales, four kinds. */
export const QUANTIZERS_BYTES =
  4 * MAX_QUANTIZER_SCALE * Math.ceil(QUANTIZER.bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;

/**
 * Makes the quantizer records of all quantizer_scales in kernel memory, where all coders of an encode read them.
 * `hasTrellis`: levels are chosen by a trellis.
 */
export function allocateQuantizers(
  memory: KernelMemory,
  matrices: QuantizerMatrices,
  hasTrellis: boolean,
): QuantizerPointers {
  const allocate = (weights: Uint8Array, intra: boolean, rounding: number): number[] => {
    const pointers = [0];
    for (let quantizerScale = 1; quantizerScale <= MAX_QUANTIZER_SCALE; quantizerScale++) {
      const pointer = memory.allocate(QUANTIZER.bytes);
      writeQuantizer(memory, pointer, { quantizerScale, weights, intra, rounding });
      pointers.push(pointer);
    }
    return pointers;
  };
  const nonIntra = matrices.nonIntra ?? DEFAULT_NON_INTRA_MATRIX;
  const intra = matrices.intra ?? DEFAULT_INTRA_MATRIX;
  const rounding = hasTrellis ? PLAIN_ROUNDING : ONLY_ROUNDING;
  return {
    plain: [allocate(nonIntra, false, rounding.nonIntra), allocate(intra, true, rounding.intra)],
    nearest: [allocate(nonIntra, false, NEAREST_ROUNDING.nonIntra), allocate(intra, true, NEAREST_ROUNDING.intra)],
  };
}
