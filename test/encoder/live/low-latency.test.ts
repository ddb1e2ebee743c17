// At low latency a picture is out before the next frame is taken, key frames come on request, frames may be left out.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { InputError, OptionError } from '../../../src/errors.js';
import type { Frame } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';
import { ShownStreams } from '../../support/expect-shown.js';

const SIZE = { width: 64, height: 48 };
const LIVE = { ...SIZE, frameRate: 25, latency: 'low', estimator: 'cpu-predictive' } as const satisfies EncoderOptions;
const FRAMES: readonly Frame[] = [...generateSample({ kind: 'snow', ...SIZE, frames: 8, seed: 3 })];
const SEQUENCE_HEADER = [0, 0, 1, 0xb3];
const SEQUENCE_END = Uint8Array.of(0, 0, 1, 0xb7);
const streams = new ShownStreams();

/** A live encode whose units and reconstruction are kept. */
function liveEncoder(options: Partial<EncoderOptions> = {}) {
  const reconstruction: Frame[] = [];
  const encoder = new Encoder({
    ...LIVE,
    onReconstruction: (frame, number) => {
      expect(number).toBe(reconstruction.length);
      reconstruction.push(frame);
    },
    ...options,
  });
  const units: { readonly number: number; readonly type: string; readonly data: Uint8Array }[] = [];
  const taken = (async () => {
    for await (const { displayNumber, codedNumber, pictureType, data } of encoder) {
      expect(codedNumber).toBe(displayNumber);
      units.push({ number: displayNumber, type: pictureType, data });
    }
  })();
  taken.catch(() => {}); // the error is that of add or finish, too
  const end = async () => {
    await encoder.finish();
    await taken;
    // The encoder cannot know which picture is the last: the writer of a file adds sequence_end_code.
    return Buffer.concat([...units.map(({ data }) => data), SEQUENCE_END]);
  };
  return { encoder, units, reconstruction, end };
}

/** Types of pictures: a key frame, with its sequence header, is K. */
function types(units: ReturnType<typeof liveEncoder>['units']): string {
  return units.map(({ type, data }) => (SEQUENCE_HEADER.every((byte, at) => data[at] === byte) ? 'K' : type)).join('');
}

describe('latency low', () => {
  it('gives the access unit of a frame to whoever iterates before add resolves', async () => {
    const { encoder, units, reconstruction, end } = liveEncoder({ gop: 3 });
    for (const [n, frame] of FRAMES.entries()) {
      await encoder.add(frame);
      expect(units.length).toBe(n + 1);
    }
    const stream = await end();
    expect(types(units)).toBe('KPPKPPKP');
    await streams.expectShown({ stream, reconstruction }, 'eight frames');
  });

  it('has each unit ready for a caller who adds and takes by turns', async () => {
    const encoder = new Encoder({ ...LIVE });
    const units = encoder[Symbol.asyncIterator]();
    for (const [n, frame] of FRAMES.entries()) {
      await encoder.add(frame);
      expect((await units.next()).value?.displayNumber).toBe(n);
    }
    await encoder.finish();
    expect((await units.next()).done).toBe(true);
  });

  it('gives the same bytes for frames that are added at once, and for any number of threads', async () => {
    const options = { ...LIVE, gop: 5, q: 6 };
    const one = await encodeFrames(FRAMES, options);
    const four = await encodeFrames(FRAMES, { ...options, threads: 4 });
    expect(Buffer.compare(four.stream, one.stream)).toBe(0);
    const atOnce = liveEncoder({ gop: 5, q: 6 });
    await Promise.all(FRAMES.map(frame => atOnce.encoder.add(frame)));
    expect((await atOnce.end()).equals(Buffer.concat([one.stream, SEQUENCE_END]))).toBe(true);
  });

  it('fails add with the error of a callback, and refuses add in a callback', async () => {
    const broken = new Encoder({
      ...LIVE,
      onPicture: () => {
        throw new Error('broken');
      },
    });
    await expect(broken.add(FRAMES[0]!)).rejects.toThrow('broken');
    await expect(broken.leaveOut()).rejects.toThrow('broken');
    let inside: unknown;
    const nested = new Encoder({
      ...LIVE,
      onPicture: async () => {
        inside = await nested.add(FRAMES[0]!).catch(error => error);
      },
    });
    await nested.add(FRAMES[0]!);
    expect(inside).toBeInstanceOf(InputError);
    await nested.finish();
  });
});

