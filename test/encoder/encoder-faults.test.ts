// What an encode survives and how it ends: aborts, callbacks, frames that are wrong, estimators that hang.
import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { Encoder } from '../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { InputError } from '../../src/errors.js';
import { createZero } from '../../src/motion/cpu/zero.js';
import type { EstimatorFactory, MotionEstimator } from '../../src/motion/estimator.js';
import { type Frame, frameFromI420 } from '../../src/picture/frame.js';
import { encodeFrames } from '../support/encode.js';

const SIZE = { width: 20, height: 18 };
const FRAMES = [...generateSample({ kind: 'snow', ...SIZE, frames: 4, seed: 5 })];
const OPTIONS = { ...SIZE, frameRate: 25, threads: 1, estimator: 'zero', adaptiveTypes: false, bFrames: 0 };
const REASON = new Error('enough');
const never = () => new Promise<never>(() => {});

/** `zero` with some parts different. */
const zeroWith =
  (parts: Partial<MotionEstimator>): EstimatorFactory =>
  async parameters => {
    const zero = await createZero(parameters);
    const { traits, device } = zero;
    return { traits, device, estimate: request => zero.estimate(request), close: () => zero.close(), ...parts };
  };

async function collect(encoder: Encoder): Promise<Uint8Array> {
  const units = [];
  for await (const { data } of encoder) units.push(data);
  return Buffer.concat(units);
}

async function addAll(encoder: Encoder, frames: readonly Frame[] = FRAMES): Promise<void> {
  for (const frame of frames) await encoder.add(frame);
}

describe('an abort', () => {
  it.each<[string, Partial<EncoderOptions>]>([
    ['the estimator is never made', { estimator: never, gop: 1 }],
    ['the estimator never answers', { estimator: zeroWith({ estimate: never }) }],
    ['the estimator never answers, ahead of the coder', { estimator: zeroWith({ estimate: never }), threads: 2 }],
    ['the estimator never closes', { estimator: zeroWith({ estimate: never, close: never }) }],
    ['onPicture never settles', { onPicture: never }],
    ['onReconstruction never settles', { onReconstruction: never }],
    ['onWarning never settles', { onWarning: never, onPicture: never }],
  ])('while %s ends add, finish and the iteration with its reason', async (_, options) => {
    const stop = new AbortController();
    const encoder = new Encoder({ ...OPTIONS, maxPendingPictures: 1, ...options, signal: stop.signal });
    const iterating = collect(encoder);
    const adding = addAll(encoder);
    const finishing = adding.catch(() => {}).then(() => encoder.finish());
    setTimeout(() => stop.abort(REASON), 20);
    const ends = await Promise.allSettled([iterating, adding, finishing]);
    const add = ends[1].status === 'fulfilled' ? encoder.add(FRAMES[0]!) : adding;
    await expect(add).rejects.toBe(REASON);
    expect([ends[0], ends[2]]).toEqual(new Array(2).fill({ status: 'rejected', reason: REASON }));
  });

  it('lets the process end, whatever hangs', async () => {
    const script = fileURLToPath(new URL('fixtures/abort-and-leave.mjs', import.meta.url));
    const { stdout } = await promisify(execFile)(process.execPath, [script], { timeout: 60_000 });
    expect(stdout).toBe('enough\nenough\nenough\n');
  });

  it('before the constructor is one, too, and nothing is made', async () => {
    const estimator = vi.fn(createZero);
    const encoder = new Encoder({ ...OPTIONS, estimator, signal: AbortSignal.abort(REASON) });
    await expect(encoder.add(FRAMES[0]!)).rejects.toBe(REASON);
    await expect(encoder.finish()).rejects.toBe(REASON);
    await expect(collect(encoder)).rejects.toBe(REASON);
    expect(estimator).not.toHaveBeenCalled();
  });

  it.each<[string, (encoder: Encoder, abort: () => void) => Promise<unknown>]>([
    ['finished', async encoder => addAll(encoder).then(() => encoder.finish())],
    ['finished without frames', encoder => encoder.finish()],
    ['aborted', async (_, abort) => abort()],
    ['left', async encoder => encoder[Symbol.asyncIterator]().return?.()],
  ])('is listened for until the encode is %s', async (_, end) => {
    const { signal } = new AbortController();
    const listeners = new Set<unknown>();
    signal.addEventListener = (_: string, listener: unknown) => void listeners.add(listener);
    signal.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener);
    const encoder = new Encoder({ ...OPTIONS, signal });
    expect(listeners.size).toBe(1);
    await end(encoder, () => {
      for (const listener of listeners) (listener as () => void)();
    });
    await vi.waitUntil(() => listeners.size === 0);
  });
});

