// Transforms and quantizes the blocks of a macroblock, and reconstructs them as a decoder does.

import type { PlanePointers, Workspace } from '../picture/workspace.js';
import type { MacroblockPosition } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';

/** How levels are chosen: by rounding, or by rate and distortion. */
export type LevelChoice = 'plain' | 'trellis';

/** The transform stage of macroblock trials. */
export class BlockTransform {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Writes the trial's coefficients: those of the residual, or of the pels where it is intra. */
  transform(trial: MacroblockTrial, at: MacroblockPosition, isIntra: boolean): void {
    const { kernels, source } = this.#workspace;
    kernels.transformMacroblock(trial.pointer, source.record, at.mbX, at.mbY, isIntra ? 1 : 0);
  }

  /**
   * Quantizes the trial's coefficients: sets its levels, coded_block_pattern, distortion and the bits of its blocks
   * without DC. A block of a predicted macroblock is not coded where its bits cost more than they save. `lambda64` is
   * the cost of a bit.
   */
  quantize(
    trial: MacroblockTrial,
    quantizerScale: number,
    isIntra: boolean,
    lambda64: number,
    choice: LevelChoice,
  ): void {
    const { kernels, quantizers, lengths } = this.#workspace;
    const { pointer } = trial;
    const kind = isIntra ? 1 : 0;
    if (choice === 'trellis') {
      kernels.quantizeMacroblockByTrellis(pointer, quantizers.nearest[kind][quantizerScale]!, lengths, kind, lambda64);
    } else kernels.quantizeMacroblock(pointer, quantizers.plain[kind][quantizerScale]!, lengths, kind, lambda64);
    trial.quantizerScale = quantizerScale;
    trial.readQuantized();
  }

  /** Writes the pels of the macroblock, as a decoder will have them, into `target`. */
  reconstruct(trial: MacroblockTrial, at: MacroblockPosition, target: PlanePointers, isIntra: boolean): void {
    const { codedBlockPattern, pointer } = trial;
    const { kernels } = this.#workspace;
    kernels.reconstructMacroblock(target.record, at.mbX, at.mbY, pointer, codedBlockPattern, isIntra ? 1 : 0);
  }
}
