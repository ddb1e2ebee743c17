// Reads bits from bytes, first bit first, and looks up variable-length codes.

/** Bits of a byte sequence. Past its end there are zeros. */
export class BitReader {
  /** Place of the next bit. */
  position: number;
  readonly #bytes: Uint8Array;

  constructor(bytes: Uint8Array, position = 0) {
    this.#bytes = bytes;
    this.position = position;
  }

  /** The next bits, 1..24 of them, as a number. They stay. */
  peek(count: number): number {
    const at = this.position >> 3;
    const bytes = this.#bytes;
    const four =
      ((bytes[at] ?? 0) << 24) | ((bytes[at + 1] ?? 0) << 16) | ((bytes[at + 2] ?? 0) << 8) | (bytes[at + 3] ?? 0);
    return (four << (this.position & 7)) >>> (32 - count);
  }

  /** Takes bits, 1..24 of them. */
  take(count: number): number {
    const value = this.peek(count);
    this.position += count;
    return value;
  }
}

/** A variable-length code, for reading: codes of up to 16 bits and the numbers 0..65535 that they stand for. */
export class CodeReader {
  readonly #longest: number;
  /** By the next bits: `length << 16 | value` of the code that they begin with; 0 where there is none. */
  readonly #entries: Uint32Array;

  /** The codes as the standard prints them. */
  constructor(printed: Iterable<readonly [value: number, code: string]>) {
    const codes = [...printed].filter(([, code]) => code !== '');
    this.#longest = Math.max(...codes.map(([, code]) => code.length));
    this.#entries = new Uint32Array(1 << this.#longest);
    for (const [value, code] of codes) {
      const spare = this.#longest - code.length;
      const first = Number.parseInt(code, 2) << spare;
      this.#entries.fill((code.length << 16) | value, first, first + (1 << spare));
    }
  }

  /** Takes a code and returns its value; -1 where none begins here. */
  read(reader: BitReader): number {
    const entry = this.#entries[reader.peek(this.#longest)]!;
    if (entry === 0) return -1;
    reader.position += entry >>> 16;
    return entry & 0xffff;
  }
}
