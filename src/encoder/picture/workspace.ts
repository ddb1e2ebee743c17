import { LEVELS_PER_MACROBLOCK } from '../../bitstream/picture-symbols.js';
import { runLevelCodes, runLevelLengths } from '../../bitstream/tables/block-codes.js';
import { MAX_F_CODE } from '../../bitstream/tables/motion-vector-codes.js';
import { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Kernels } from '../../kernels/kernels.js';
import { CANDIDATE_SEARCH } from '../../kernels/records/candidate-search.js';
import { MAX_CODE_WORDS } from '../../kernels/records/code-words.js';
import { JOINT_SEARCH } from '../../kernels/records/joint-search.js';
import { MACROBLOCK_TRIAL, PREDICTION_BYTES } from '../../kernels/records/macroblock-trial.js';
import { PICTURE_PLANES } from '../../kernels/records/picture-planes.js';
import { QUANTIZER } from '../../kernels/records/quantizer.js';
import { MAX_CANDIDATES } from '../../kernels/records/search-job.js';
import { createKernels } from '../../kernels/select-kernels.js';
import type { MacroblockGrid, Picture } from '../../picture/picture.js';

/** A picture in kernel memory: pointers to its planes, each as wide as the coded picture. */
export interface PlanePointers {
  /** Pointer to the PICTURE_PLANES that says the rest to kernels. */
  readonly record: number;
  readonly y: number;
  readonly u: number;
  readonly v: number;
  readonly lumaStride: number;
  readonly chromaStride: number;
}

/** Pointers to quantizer records, by quantizer_scale 1..31. */
export interface QuantizerPointers {
  /** With a dead zone, for levels that are taken as they are: non-intra [0] and intra [1]. */
  readonly plain: readonly [nonIntra: readonly number[], intra: readonly number[]];
  /** Rounding to the nearest reconstruction, for the trellis to choose from. */
  readonly nearest: readonly [nonIntra: readonly number[], intra: readonly number[]];
}

/** Pointers to what vectors of one direction are looked for with. */
export interface VectorSearchPlaces {
  /** The CANDIDATE_SEARCH. */
  readonly search: number;
  /** Bits of vector differences, for any f_code. */
  readonly differenceBits: number;
  /** The vectors proposed, MAX_PROPOSALS int16 per macroblock and component. */
  readonly fieldDx: number;
  readonly fieldDy: number;
  /** The vectors chosen in the picture being coded, an int16 per macroblock and component. */
  readonly chosenDx: number;
  readonly chosenDy: number;
}

/** Vectors proposed for a macroblock: the estimator's and one of the lookahead. */
export const MAX_PROPOSALS = MAX_CANDIDATES + 1;
/** Macroblock trials alive at a time: the best so far and the one being made. */
const TRIALS = 2;
/** Entries of the largest table of vector differences, that of MAX_F_CODE. */
const MAX_DIFFERENCES = (128 << (MAX_F_CODE - 1)) + 1;

/**
 * The kernel memory of a coder, laid out once:
 *
 *     | quantizers, tables | vectors | trials | levels of a picture | source | reconstructions A, B, C |
 */
export interface Workspace {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly grid: MacroblockGrid;
  /** Quantizer records by quantizer_scale; filled by the coder. */
  readonly quantizers: QuantizerPointers;
  /** The run/level bit table. */
  readonly lengths: number;
  /** The run/level code table, and room for the words of a block. */
  readonly codes: number;
  readonly codeWords: number;
  /** What the vectors of either direction are looked for with, and both together. */
  readonly vectors: { readonly forward: VectorSearchPlaces; readonly backward: VectorSearchPlaces };
  readonly jointSearch: number;
  readonly trials: readonly number[];
  /** Room for the second prediction of an interpolated macroblock. */
  readonly scratchPrediction: number;
  /** LEVELS_PER_MACROBLOCK int16 per macroblock. */
  readonly levels: number;
  readonly source: PlanePointers;
  /** Two anchors and the picture being coded. */
  readonly reconstructions: readonly [PlanePointers, PlanePointers, PlanePointers];
}

/** Makes the workspace of a picture size. `kernels` names the kernel set; undefined takes the default. */
export async function createWorkspace(grid: MacroblockGrid, kernelSet?: string): Promise<Workspace> {
  const lengths = runLevelLengths();
  const codes = runLevelCodes();
  const macroblocks = grid.mbWidth * grid.mbHeight;
  const pictureBytes = macroblocks * 384 + 3 * 16;
  const small = 124 * QUANTIZER.bytes + lengths.length + codes.byteLength + TRIALS * MACROBLOCK_TRIAL.bytes + 4096;
  const vectors = 2 * (CANDIDATE_SEARCH.bytes + MAX_DIFFERENCES + macroblocks * (MAX_PROPOSALS + 1) * 4 + 6 * 16);
  const memory = new KernelMemory(small + vectors + macroblocks * LEVELS_PER_MACROBLOCK * 2 + 4 * pictureBytes);
  const allocateScales = () =>
    Array.from({ length: 32 }, (_, scale) => (scale === 0 ? 0 : memory.allocate(QUANTIZER.bytes)));
  const allocatePicture = (): PlanePointers => {
    const planes = {
      y: memory.allocate(macroblocks * 256),
      u: memory.allocate(macroblocks * 64),
      v: memory.allocate(macroblocks * 64),
      lumaStride: grid.codedWidth,
      chromaStride: grid.codedWidth >> 1,
    };
    return { record: PICTURE_PLANES.allocate(memory, planes).pointer, ...planes };
  };
  const allocateVectors = (): VectorSearchPlaces => ({
    search: memory.allocate(CANDIDATE_SEARCH.bytes),
    differenceBits: memory.allocate(MAX_DIFFERENCES),
    fieldDx: memory.allocate(macroblocks * MAX_PROPOSALS * 2),
    fieldDy: memory.allocate(macroblocks * MAX_PROPOSALS * 2),
    chosenDx: memory.allocate(macroblocks * 2),
    chosenDy: memory.allocate(macroblocks * 2),
  });
  const workspace: Workspace = {
    memory,
    kernels: await createKernels(memory, kernelSet),
    grid,
    quantizers: {
      plain: [allocateScales(), allocateScales()],
      nearest: [allocateScales(), allocateScales()],
    },
    lengths: memory.allocate(lengths.length),
    codes: memory.allocate(codes.byteLength),
    codeWords: memory.allocate(4 * MAX_CODE_WORDS),
    vectors: { forward: allocateVectors(), backward: allocateVectors() },
    jointSearch: memory.allocate(JOINT_SEARCH.bytes),
    trials: Array.from({ length: TRIALS }, () => memory.allocate(MACROBLOCK_TRIAL.bytes)),
    scratchPrediction: memory.allocate(PREDICTION_BYTES),
    levels: memory.allocate(macroblocks * LEVELS_PER_MACROBLOCK * 2),
    source: allocatePicture(),
    reconstructions: [allocatePicture(), allocatePicture(), allocatePicture()],
  };
  memory.u8.set(lengths, workspace.lengths);
  memory.u32.set(codes, workspace.codes >> 2);
  return workspace;
}

/** Copies a source picture into kernel memory. */
export function loadPicture(memory: KernelMemory, target: PlanePointers, picture: Picture): void {
  memory.u8.set(picture.y, target.y);
  memory.u8.set(picture.u, target.u);
  memory.u8.set(picture.v, target.v);
}
