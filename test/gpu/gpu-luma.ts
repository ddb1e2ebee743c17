// Frames whose luma lies on the estimator's device: no upload, the same bytes, and each buffer is given back.
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { InputError, OptionError } from '../../src/errors.js';
import { BUFFER_USAGE, createFilledBuffer } from '../../src/gpu/device/buffers.js';
import { gpuEstimatorOn } from '../../src/motion/gpu-estimator-on.js';
import type { Frame } from '../../src/picture/frame.js';
import { macroblockGrid, pictureFromFrame } from '../../src/picture/picture.js';
import { encodeFrames } from '../support/encode.js';
import { shared } from './shared-gpu.js';

/** Not whole macroblocks: the buffers hold padded planes. */
const SIZE = { width: 58, height: 44 };
const FRAMES = 6;
const OPTIONS = { ...SIZE, q: 6, gop: 12, bFrames: 1, range: { x: 6, y: 6 }, candidates: 2, threads: 1 } as const;
const sample = generateSample({ kind: 'snow', ...SIZE, frames: FRAMES, seed: 5 });
/** The bytes of the CPU twin. */
let expected: Uint8Array;

let device: GPUDevice;
/** Labels of the buffers that have been made. */
const made: string[] = [];
beforeAll(async () => {
  expected = await encode(sample, { estimator: 'cpu-mrmp' });
  const real = await (await shared.requestAdapter())!.requestDevice();
  device = new Proxy(real, {
    get(target, name) {
      if (name === 'createBuffer') {
        return (descriptor: GPUBufferDescriptor) => {
          made.push(descriptor.label ?? '');
          return target.createBuffer(descriptor);
        };
      }
      const value: unknown = Reflect.get(target, name, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
});

/** A buffer with the padded luma of a frame. */
function lumaBuffer(frame: Frame): GPUBuffer {
  const { y } = pictureFromFrame(0, frame, macroblockGrid(SIZE.width, SIZE.height));
  return createFilledBuffer(device, 'luma', BUFFER_USAGE.copySource, new Uint32Array(y.buffer, 0, y.length / 4));
}

/** The frames with buffers that hold the luma of `shownBy`; `released` gets the numbers of those given back. */
function* framesOnGpu(shownBy: (index: number) => number, released: number[] = []): Generator<Frame> {
  for (let index = 0; index < FRAMES; index++) {
    const buffer = lumaBuffer(sample.frame(shownBy(index)));
    yield { ...sample.frame(index), gpu: { buffer, onRelease: () => released.push(index) } };
  }
}

const same = (index: number) => index;
const uploads = () => made.filter(label => /staging/.test(label)).length;

async function encode(frames: Iterable<Frame>, options: Partial<EncoderOptions>): Promise<Uint8Array> {
  made.length = 0;
  return (await encodeFrames(frames, { ...OPTIONS, ...options })).stream;
}
const sameBytes = (a: Uint8Array, b: Uint8Array) => Buffer.compare(a, b) === 0;

describe('an encode of frames on the GPU', () => {
  it.each([1, 2])('has the bytes of the CPU twin and uploads no luma, with %i threads', async threads => {
    const released: number[] = [];
    const estimator = gpuEstimatorOn('gpu-mrmp', device);
    const warnings: string[] = [];
    const options = { estimator, threads, onWarning: (text: string) => warnings.push(text) };
    expect(sameBytes(await encode(framesOnGpu(same, released), options), expected)).toBe(true);
    // The self-check alone has pictures of its own to upload.
    expect(uploads()).toBe(2);
    // No buffer is given back twice; at the end of an encode the last anchors are still kept.
    expect(new Set(released).size).toBe(released.length);
    expect(released.length).toBeGreaterThanOrEqual(FRAMES - 4);
    expect(sameBytes(await encode(sample, options), expected)).toBe(true);
    expect(uploads()).toBeGreaterThan(2);
    expect(warnings).toEqual([]);
  });

  it('searches the buffers, not the planes', async () => {
    const estimator = gpuEstimatorOn('gpu-mrmp', device);
    const swapped = await encode(
      framesOnGpu(index => index ^ 1),
      { estimator },
    );
    expect(sameBytes(swapped, expected)).toBe(false);
  });

  it('needs no GPU estimator: others search the planes', async () => {
    const ofPlanes = await encode(sample, { estimator: 'cpu-predictive' });
    const released: number[] = [];
    expect(sameBytes(await encode(framesOnGpu(same, released), { estimator: 'cpu-predictive' }), ofPlanes)).toBe(true);
    expect(released.length).toBeGreaterThan(0);
  });

  it('tells of a device that is lost on the way: the CPU goes on', async () => {
    const lost = await (await shared.requestAdapter())!.requestDevice();
    const frames = function* () {
      for (let index = 0; index < FRAMES; index++) {
        if (index === 3) lost.destroy();
        yield sample.frame(index);
      }
    };
    const warnings: string[] = [];
    const options = { estimator: gpuEstimatorOn('gpu-mrmp', lost), onWarning: (text: string) => warnings.push(text) };
    expect(sameBytes(await encode(frames(), options), expected)).toBe(true);
    expect(warnings).toEqual([
      expect.stringMatching(/^gpu-mrmp: the device was lost .*; the CPU goes on in its place/),
    ]);
  });

  it('leaves the device open', async () => {
    const buffer = lumaBuffer(sample.frame(0));
    expect(buffer.size).toBe(64 * 48);
    device.pushErrorScope('validation');
    device.queue.submit([device.createCommandEncoder().finish()]);
    expect(await device.popErrorScope()).toBeNull();
  });

  it('refuses a buffer that is too small, estimators of the CPU, and no device', async () => {
    const small = createFilledBuffer(device, 'small', BUFFER_USAGE.copySource, new Uint32Array(58 * 11));
    const frames = (gpu: unknown) => [{ ...sample.frame(0), gpu } as Frame];
    await expect(encode(frames({ buffer: small }), { estimator: 'zero' })).rejects.toThrow(
      new InputError('frame 0: gpu has a buffer of 2552 bytes; luma of whole macroblocks takes 3072'),
    );
    await expect(encode(frames({}), { estimator: 'zero' })).rejects.toThrow('frame 0: gpu has no buffer');
    expect(() => gpuEstimatorOn('cpu-mrmp' as 'gpu-mrmp', device)).toThrow(OptionError);
    for (const wrong of [undefined, null, {}]) {
      const make = () => gpuEstimatorOn('gpu-mrmp', wrong as unknown as GPUDevice);
      expect(make).toThrow(expect.objectContaining({ name: 'OptionError', option: 'device' }));
      expect(make).toThrow(`device is ${typeof wrong}: a GPUDevice is needed`);
    }
  });
});
