// Keeps what pass statistics need of each picture in few bytes: it is all that grows with the length of an encode.
import { PICTURE_TYPES } from '../../bitstream/picture-type.js';
import type { PassPicture, PassStatistics } from './pass-statistics.js';

/** Pictures of a block of memory; a block is never moved. */
const BLOCK_PICTURES = 1024;

/** Memory of the log for each picture: its type, its bits, its scale. */
export const PASS_LOG_BYTES_PER_PICTURE = 1 + 4 + 8;

interface Block {
  /** Indices of PICTURE_TYPES. */
  readonly types: Uint8Array;
  readonly bits: Uint32Array;
  readonly scales: Float64Array;
}

/** The coded pictures of an encode, in coded order. */
export class PassLog {
  readonly #blocks: Block[] = [];
  #length = 0;

  /** Takes note of the next picture. */
  add({ type, bits, quantizerScale }: PassPicture): void {
    const at = this.#length % BLOCK_PICTURES;
    if (at === 0) this.#blocks.push(newBlock());
    const block = this.#blocks.at(-1)!;
    block.types[at] = PICTURE_TYPES.indexOf(type);
    block.bits[at] = bits;
    block.scales[at] = quantizerScale;
    this.#length++;
  }

  /** All pictures, as objects. */
  statistics(): PassStatistics {
    return Array.from({ length: this.#length }, (_, index) => {
      const { types, bits, scales } = this.#blocks[Math.floor(index / BLOCK_PICTURES)]!;
      const at = index % BLOCK_PICTURES;
      return { type: PICTURE_TYPES[types[at]!]!, bits: bits[at]!, quantizerScale: scales[at]! };
    });
  }
}

function newBlock(): Block {
  return {
    types: new Uint8Array(BLOCK_PICTURES),
    bits: new Uint32Array(BLOCK_PICTURES),
    scales: new Float64Array(BLOCK_PICTURES),
  };
}