describe('requestKeyFrame', () => {
  it('makes the next frame that is added begin a closed group, and groups are counted from it', async () => {
    const { encoder, units, reconstruction, end } = liveEncoder({ gop: 4 });
    for (const [n, frame] of FRAMES.entries()) {
      if (n === 2) encoder.requestKeyFrame();
      await encoder.add(frame);
    }
    const stream = await end();
    expect(types(units)).toBe('KPKPPPKP');
    await streams.expectShown({ stream, reconstruction }, 'a key frame on request');
  });

  it('is about the frame after those that have been added and are not coded yet', async () => {
    const { encoder, units, end } = liveEncoder();
    const added = FRAMES.slice(0, 3).map(frame => encoder.add(frame));
    encoder.requestKeyFrame();
    await Promise.all([...added, encoder.add(FRAMES[3]!)]);
    await end();
    expect(types(units)).toBe('KPPK');
  });
});

describe('leaveOut', () => {
  it('puts repetitions in the places of frames, which a key frame waits for', async () => {
    const { encoder, units, reconstruction, end } = liveEncoder({ gop: 3, slices: 2 });
    await encoder.add(FRAMES[0]!);
    await encoder.leaveOut(2);
    await encoder.add(FRAMES[1]!);
    encoder.requestKeyFrame();
    await encoder.leaveOut();
    await encoder.add(FRAMES[2]!);
    const stream = await end();
    expect(types(units)).toBe('KPPPPK');
    expect(units.map(({ number }) => number)).toEqual([0, 1, 2, 3, 4, 5]);
    expect(encoder.statistics.frames).toBe(6);
    for (const n of [1, 2, 4]) {
      expect(units[n]!.data.length).toBeLessThan(60);
      expect(reconstruction[n]).toEqual(reconstruction[n - 1]);
      expect(reconstruction[n]!.y.buffer, 'a copy of its own').not.toBe(reconstruction[n - 1]!.y.buffer);
    }
    await streams.expectShown({ stream, reconstruction }, 'repetitions');
    // temporal_reference follows 32 bits of start code.
    const temporal = units.map(({ data }) => {
      const at = data.findIndex((_, i) => data[i] === 0 && data[i + 1] === 0 && data[i + 2] === 1 && data[i + 3] === 0);
      return (data[at + 4]! << 2) | (data[at + 5]! >> 6);
    });
    expect(temporal).toEqual([0, 1, 2, 3, 4, 0]);
  });

  it('lets timers and an abort have their turn, however many', async () => {
    const stop = new AbortController();
    const { encoder, units } = liveEncoder({ signal: stop.signal });
    await encoder.add(FRAMES[0]!);
    const leaving = encoder.leaveOut(100_000);
    setTimeout(() => stop.abort(new Error('enough')), 1);
    await expect(leaving).rejects.toThrow('enough');
    expect(units.length).toBeLessThan(100_000);
  });

  it('refuses what cannot be left out', async () => {
    const { encoder, end } = liveEncoder();
    await expect(encoder.leaveOut()).rejects.toThrow(InputError);
    await encoder.add(FRAMES[0]!);
    for (const frames of [0, 1.5, Number.NaN, 1e13]) await expect(encoder.leaveOut(frames)).rejects.toThrow(InputError);
    await end();
    await expect(encoder.leaveOut()).rejects.toThrow(InputError);
  });
});

describe('options that contradict low latency', () => {
  const refused: readonly [string, Partial<EncoderOptions>][] = [
    ['bFrames 2 does not go with latency low: it means B pictures, which wait for later ones: 0', { bFrames: 2 }],
    ['target vcd does not go with latency low', { target: 'vcd' }],
    ['adaptiveTypes does not go with latency low', { adaptiveTypes: true }],
    ['openGop does not go with latency low', { openGop: true }],
    ['gopMin 3 does not go with latency low', { gopMin: 3 }],
    ['firstPass does not go with latency low', { bitrate: 100_000, firstPass: [] }],
    ['cbr with latency low fills', { bitrate: 100_000, cbr: true }],
  ];

  it.each(refused)('%s', (message, options) => {
    let error: unknown;
    try {
      new Encoder({ ...LIVE, ...options });
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toBeInstanceOf(OptionError);
    expect((error as OptionError).message).toContain(message);
    expect((error as OptionError).message).not.toContain('\n');
  });

  it('and the methods of live encodes without it', async () => {
    const encoder = new Encoder({ ...SIZE, frameRate: 25 });
    expect(() => encoder.requestKeyFrame()).toThrow(/requestKeyFrame needs latency low/);
    await expect(encoder.leaveOut()).rejects.toThrow(/leaveOut needs latency low/);
  });
});

streams.describeSecondOpinion();
