import { BLOCKS_PER_MACROBLOCK } from '../bitstream/picture-symbols.js';
import { type MacroblockTrial, PREDICTION_OFFSETS, PREDICTION_STRIDES } from './macroblock-trial.js';
import type { MacroblockPosition } from './prediction.js';
import type { PlanePointers, Workspace } from './workspace.js';

/** Pointer to one of the six blocks of a macroblock in a picture, and its stride. */
export function blockPointer(planes: PlanePointers, { mbX, mbY }: MacroblockPosition, block: number): number {
  if (block < 4) {
    return planes.y + (mbY * 16 + (block >> 1) * 8) * planes.lumaStride + mbX * 16 + (block & 1) * 8;
  }
  return (block === 4 ? planes.u : planes.v) + mbY * 8 * planes.chromaStride + mbX * 8;
}

/** Stride of a picture's plane that holds the block. */
export function blockStride(planes: PlanePointers, block: number): number {
  return block < 4 ? planes.lumaStride : planes.chromaStride;
}

/** Transforms and quantises macroblocks into trials, and reconstructs them as a decoder will. */
export class BlockTransform {
  readonly #workspace: Workspace;
  readonly #coefficients: number;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#coefficients = workspace.memory.allocate(128);
  }

  /**
   * Codes the residual of a predicted macroblock: fills the trial's levels, pattern, distortion and the bits of its blocks. A
   * block is left out where its bits cost more than they save (`lambda64`: 64 times lambda for squared error).
   */
  codeResidual(trial: MacroblockTrial, at: MacroblockPosition, quantizerScale: number, lambda64: number): void {
    const { kernels, memory, source, quantisers, lengths, blockCost } = this.#workspace;
    const quantiser = quantisers[0][quantizerScale]!;
    const costs = blockCost >> 2;
    let pattern = 0;
    let bits = 0;
    let distortion = 0;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      const prediction = trial.prediction + PREDICTION_OFFSETS[block]!;
      const pels = blockPointer(source, at, block);
      kernels.forwardDct(this.#coefficients, pels, blockStride(source, block), prediction, PREDICTION_STRIDES[block]!);
      const reconstruction = trial.blockReconstruction(block);
      const levels = trial.blockLevels(block);
      const end = kernels.quantizeBlock(levels, reconstruction, this.#coefficients, quantiser, lengths, 0, blockCost);
      const coded = memory.i32[costs]!;
      const empty = memory.i32[costs + 1]!;
      const blockBits = memory.i32[costs + 2]!;
      if (end > 0 && coded + lambda64 * blockBits < empty) {
        pattern |= 32 >> block;
        bits += blockBits;
        distortion += coded;
      } else {
        distortion += empty;
      }
      trial.levelEnd[block] = end;
      trial.magnitude[block] = memory.i32[costs + 3]!;
    }
    trial.codedBlockPattern = pattern;
    trial.bits = bits;
    trial.distortion = distortion;
  }

  /** Codes an intra macroblock: fills the trial's levels, distortion and the bits of its AC coefficients. */
  codeIntra(trial: MacroblockTrial, at: MacroblockPosition, quantizerScale: number): void {
    const { kernels, memory, source, quantisers, lengths, blockCost, midGray } = this.#workspace;
    const quantiser = quantisers[1][quantizerScale]!;
    const costs = blockCost >> 2;
    let bits = 0;
    let distortion = 0;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      const pels = blockPointer(source, at, block);
      kernels.forwardDct(this.#coefficients, pels, blockStride(source, block), midGray, 0);
      const reconstruction = trial.blockReconstruction(block);
      const levels = trial.blockLevels(block);
      const end = kernels.quantizeBlock(levels, reconstruction, this.#coefficients, quantiser, lengths, 1, blockCost);
      distortion += memory.i32[costs]!;
      bits += memory.i32[costs + 2]!;
      trial.levelEnd[block] = end;
      trial.magnitude[block] = memory.i32[costs + 3]!;
    }
    trial.codedBlockPattern = 63;
    trial.bits = bits;
    trial.distortion = distortion;
  }

  /** Writes a macroblock as the decoder will see it into `target`. */
  reconstruct(trial: MacroblockTrial, at: MacroblockPosition, target: PlanePointers, intra: boolean): void {
    const { kernels, black } = this.#workspace;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      const pels = blockPointer(target, at, block);
      const stride = blockStride(target, block);
      const prediction = trial.prediction + PREDICTION_OFFSETS[block]!;
      const predictionStride = PREDICTION_STRIDES[block]!;
      if (intra) kernels.reconstructBlock(pels, stride, black, 0, trial.blockReconstruction(block));
      else if (trial.codedBlockPattern & (32 >> block)) {
        kernels.reconstructBlock(pels, stride, prediction, predictionStride, trial.blockReconstruction(block));
      } else kernels.copyBlock(pels, stride, prediction, predictionStride, 8);
    }
  }
}
