// Takes bits, most significant first, and hands out bytes.

import { InternalError } from '../../errors.js';
import { START_CODE_BITS } from '../start-codes.js';

/** A buffer of bits. It grows as needed and is used again for each picture. */
export class BitSink {
  #bytes: Uint8Array;
  #length = 0;
  /** The bits after the last whole byte: the low `#pendingBits` (0..7 between calls) of `#pending`. */
  #pending = 0;
  #pendingBits = 0;

  constructor(initialBytes = 1 << 16) {
    this.#bytes = new Uint8Array(initialBytes);
  }

  /** Appends `value` as `length` bits, 0..24. Throws InternalError unless 0 <= value < 2^length. */
  putBits(value: number, length: number): void {
    if (value < 0 || length > 24 || value >>> length !== 0) {
      throw new InternalError(`putBits: ${value} does not fit into ${length} bits`);
    }
    let pending = (this.#pending << length) | value;
    let bits = this.#pendingBits + length;
    if (bits >= 8) {
      if (this.#length + 4 > this.#bytes.length) this.#grow();
      const bytes = this.#bytes;
      let at = this.#length;
      do {
        bits -= 8;
        bytes[at++] = pending >>> bits;
      } while (bits >= 8);
      this.#length = at;
      pending &= (1 << bits) - 1;
    }
    this.#pending = pending;
    this.#pendingBits = bits;
  }

  /** Appends a code given as a bit string, such as '00101'. */
  putString(bits: string): void {
    for (const bit of bits) this.putBits(bit === '1' ? 1 : 0, 1);
  }

  /** next_start_code(): zero bits up to the next byte; ISO/IEC 11172-2 §2.4.2.1. */
  alignWithZeros(): void {
    if (this.#pendingBits > 0) this.putBits(0, 8 - this.#pendingBits);
  }

  /** Appends whole bytes. Throws InternalError unless the sink is byte-aligned. */
  putBytes(bytes: Uint8Array): void {
    if (this.#pendingBits !== 0) throw new InternalError('putBytes: the sink is not byte-aligned');
    while (this.#length + bytes.length > this.#bytes.length) this.#grow();
    this.#bytes.set(bytes, this.#length);
    this.#length += bytes.length;
  }

  /** Aligns, then appends a start code given by its last byte. */
  putStartCode(code: number): void {
    this.alignWithZeros();
    this.putBits(0x000001, START_CODE_BITS - 8); // start_code_prefix
    this.putBits(code, 8);
  }

  /** Bits written so far. */
  get bitLength(): number {
    return this.#length * 8 + this.#pendingBits;
  }

  /** Takes the 0..7 bits after the last whole byte out of the sink, which is byte-aligned then. */
  takePending(): { readonly pending: number; readonly pendingBits: number } {
    const taken = { pending: this.#pending, pendingBits: this.#pendingBits };
    this.#pending = 0;
    this.#pendingBits = 0;
    return taken;
  }

  /** A copy of the bytes written so far; the sink is empty afterwards. Throws InternalError unless they are whole. */
  takeBytes(): Uint8Array {
    if (this.#pendingBits !== 0) throw new InternalError('takeBytes: the sink is not byte-aligned');
    const bytes = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return bytes;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}
