// Text that one thread gives once, and others wait for, by memory that they share.

const GIVEN = 0;
const LENGTH = 1;
const HEADER_BYTES = 8;
/** How often a thread looks, in milliseconds. */
const LOOK_MS = 2;

/** Text for threads that do not run yet, as long as nobody else can tell them: their memory is all that they get. */
export class SharedText {
  readonly #header: Int32Array;
  readonly #bytes: Uint8Array;

  /** `memory`: that of a text which another thread has made. */
  constructor(readonly memory: SharedArrayBuffer) {
    this.#header = new Int32Array(memory, 0, HEADER_BYTES / Int32Array.BYTES_PER_ELEMENT);
    this.#bytes = new Uint8Array(memory, HEADER_BYTES);
  }

  /** A text that has not been given yet, of at most `maxBytes` in UTF-8. */
  static create(maxBytes: number): SharedText {
    return new SharedText(new SharedArrayBuffer(HEADER_BYTES + maxBytes));
  }

  /** Gives the text. Returns false, and gives none, where it is too long. */
  give(text: string): boolean {
    const bytes = new TextEncoder().encode(text);
    if (bytes.length > this.#bytes.length) return false;
    this.#bytes.set(bytes);
    this.#header[LENGTH] = bytes.length;
    Atomics.store(this.#header, GIVEN, 1);
    return true;
  }

  /** The text, once it is given. */
  async taken(): Promise<string> {
    while (Atomics.load(this.#header, GIVEN) === 0) await new Promise(resolve => setTimeout(resolve, LOOK_MS));
    return new TextDecoder().decode(this.#bytes.slice(0, this.#header[LENGTH]));
  }
}
