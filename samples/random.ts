// Random numbers in 32-bit integer arithmetic: a seed gives the same numbers on every machine.

/** Mixes three integers into 32 random bits, 0..2^32-1. */
export function hash(a: number, b: number, c: number): number {
  let bits =
    Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(b + 0x7f4a7c15, 0xc2b2ae35) ^
    Math.imul(c ^ 0x165667b1, 0x27d4eb2f);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A sequence of random numbers from a seed. `stream` numbers the sequences of one seed. */
export class Random {
  #turn = 0;

  constructor(
    readonly seed: number,
    readonly stream: number,
  ) {}

  /** An integer, `min` and `max` included. */
  integer(min: number, max: number): number {
    return min + (hash(this.seed, this.stream, this.#turn++) % (max - min + 1));
  }

  /** A number from `min` to `max`, `max` excluded, in steps of 1/65536 of the range. */
  fraction(min: number, max: number): number {
    return min + ((max - min) * (hash(this.seed, this.stream, this.#turn++) >>> 16)) / 65536;
  }

  /** -1 or 1. */
  sign(): number {
    return this.integer(0, 1) * 2 - 1;
  }
}
