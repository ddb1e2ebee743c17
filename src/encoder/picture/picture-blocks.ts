// The blocks of a picture as bits, row by row, until its headers can be written.
import { DC_RESET } from '../../bitstream/slice-predictors.js';
import type { Workspace } from './workspace.js';

/**
 * Keeps the blocks of a picture's macroblocks as the bits that they take in the stream, so that levels are kept of one
 * row only. The headers wait for the f_codes, which follow from the vectors of the whole picture.
 */
export class PictureBlocks {
  readonly #workspace: Workspace;
  /** The rows so far, one after the other; and where each ends. It grows as needed and is used again. */
  #bytes = new Uint8Array(1 << 16);
  readonly #ends: Uint32Array;
  #writingMs = 0;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#ends = new Uint32Array(workspace.grid.mbHeight);
  }

  /** Writes the blocks of row `mbY`, all macroblocks of which are decided. The rows before it are written. */
  addRow(mbY: number, startsSlice: boolean): void {
    const { kernels, memory, writing, grid } = this.#workspace;
    const begin = performance.now();
    if (startsSlice) Object.assign(writing, { dcY: DC_RESET, dcCb: DC_RESET, dcCr: DC_RESET });
    const length = kernels.writeBlocks(writing.pointer, mbY * grid.mbWidth, grid.mbWidth);
    const start = this.#startOf(mbY);
    this.#reserve(start, start + length);
    this.#bytes.set(memory.u8.subarray(writing.blocks, writing.blocks + length), start);
    this.#ends[mbY] = start + length;
    this.#writingMs += performance.now() - begin;
  }

  /** The time that writing rows has taken since the last call, in milliseconds. */
  takeWritingMs(): number {
    const taken = this.#writingMs;
    this.#writingMs = 0;
    return taken;
  }

  /** Puts the blocks of row `mbY` where writeMacroblocks reads them. */
  loadRow(mbY: number): void {
    const { memory, writing } = this.#workspace;
    memory.u8.set(this.#bytes.subarray(this.#startOf(mbY), this.#ends[mbY]), writing.blocks);
  }

  #startOf(mbY: number): number {
    return mbY === 0 ? 0 : this.#ends[mbY - 1]!;
  }

  /** Makes room for `needed` bytes, of which the first `used` are kept. */
  #reserve(used: number, needed: number): void {
    if (needed <= this.#bytes.length) return;
    const larger = new Uint8Array(Math.max(needed, 2 * this.#bytes.length));
    larger.set(this.#bytes.subarray(0, used));
    this.#bytes = larger;
  }
}
