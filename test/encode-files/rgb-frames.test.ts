// Frames of RGB that a caller has.
import { describe, expect, it } from 'vitest';
import { PEL_ORDERS, rgbFrames } from '../../src/encode-files/rgb-frames.js';
import { Encoder } from '../../src/encoder/encoder.js';
import { InputError } from '../../src/errors.js';
import { KERNEL_SET_NAMES } from '../../src/kernels/kernels.js';
import { rgbToFrame } from '../../src/picture/rgb-to-frame.js';
import { seededRandom } from '../kernels/kernel-pair.js';

const SIZE = { width: 37, height: 21 };

const random = seededRandom(7);
const rgb = Uint8Array.from({ length: 3 * SIZE.width * SIZE.height }, () => random() & 255);
const expected = rgbToFrame({ ...SIZE, pels: rgb });

/** The picture with its bytes in another order; a fourth is anything. */
function inOrder(order: string): Uint8ClampedArray {
  return Uint8ClampedArray.from({ length: order.length * SIZE.width * SIZE.height }, (_, index) => {
    const channel = 'rgb'.indexOf(order[index % order.length]!);
    return channel < 0 ? index & 255 : rgb[3 * Math.floor(index / order.length) + channel]!;
  });
}

describe('rgbFrames', () => {
  it.each(PEL_ORDERS)('gives the frame of an image whose pels are %s, by both kernel sets', async order => {
    for (const kernels of KERNEL_SET_NAMES) {
      const toFrame = await rgbFrames({ ...SIZE, order, kernels });
      expect(toFrame(inOrder(order))).toEqual(expected);
    }
  });

  it('gives each call a frame of its own', async () => {
    const toFrame = await rgbFrames({ ...SIZE, order: 'rgb' });
    const first = toFrame(rgb);
    toFrame(new Uint8Array(rgb.length));
    expect(first).toEqual(expected);
  });

  it('fills the memory of an encoder, whose stream is the same then', async () => {
    const encode = async (inPlace: boolean) => {
      const encoder = new Encoder({ ...SIZE, frameRate: 25, q: 4, estimator: 'cpu-predictive', threads: 2 });
      const toFrame = await rgbFrames({ ...SIZE, order: 'rgb' });
      const units: Uint8Array[] = [];
      const taken = (async () => {
        for await (const { data } of encoder) units.push(data);
      })();
      for (let n = 0; n < 8; n++)
        await encoder.add(
          toFrame(
            rgb.map(value => value + 3 * n),
            inPlace ? encoder : undefined,
          ),
        );
      await encoder.finish();
      await taken;
      return Buffer.concat(units);
    };
    expect((await encode(true)).equals(await encode(false))).toBe(true);
  });

  it('refuses wrong options and pictures of another size', async () => {
    await expect(rgbFrames({ ...SIZE, width: 0 })).rejects.toThrow('width 0 is not a whole number from 1 to 4095 pels');
    await expect(rgbFrames({ ...SIZE, order: 'argb' as 'rgba' })).rejects.toThrow(
      "order 'argb' does not exist (did you mean rgb?); legal: rgba, rgb, bgra, bgr",
    );
    await expect(rgbFrames({ ...SIZE, kernels: 'simt' as 'simd' })).rejects.toMatchObject({
      option: 'kernels',
      message: "kernels 'simt' does not exist (did you mean simd?); legal: simd, reference",
    });
    await expect(rgbFrames({ ...SIZE, colour: 1 } as typeof SIZE)).rejects.toThrow(
      "the option 'colour' does not exist",
    );
    const toFrame = await rgbFrames(SIZE);
    expect(() => toFrame(rgb)).toThrow('a picture has 2331 bytes, not 3108');
    const other = new Encoder({ width: 21, height: 37, frameRate: 25, threads: 1 });
    const picture = inOrder('rgba');
    expect(() => toFrame(picture, other)).toThrow('a frame of the memory is 21x37, not 37x21');
  });

  it('refuses what is no bytes, which would be black, and what has no memory for frames', async () => {
    const toFrame = await rgbFrames(SIZE);
    const picture = inOrder('rgba');
    for (const none of [undefined, null, [...picture], Float32Array.from(picture), { data: picture }]) {
      expect(() => toFrame(none as unknown as Uint8Array)).toThrow(
        new InputError('a picture is no Uint8Array or Uint8ClampedArray, such as the data of an ImageData'),
      );
    }
    for (const none of [5, {}])
      expect(() => toFrame(picture, none as never)).toThrow(/^the memory is .*, not an encoder/);
    expect(() => toFrame(picture, { newFrame: () => SIZE as never })).toThrow(
      new InputError('a frame of the memory: the plane y is no Uint8Array'),
    );
  });
});
