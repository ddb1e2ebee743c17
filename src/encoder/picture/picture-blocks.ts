// The blocks of a picture as bits, row by row, until its headers can be written.
import type { Workspace } from './workspace.js';

/**
 * Keeps the blocks of a picture's macroblocks as the bits that they take in the stream. The headers wait for the
 * f_codes, which follow from the vectors of the whole picture.
 */
export class PictureBlocks {
  readonly #workspace: Workspace;
  /** The rows so far, one after the other; and where each ends. It grows as needed and is used again. */
  #bytes = new Uint8Array(1 << 16);
  readonly #ends: Uint32Array;

  constructor(workspace: Workspace) {
    this.#workspace = workspace;
    this.#ends = new Uint32Array(workspace.grid.mbHeight);
  }

  /** Takes the blocks of row `mbY`, which has just been coded, after those of the rows before it. */
  addRow(mbY: number): void {
    const { memory, writing } = this.#workspace;
    const { blocks, blocksEnd } = writing;
    const start = this.#startOf(mbY);
    const end = start + blocksEnd - blocks;
    this.#reserve(start, end);
    this.#bytes.set(memory.u8.subarray(blocks, blocksEnd), start);
    this.#ends[mbY] = end;
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
