// The length of frames of Layer II: that of the longest one is the one that headers say.
import { expect, it } from 'vitest';
import { bitRatesOf, longestFrameBytes, readFrameHeader } from '../../../src/media/sound/layer-two.js';

/** sampling_frequency 0..2 in Hz. */
const SAMPLE_RATES = [44_100, 48_000, 32_000];

it('a frame is at most as long as one with padding, which 44.1 kHz alone needs', () => {
  // Of two channels the fourteen rates lack the first three and the fifth.
  const indices = [4, 6, 7, 8, 9, 10, 11, 12, 13, 14];
  for (const [i, bitRate] of bitRatesOf(2).entries()) {
    for (const [frequency, sampleRate] of SAMPLE_RATES.entries()) {
      const padding = (144 * bitRate) % sampleRate === 0 ? 0 : 1;
      const header = readFrameHeader(
        Uint8Array.of(0xff, 0xfd, (indices[i]! << 4) | (frequency << 2) | (padding << 1), 0),
      );
      expect(header).toMatchObject({ bitRate, sampleRate, channels: 2 });
      expect(longestFrameBytes({ bitRate, sampleRate }), `${bitRate} at ${sampleRate}`).toBe(header!.bytes);
    }
  }
  expect(longestFrameBytes({ bitRate: 192_000, sampleRate: 44_100 })).toBe(627); // 626.9 in the mean
});
