// The system clock at each of the eight rates, against exact fractions.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { BitSink } from '../../../src/bitstream/syntax/bit-sink.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { writeTimeStamp } from '../../../src/media/containers/packet-syntax.js';
import { SystemClock } from '../../../src/media/containers/system-clock.js';

/** A year of pictures. */
const MAX_PICTURE = 60 * 86_400 * 366;
const MODULUS = 2n ** 33n;

/** The 33 bits of a written time stamp. */
function stampOf(ticks: number): bigint {
  const sink = new BitSink(8);
  writeTimeStamp(sink, 0b0010, ticks);
  const bits = [...sink.takeBytes()].map(byte => byte.toString(2).padStart(8, '0')).join('');
  return BigInt(`0b${bits.slice(4, 7)}${bits.slice(8, 23)}${bits.slice(24, 39)}`);
}

describe.each(FRAME_RATES)('at $numerator/$denominator pictures a second', frameRate => {
  it('a stamp is that of the exact time, rounded, modulo 2^33, at any start and after any wrap', () => {
    const [numerator, denominator] = [BigInt(frameRate.numerator), BigInt(frameRate.denominator)];
    const anyTime = [fc.nat(2 ** 33 - 1), fc.nat(MAX_PICTURE)] as const;
    fc.assert(
      fc.property(...anyTime, (startTicks, picture) => {
        const clock = new SystemClock({ frameRate, startTicks }, 2);
        const unit = {
          data: new Uint8Array(),
          pictureType: 'P',
          displayNumber: picture,
          codedNumber: picture,
        } as const;
        const exact = (periods: bigint) =>
          (BigInt(startTicks) + (2n * periods * 90_000n * denominator + numerator) / (2n * numerator)) % MODULUS;
        const { decodingTicks, presentationTicks } = clock.timeStamps(unit);
        expect(stampOf(decodingTicks)).toBe(exact(BigInt(picture) + 2n));
        expect(stampOf(presentationTicks)).toBe(exact(BigInt(picture) + 3n));
      }),
      { seed: 90_000, numRuns: 100 },
    );
  });
});