describe('leaving the iteration', () => {
  it.each(['break', 'throw'])('by %s ends the encode and closes the estimator', async how => {
    const close = vi.fn(async () => {});
    const encoder = new Encoder({ ...OPTIONS, estimator: zeroWith({ close }) });
    const leaving = (async () => {
      for await (const _ of encoder) {
        if (how === 'throw') throw REASON;
        break;
      }
    })();
    const adding = addAll(encoder).then(() => addAll(encoder));
    if (how === 'throw') await expect(Promise.all([adding, leaving])).rejects.toBe(REASON);
    await expect(adding).rejects.toThrow('the iteration of the access units was left before its end');
    await expect(encoder.finish()).rejects.toBeInstanceOf(InputError);
    expect(close).toHaveBeenCalledTimes(1);
  });

  it('at once ends the encode, too', async () => {
    const encoder = new Encoder(OPTIONS);
    const iteration = encoder[Symbol.asyncIterator]();
    const next = iteration.next();
    expect(await iteration.return!()).toEqual({ done: true, value: undefined });
    expect(await next).toEqual({ done: true, value: undefined });
    await expect(encoder.add(FRAMES[0]!)).rejects.toBeInstanceOf(InputError);
  });

  it('after the last unit loses nothing', async () => {
    const encoder = new Encoder(OPTIONS);
    const feeding = addAll(encoder).then(() => encoder.finish());
    let units = 0;
    for await (const _ of encoder) if (++units === FRAMES.length) break;
    await feeding;
    expect(units).toBe(FRAMES.length);
    expect(encoder.statistics.frames).toBe(FRAMES.length);
  });
});

describe('a callback', () => {
  const pause = () => new Promise(resolve => setTimeout(resolve, 1));
  it.each(['onPicture', 'onReconstruction'] as const)('%s that calls finish or a full add is told so', async name => {
    for (const before of [async () => {}, pause]) {
      const errors: unknown[] = [];
      const callback = async () => {
        await before();
        if (errors.length > 0) return;
        errors.push(await encoder.finish().catch((error: unknown) => error));
        errors.push(await encoder.add(FRAMES[3]!).catch((error: unknown) => error));
      };
      const encoder: Encoder = new Encoder({ ...OPTIONS, maxPendingPictures: 1, [name]: callback });
      await addAll(encoder, FRAMES.slice(0, 3));
      await encoder.finish();
      expect(errors).toEqual([expect.any(InputError), expect.any(InputError)]);
      expect(String(errors[0])).toContain('finish: called in a callback');
      expect(String(errors[1])).toContain('add: called in a callback while no frame has room');
      expect(encoder.statistics.frames).toBe(3);
    }
  });

  it('that calls finish before it gives way is told so without the help of the platform', async () => {
    const builtIn = vi.spyOn(process, 'getBuiltinModule').mockReturnValue(undefined as never);
    let error: unknown;
    const encoder: Encoder = new Encoder({
      ...OPTIONS,
      onPicture: async () => {
        error ??= await encoder.finish().catch((reason: unknown) => reason);
      },
    });
    await addAll(encoder);
    await encoder.finish();
    builtIn.mockRestore();
    expect(String(error)).toContain('finish: called in a callback');
  });

  it('may add frames while there is room, and others may finish while it is waited for', async () => {
    const left = [...FRAMES];
    const encoder: Encoder = new Encoder({
      ...OPTIONS,
      onPicture: async () => {
        const frame = left.shift();
        if (frame) await encoder.add(frame);
        await pause();
      },
    });
    await encoder.add(left.shift()!);
    await vi.waitUntil(() => encoder.statistics.frames === FRAMES.length);
    await encoder.finish();
    expect(encoder.statistics.frames).toBe(FRAMES.length);
  });

  it('onWarning that throws fails the encode, and is no unhandled error', async () => {
    const onWarning = () => {
      throw REASON;
    };
    const estimator = zeroWith({ close: () => Promise.reject(new Error('jammed')) });
    const encoder = new Encoder({ ...OPTIONS, estimator, onWarning });
    await addAll(encoder);
    await expect(encoder.finish()).rejects.toBe(REASON);
  });
});

