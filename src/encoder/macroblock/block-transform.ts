import type { PlanePointers, Workspace } from '../picture/workspace.js';
import type { MacroblockTrial } from './macroblock-trial.js';
import type { MacroblockPosition } from './prediction.js';

/** How levels are found: as quantized, or by the trellis. */
export type LevelChoice = 'plain' | 'trellis';

/** Transforms and quantizes macroblocks into trials, and reconstructs them as a decoder will. */
export class BlockTransform {
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
  }

  /** Transforms the residual of a predicted macroblock, or all of an intra one, into the trial's coefficients. */
  transform(trial: MacroblockTrial, at: MacroblockPosition, intra: boolean): void {
    const { kernels, source } = this.#workspace;
    kernels.transformMacroblock(trial.pointer, source.record, at.mbX, at.mbY, intra ? 1 : 0);
  }

  /**
   * Quantizes the trial's coefficients: fills its levels, pattern, distortion and the bits of its blocks (no DC). A block of a
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
    const { kernels, quantizers, lengths } = this.#workspace;
    const { pointer, record } = trial;
    const kind = intra ? 1 : 0;
    if (choice === 'trellis') {
      kernels.quantizeMacroblockByTrellis(pointer, quantizers.nearest[kind][quantizerScale]!, lengths, kind, lambda64);
    } else kernels.quantizeMacroblock(pointer, quantizers.plain[kind][quantizerScale]!, lengths, kind, lambda64);
    trial.quantizerScale = quantizerScale;
    trial.codedBlockPattern = record.codedBlockPattern;
    trial.bits = record.bits;
    trial.distortion = record.distortion;
  }

  /** Writes a macroblock as the decoder will see it into `target`. */
  reconstruct(trial: MacroblockTrial, at: MacroblockPosition, target: PlanePointers, intra: boolean): void {
    const { codedBlockPattern, pointer } = trial;
    const { kernels } = this.#workspace;
    kernels.reconstructMacroblock(target.record, at.mbX, at.mbY, pointer, codedBlockPattern, intra ? 1 : 0);
  }
}
