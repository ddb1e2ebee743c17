// Keeps what is decided of the macroblocks of a picture, for the writer and the report.

import type { HeaderSymbols } from '../../bitstream/picture-symbols.js';
import type { PictureType } from '../../bitstream/picture-type.js';
import { headerFCode } from '../motion/f-code.js';
import type { Workspace } from './workspace.js';

/**
 * The symbols of the picture that is being coded, but for its blocks; one object for all pictures. They lie in kernel
 * memory.
 */
export class PictureDecisions implements HeaderSymbols {
  readonly #workspace: Workspace;
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

  constructor(workspace: Workspace) {
    const { mbWidth, mbHeight } = workspace.grid;
    const macroblocks = mbWidth * mbHeight;
    this.#workspace = workspace;
    this.mbWidth = mbWidth;
    this.mbHeight = mbHeight;
    const { u8, i16 } = workspace.memory;
    const { symbols } = workspace;
    const bytesAt = (pointer: number) => u8.subarray(pointer, pointer + macroblocks);
    const wordsAt = (pointer: number) => i16.subarray(pointer >> 1, (pointer >> 1) + macroblocks);
    this.flags = bytesAt(symbols.flags);
    this.direction = bytesAt(symbols.direction);
    this.quantizerScale = bytesAt(symbols.quantizerScale);
    this.codedBlockPattern = bytesAt(symbols.codedBlockPattern);
    this.forwardDxHalfPels = wordsAt(symbols.forwardDx);
    this.forwardDyHalfPels = wordsAt(symbols.forwardDy);
    this.backwardDxHalfPels = wordsAt(symbols.backwardDx);
    this.backwardDyHalfPels = wordsAt(symbols.backwardDy);
  }

  /** A picture begins. */
  begin(type: PictureType, sliceRows: readonly number[]): void {
    this.type = type;
    this.sliceRows = sliceRows;
  }

  /** All macroblocks are recorded. */
  end(): void {
    this.forwardFCode = headerFCode(this.#workspace, 'forward');
    this.backwardFCode = headerFCode(this.#workspace, 'backward');
  }
}
