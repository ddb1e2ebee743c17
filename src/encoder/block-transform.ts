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

/** How levels are found: as quantised, or by the trellis. */
export type LevelChoice = 'plain' | 'trellis';

/** Transforms and quantises macroblocks into trials, and reconstructs them as a decoder will. */
export class BlockTransform {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Transforms the residual of a predicted macroblock, or all of an intra one, into the trial's coefficients. */
  transform(trial: MacroblockTrial, at: MacroblockPosition, intra: boolean): void {
    const { kernels, source, midGray } = this.#workspace;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      const prediction = intra ? midGray : trial.prediction + PREDICTION_OFFSETS[block]!;
      const predictionStride = intra ? 0 : PREDICTION_STRIDES[block]!;
      const pels = blockPointer(source, at, block);
      kernels.forwardDct(
        trial.blockCoefficients(block),
        pels,
        blockStride(source, block),
        prediction,
        predictionStride,
      );
    }
  }

  /**
   * Quantises the trial's coefficients: fills its levels, pattern, distortion and the bits of its blocks (no DC). A block of a
   * predicted macroblock is left out where its bits cost more than they save. `lambda64`: what a bit may cost, in the
   * unit of distortion, 64 times that for squared pels.
   */
  quantize(
    trial: MacroblockTrial,
    quantizerScale: number,
    intra: boolean,
    lambda64: number,
    choice: LevelChoice,
  ): void {
    const { kernels, memory, quantisers, lengths, blockCost } = this.#workspace;
    const kind = intra ? 1 : 0;
    const records = choice === 'trellis' ? quantisers.nearest : quantisers.plain;
    const quantiser = records[kind][quantizerScale]!;
    const costs = blockCost >> 2;
    let pattern = 0;
    let bits = 0;
    let distortion = 0;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      const coefficients = trial.blockCoefficients(block);
      const levels = trial.blockLevels(block);
      const reconstruction = trial.blockReconstruction(block);
      trial.levelEnd[block] =
        choice === 'trellis'
          ? kernels.quantizeBlockByTrellis(
              levels,
              reconstruction,
              coefficients,
              quantiser,
              lengths,
              kind,
              blockCost,
              Math.round(lambda64),
            )
          : kernels.quantizeBlock(levels, reconstruction, coefficients, quantiser, lengths, kind, blockCost);
      const coded = memory.i32[costs]!;
      const empty = memory.i32[costs + 1]!;
      const blockBits = memory.i32[costs + 2]!;
      trial.magnitude[block] = memory.i32[costs + 3]!;
      if (intra || coded + lambda64 * blockBits < empty) {
        pattern |= 32 >> block;
        bits += blockBits;
        distortion += coded;
      } else {
        distortion += empty;
      }
    }
    trial.codedBlockPattern = pattern;
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
