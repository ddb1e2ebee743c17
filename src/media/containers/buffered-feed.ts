// An elementary stream on its way into a decoder's buffer.
import type { TimeStamps } from './system-clock.js';

/** A picture with its headers, or a frame of sound. */
export interface FedUnit {
  readonly data: Uint8Array;
  /** Where in `data` the byte is that the time stamps belong to. */
  readonly stampAt: number;
  readonly stamps: TimeStamps;
}

/** A unit, and where it starts in the elementary stream. */
interface PlacedUnit extends FedUnit {
  readonly start: number;
}

/** Takes units in, gives their bytes out in pieces of any length, and knows what a decoder holds of them. */
export class BufferedFeed {
  /** Units that are not yet decoded, or of which something is to be sent. */
  readonly #units: PlacedUnit[] = [];
  #pushedBytes = 0;
  #sentBytes = 0;

  /** `bufferBytes`: the decoder's buffer. */
  constructor(private readonly bufferBytes: number) {}

  push(unit: FedUnit): void {
    this.#units.push({ ...unit, start: this.#pushedBytes });
    this.#pushedBytes += unit.data.length;
  }

  /** Bytes that can be sent. */
  get waitingBytes(): number {
    return this.#pushedBytes - this.#sentBytes;
  }

  /** Bytes that the buffer can take at `ticks`. What is decoded leaves it at once; ISO/IEC 11172-1 §2.4.2. */
  roomAt(ticks: number): number {
    for (let first = this.#units[0]; first && isDecoded(first, ticks, this.#sentBytes); first = this.#units[0]) {
      this.#units.shift();
    }
    return this.bufferBytes - (this.#sentBytes - (this.#units[0]?.start ?? this.#pushedBytes));
  }

  /** The first unit that is not complete in the buffer although it is to be decoded at `ticks` or before. */
  lateAt(ticks: number): FedUnit | undefined {
    return this.#units.find(
      ({ start, data, stamps }) => stamps.decodingTicks <= ticks && start + data.length > this.#sentBytes,
    );
  }

  /** Bytes from the next one to be sent to the next one with time stamps, and these; undefined if there is none. */
  nextStamps(): { readonly after: number; readonly stamps: TimeStamps } | undefined {
    const next = this.#units.find(({ start, stampAt }) => start + stampAt >= this.#sentBytes);
    return next && { after: next.start + next.stampAt - this.#sentBytes, stamps: next.stamps };
  }

  /** The next `count` bytes, which must be waiting. */
  take(count: number): Uint8Array {
    const bytes = new Uint8Array(count);
    const [from, to] = [this.#sentBytes, this.#sentBytes + count];
    for (const { start, data } of this.#units) {
      if (start >= to) break;
      if (start + data.length <= from) continue;
      const part = data.subarray(Math.max(0, from - start), to - start);
      bytes.set(part, Math.max(0, start - from));
    }
    this.#sentBytes = to;
    return bytes;
  }
}

function isDecoded({ start, data, stamps }: PlacedUnit, ticks: number, sentBytes: number): boolean {
  return stamps.decodingTicks <= ticks && start + data.length <= sentBytes;
}
