// Keeps what is decided of the macroblocks of a picture, for the writer and the report.

import {
  BLOCKS_PER_MACROBLOCK,
  COEFFICIENTS_PER_BLOCK,
  COEFFICIENTS_PER_MACROBLOCK,
  isBlockCoded,
} from '../../bitstream/macroblock-layout.js';
import type { PictureSymbols } from '../../bitstream/picture-symbols.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import { MACROBLOCK_INTRA } from '../../bitstream/tables/macroblock-codes.js';
import { limitToDecoderRange, SAFE_MAGNITUDE } from '../../dct/decoder-range.js';
import type { MacroblockTrial } from '../macroblock/macroblock-trial.js';
import { headerFCode } from '../motion/f-code.js';
import type { Workspace } from './workspace.js';

/**
 * The symbols of the picture that is being coded; one object for all pictures. Vectors and levels lie in kernel memory.
 */
export class PictureDecisions implements PictureSymbols {
  type: PictureType = 'I';
  readonly mbWidth: number;
  readonly mbHeight: number;
  sliceRows: readonly number[] = [0];
  forwardFCode = 1;
  backwardFCode = 1;
  readonly flags: Uint8Array;
  readonly direction: Uint8Array;
  readonly quantizerScale: Uint8Array;
  readonly forwardDxHalfPels: Int16Array;
  readonly forwardDyHalfPels: Int16Array;
  readonly backwardDxHalfPels: Int16Array;
  readonly backwardDyHalfPels: Int16Array;
  readonly codedBlockPattern: Uint8Array;
  readonly levelEnd: Uint8Array;
  readonly levels: Int16Array;
  readonly #workspace: Workspace;
  /** Index of the levels in the int16 of the kernel memory. */
  readonly #levels: number;

  constructor(workspace: Workspace) {
    const { mbWidth, mbHeight } = workspace.grid;
    const macroblocks = mbWidth * mbHeight;
    this.#workspace = workspace;
    this.mbWidth = mbWidth;
    this.mbHeight = mbHeight;
    const { u8, i16 } = workspace.memory;
    const { symbols } = workspace;
    const bytesAt = (pointer: number, perMacroblock = 1) => u8.subarray(pointer, pointer + macroblocks * perMacroblock);
    const wordsAt = (pointer: number, perMacroblock = 1) =>
      i16.subarray(pointer >> 1, (pointer >> 1) + macroblocks * perMacroblock);
    this.flags = bytesAt(symbols.flags);
    this.direction = bytesAt(symbols.direction);
    this.quantizerScale = bytesAt(symbols.quantizerScale);
    this.codedBlockPattern = bytesAt(symbols.codedBlockPattern);
    this.levelEnd = bytesAt(symbols.levelEnd, BLOCKS_PER_MACROBLOCK);
    this.forwardDxHalfPels = wordsAt(symbols.forwardDx);
    this.forwardDyHalfPels = wordsAt(symbols.forwardDy);
    this.backwardDxHalfPels = wordsAt(symbols.backwardDx);
    this.backwardDyHalfPels = wordsAt(symbols.backwardDy);
    this.levels = wordsAt(symbols.levels, COEFFICIENTS_PER_MACROBLOCK);
    this.#levels = symbols.levels >> 1;
  }

  /** A picture begins. */
  begin(type: PictureType, sliceRows: readonly number[]): void {
    this.type = type;
    this.sliceRows = sliceRows;
  }

  /** All macroblocks are recorded. */
  end(): void {
    this.forwardFCode = headerFCode(this, 'forward');
    this.backwardFCode = headerFCode(this, 'backward');
  }

  /**
   * Records the chosen trial of macroblock `address`. First cuts off levels that leave the number range of decoders.
   */
  record(address: number, trial: MacroblockTrial): void {
    this.flags[address] = trial.flags;
    this.direction[address] = trial.direction;
    this.quantizerScale[address] = trial.quantizerScale;
    this.forwardDxHalfPels[address] = trial.forwardDxHalfPels;
    this.forwardDyHalfPels[address] = trial.forwardDyHalfPels;
    this.backwardDxHalfPels[address] = trial.backwardDxHalfPels;
    this.backwardDyHalfPels[address] = trial.backwardDyHalfPels;
    this.codedBlockPattern[address] = trial.codedBlockPattern;
    if (trial.codedBlockPattern === 0) return;
    const { i16 } = this.#workspace.memory;
    for (let block = 0; block < BLOCKS_PER_MACROBLOCK; block++) {
      if (!isBlockCoded(trial.codedBlockPattern, block)) continue;
      if (trial.magnitude[block]! > SAFE_MAGNITUDE) this.#limit(trial, block);
      this.levelEnd[address * BLOCKS_PER_MACROBLOCK + block] = trial.levelEnd[block]!;
    }
    const from = trial.levels >> 1;
    i16.copyWithin(this.#levels + address * COEFFICIENTS_PER_MACROBLOCK, from, from + COEFFICIENTS_PER_MACROBLOCK);
  }

  #limit(trial: MacroblockTrial, block: number): void {
    const { i16 } = this.#workspace.memory;
    const levels = trial.blockLevels(block) >> 1;
    const reconstruction = trial.blockReconstruction(block) >> 1;
    trial.levelEnd[block] = limitToDecoderRange(
      i16.subarray(levels, levels + COEFFICIENTS_PER_BLOCK),
      i16.subarray(reconstruction, reconstruction + COEFFICIENTS_PER_BLOCK),
      trial.levelEnd[block]!,
      trial.flags & MACROBLOCK_INTRA ? 1 : 0,
    );
  }
}
