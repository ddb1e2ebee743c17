import { BLOCKS_PER_MACROBLOCK, LEVELS_PER_MACROBLOCK, type PictureSymbols } from '../../bitstream/picture-symbols.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import { limitToDecoderRange, SAFE_MAGNITUDE } from '../../dct/decoder-range.js';
import type { MacroblockTrial } from '../macroblock/macroblock-trial.js';
import type { Workspace } from './workspace.js';

/** The symbols of a picture as they are decided, macroblock after macroblock; reused for every picture. */
export class PictureDecisions implements PictureSymbols {
  type: PictureType = 'I';
  readonly mbWidth: number;
  readonly mbHeight: number;
  sliceRows: readonly number[] = [0];
  forwardFCode = 1;
  backwardFCode = 1;
  readonly flags: Uint8Array;
  readonly direction: Uint8Array;
  readonly skipped: Uint8Array;
  readonly quantizerScale: Uint8Array;
  readonly forwardDxHalfPels: Int16Array;
  readonly forwardDyHalfPels: Int16Array;
  readonly backwardDxHalfPels: Int16Array;
  readonly backwardDyHalfPels: Int16Array;
  readonly codedBlockPattern: Uint8Array;
  readonly levelEnd: Uint8Array;
  readonly levels: Int16Array;
  readonly #workspace: Workspace;

  constructor(workspace: Workspace) {
    const { mbWidth, mbHeight } = workspace.grid;
    const macroblocks = mbWidth * mbHeight;
    this.#workspace = workspace;
    this.mbWidth = mbWidth;
    this.mbHeight = mbHeight;
    this.flags = new Uint8Array(macroblocks);
    this.direction = new Uint8Array(macroblocks);
    this.skipped = new Uint8Array(macroblocks);
    this.quantizerScale = new Uint8Array(macroblocks);
    const { i16 } = workspace.memory;
    const { forward, backward } = workspace.vectors;
    const vectorsAt = (pointer: number) => i16.subarray(pointer >> 1, (pointer >> 1) + macroblocks);
    this.forwardDxHalfPels = vectorsAt(forward.chosenDx);
    this.forwardDyHalfPels = vectorsAt(forward.chosenDy);
    this.backwardDxHalfPels = vectorsAt(backward.chosenDx);
    this.backwardDyHalfPels = vectorsAt(backward.chosenDy);
    this.codedBlockPattern = new Uint8Array(macroblocks);
    this.levelEnd = new Uint8Array(macroblocks * BLOCKS_PER_MACROBLOCK);
    const start = workspace.levels >> 1;
    this.levels = i16.subarray(start, start + macroblocks * LEVELS_PER_MACROBLOCK);
  }

  /** Takes the chosen trial as macroblock `address`; its blocks are first made safe for every decoder's number range. */
  record(address: number, trial: MacroblockTrial, intra: boolean): void {
    this.flags[address] = trial.flags;
    this.direction[address] = trial.direction;
    this.skipped[address] = trial.skipped ? 1 : 0;
    this.quantizerScale[address] = trial.quantizerScale;
    this.forwardDxHalfPels[address] = trial.forwardDxHalfPels;
    this.forwardDyHalfPels[address] = trial.forwardDyHalfPels;
    this.backwardDxHalfPels[address] = trial.backwardDxHalfPels;
    this.backwardDyHalfPels[address] = trial.backwardDyHalfPels;
    this.codedBlockPattern[address] = trial.codedBlockPattern;
    if (trial.codedBlockPattern === 0) return;
    const { i16 } = this.#workspace.memory;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if ((trial.codedBlockPattern & (32 >> block)) === 0) continue;
      if (trial.magnitude[block]! > SAFE_MAGNITUDE) this.#limit(trial, block, intra ? 1 : 0);
      this.levelEnd[address * BLOCKS_PER_MACROBLOCK + block] = trial.levelEnd[block]!;
    }
    const from = trial.levels >> 1;
    i16.copyWithin((this.#workspace.levels >> 1) + address * LEVELS_PER_MACROBLOCK, from, from + LEVELS_PER_MACROBLOCK);
  }

  #limit(trial: MacroblockTrial, block: number, first: number): void {
    const { i16 } = this.#workspace.memory;
    const levels = trial.blockLevels(block) >> 1;
    const reconstruction = trial.blockReconstruction(block) >> 1;
    trial.levelEnd[block] = limitToDecoderRange(
      i16.subarray(levels, levels + 64),
      i16.subarray(reconstruction, reconstruction + 64),
      trial.levelEnd[block]!,
      first,
    );
  }
}
