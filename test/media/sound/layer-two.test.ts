// Frames of Layer II: what their headers say, how long they are, and how a stream is split into them.
import { expect, it } from 'vitest';
import {
  bitRatesOf,
  checkFrame,
  longestFrameBytes,
  readFrameHeader,
  splitFrames,
} from '../../../src/media/sound/layer-two.js';
import { soundFrame } from '../containers/sound.js';

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

it('a header may have a checksum and any mode, of which one alone has a single channel', () => {
  for (const protection of [0xfc, 0xfd]) {
    const channelsOf = (mode: number) => readFrameHeader(Uint8Array.of(0xff, protection, 0xa4, mode << 6))?.channels;
    expect([0, 1, 2, 3].map(channelsOf)).toEqual([2, 2, 2, 1]); // stereo, joint stereo, dual channel, single channel
  }
});

it.each([
  ['no syncword', [0xfe, 0xfd, 0xa4, 0]],
  ['MPEG-2', [0xff, 0xf5, 0xa4, 0]],
  ['Layer I', [0xff, 0xff, 0xa4, 0]],
  ['Layer III', [0xff, 0xfb, 0xa4, 0]],
  ['a free bit rate', [0xff, 0xfd, 0x04, 0]],
  ['the forbidden bit rate', [0xff, 0xfd, 0xf4, 0]],
  ['the reserved sample rate', [0xff, 0xfd, 0xac, 0]],
  ['three bytes', [0xff, 0xfd, 0xa4]],
])('a header is none with %s', (_, bytes) => {
  expect(readFrameHeader(Uint8Array.from(bytes))).toBeUndefined();
  expect(readFrameHeader(Uint8Array.from([0, ...bytes]), 1)).toBeUndefined();
});

it('a header is none in what is no bytes', () => {
  for (const none of [undefined, 'abcd', [0xff, 0xfd, 0xa4, 0]]) expect(readFrameHeader(none as never)).toBeUndefined();
});

const format = { sampleRate: 44_100, channels: 1, bitRate: 64_000 } as const;

it('a frame must be whole, and of the format of its sound', () => {
  const [frame, padded] = [soundFrame(format, 0), soundFrame(format, 1)];
  expect([frame.length, padded.length]).toEqual([208, 209]);
  checkFrame(frame, format, 0);
  checkFrame(padded, format, 1);
  const check = (bytes: Uint8Array, of: Parameters<typeof checkFrame>[1]) => () => checkFrame(bytes, of, 7);
  expect(check(frame.subarray(1), format)).toThrow('frame 7 of the sound is no MPEG-1 Layer II frame');
  expect(check(frame.subarray(0, 207), format)).toThrow('frame 7 of the sound has 207 of 208 bytes');
  expect(check(Uint8Array.of(...frame, 0), format)).toThrow('frame 7 of the sound has 209 of 208 bytes');
  expect(check(frame, { ...format, channels: 2 })).toThrow('frame 7 of the sound has channels 1, not 2');
  expect(check(frame, { ...format, sampleRate: 48_000 })).toThrow('sound has sampleRate 44100, not 48000');
  expect(check(frame, { ...format, bitRate: 96_000 })).toThrow('frame 7 of the sound has bitRate 64000, not 96000');
});

/** The frames of a stream that comes in chunks of so many bytes. */
async function framesOf(stream: Uint8Array, chunkBytes: number): Promise<Uint8Array[]> {
  async function* chunks() {
    for (let at = 0; at < stream.length; at += chunkBytes) yield stream.subarray(at, at + chunkBytes);
  }
  const frames: Uint8Array[] = [];
  for await (const frame of splitFrames(chunks(), 'a.mp2')) frames.push(frame);
  return frames;
}

it('a stream is split into its frames, however it comes, without a part of a frame at its end', async () => {
  const frames = Array.from({ length: 5 }, (_, i) => soundFrame(format, i));
  const stream = Buffer.concat([...frames, soundFrame(format, 5).subarray(0, 100)]);
  for (const bytes of [1, 3, 207, 208, 500, stream.length]) {
    expect(await framesOf(stream, bytes), `${bytes} bytes`).toEqual(frames);
  }
  const broken = framesOf(Buffer.concat([frames[0]!, Buffer.from('no frame')]), 300);
  await expect(broken).rejects.toThrow('a.mp2: no MPEG-1 Layer II frame where one should start');
});
