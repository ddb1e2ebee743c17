/**
 * Random numbers for samples: 32-bit integer arithmetic only, so that a seed gives the same pels on every machine.
 */

/** Mixes three integers into 32 well-spread bits, 0..2^32-1: a random number by place instead of by turn. */
export function hash(a: number, b: number, c: number): number {
  let bits =
    Math.imul(a ^ 0x9e3779b9, 0x85ebca6b) ^
    Math.imul(b + 0x7f4a7c15, 0xc2b2ae35) ^
    Math.imul(c ^ 0x165667b1, 0x27d4eb2f);
  bits = Math.imul(bits ^ (bits >>> 16), 0x7feb352d);
  bits = Math.imul(bits ^ (bits >>> 15), 0x846ca68b);
  return (bits ^ (bits >>> 16)) >>> 0;
}

/** A stream of random numbers from a seed and a name for what they are drawn for. */
export class Random {
  #turn = 0;

  constructor(
    readonly seed: number,
    readonly stream: number,
  ) {}

  /** An integer, both ends included. */
  integer(low: number, high: number): number {
    return low + (hash(this.seed, this.stream, this.#turn++) % (high - low + 1));
  }

  /** A multiple of 2^-16 in `low`..`high`, the upper end excluded. */
  fraction(low: number, high: number): number {
    return low + ((high - low) * (hash(this.seed, this.stream, this.#turn++) >>> 16)) / 65536;
  }

  /** -1 or 1. */
  sign(): number {
    return this.integer(0, 1) * 2 - 1;
  }
}