describe('an estimator that cannot be closed', () => {
  it('loses nothing: the encode is complete, with a warning', async () => {
    const good = await encodeFrames(FRAMES, OPTIONS);
    const warnings: string[] = [];
    const estimator = zeroWith({ close: () => Promise.reject(new Error('jammed')) });
    const onWarning = (message: string) => void warnings.push(message);
    const { stream } = await encodeFrames(FRAMES, { ...OPTIONS, estimator, onWarning });
    expect(stream).toEqual(good.stream);
    expect(warnings).toEqual(['the estimator has not been closed: the estimator zero failed: jammed']);
  });

  it.each([0, -1])('or answers with K = %i ends the encode with an error that names it', async candidatesPerBlock => {
    const empty = { blockSize: 16 as const, blockColumns: 2, blockRows: 2, candidatesPerBlock };
    const field = { ...empty, dx: new Int16Array(0), dy: new Int16Array(0), cost: new Uint32Array(0) };
    const encoder = new Encoder({ ...OPTIONS, estimator: zeroWith({ estimate: async () => field }) });
    await addAll(encoder).catch(() => {});
    await expect(encoder.finish()).rejects.toThrow(/the estimator zero answered with -?\d vectors per block, not 2/);
  });
});

describe('a frame', () => {
  const good = FRAMES[0]!;
  it.each<[string, unknown, string]>([
    ['is null', null, 'frame 1 is null, not a frame: frameFromI420 makes one'],
    ['is bytes alone', new Uint8Array(540), 'frame 1 is bytes, not a frame: frameFromI420 makes one'],
    ['has another size', { ...good, width: 19 }, 'frame 1 is 19x18, not 20x18'],
    ['has a width of NaN', { ...good, width: Number.NaN }, 'frame 1 is NaNx18, not 20x18'],
    ['has no plane', { ...good, u: undefined }, 'frame 1: the plane u is no Uint8Array'],
    ['has a list as plane', { ...good, v: [1, 2] }, 'frame 1: the plane v is no Uint8Array'],
    ['has a plane of words', { ...good, y: new Uint16Array(360) }, 'frame 1: the plane y is no Uint8Array'],
    ['has a clamped plane', { ...good, y: new Uint8ClampedArray(360) }, 'frame 1: the plane y is no Uint8Array'],
    ['has a short plane', { ...good, y: good.y.subarray(1) }, 'frame 1: the plane y has 359 bytes, not 360'],
    ['has a long plane', { ...good, u: new Uint8Array(91) }, 'frame 1: the plane u has 91 bytes, not 90'],
    ['has a detached plane', { ...good, v: detached() }, 'frame 1: the plane v has 0 bytes, not 90'],
  ])('that %s is an InputError and not counted; the encode goes on', async (_, bad, says) => {
    const shown: number[] = [];
    const encoder = new Encoder({ ...OPTIONS, onReconstruction: (_frame, number) => void shown.push(number) });
    await encoder.add(good);
    const error = await encoder.add(bad as Frame).catch(reason => reason);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toBe(says);
    await encoder.add({ ...FRAMES[1]!, y: Buffer.from(FRAMES[1]!.y) });
    await encoder.finish();
    expect(shown).toEqual([0, 1]);
  });

  it('is not made of too few bytes', () => {
    for (const bytes of [undefined, new Uint8Array(539), Array.from({ length: 540 }, () => 0)]) {
      const says = `a frame of 20x18 takes 540 bytes, not ${bytes?.length}`;
      expect(() => frameFromI420(20, 18, bytes as Uint8Array)).toThrow(new InputError(says));
    }
    expect(() => frameFromI420(20, -18, new Uint8Array(540))).toThrow(InputError);
    expect(frameFromI420(20, 18, new Uint8Array(540)).v).toHaveLength(90);
  });

  it.each([1, 2])('is copied when add is called, the first one too, with %i threads', async threads => {
    const expected = await encodeFrames(FRAMES, { ...OPTIONS, threads, maxPendingPictures: 8 });
    const encoder = new Encoder({ ...OPTIONS, threads, maxPendingPictures: 8 });
    const planes = { y: new Uint8Array(360), u: new Uint8Array(90), v: new Uint8Array(90) };
    const adding = FRAMES.map(frame => {
      for (const plane of ['y', 'u', 'v'] as const) planes[plane].set(frame[plane]);
      return encoder.add({ ...SIZE, ...planes });
    });
    planes.y.fill(0);
    await Promise.all(adding);
    await encoder.finish();
    expect(await collect(encoder)).toEqual(expected.stream);
  });
});

/** A plane whose memory has been given away. */
function detached(): Uint8Array {
  const plane = new Uint8Array(90);
  structuredClone(plane, { transfer: [plane.buffer] });
  return plane;
}
