// How full a decoder's buffer is when the stream comes at a steady rate.

/** The levels, and the rate that they follow from. */
export interface BufferLevels {
  /** In bits, before each picture is taken out. */
  readonly levels: readonly number[];
  /** Bits a second into the buffer. */
  readonly bitsPerSecond: number;
}

/**
 * The levels of a buffer into which bits come at one rate, and from which a picture's bits are taken each
 * 1 / `frameRate` seconds. The rate is `bitsPerSecond`, or that which the pictures need on average. The player starts
 * as late as it must for no picture to come too late.
 */
export function bufferLevels(
  bits: readonly number[],
  frameRate: number,
  bitsPerSecond: number | undefined,
): BufferLevels {
  const sum = bits.reduce((all, one) => all + one, 0);
  const rate = bitsPerSecond ?? (sum * frameRate) / Math.max(1, bits.length);
  let level = 0;
  let least = 0;
  const levels: number[] = [];
  for (const size of bits) {
    levels.push(level);
    level -= size;
    least = Math.min(least, level);
    level += rate / frameRate;
  }
  return { levels: levels.map(value => value - least), bitsPerSecond: rate };
}
