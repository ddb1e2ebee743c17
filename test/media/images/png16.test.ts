// Tests of PNG files of 16 bits.
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { decodePng16, encodePng16 } from '../../../src/media/images/png16.js';

describe('PNG of 16 bits', () => {
  it('comes back as it was, gray and RGB', async () => {
    const images = fc
      .tuple(fc.integer({ min: 1, max: 7 }), fc.integer({ min: 1, max: 5 }), fc.constantFrom(1 as const, 3 as const))
      .chain(([width, height, channels]) => {
        const length = width * height * channels;
        const samples = fc.uint16Array({ minLength: length, maxLength: length });
        return fc.record({
          width: fc.constant(width),
          height: fc.constant(height),
          channels: fc.constant(channels),
          samples,
        });
      });
    await fc.assert(
      fc.asyncProperty(images, async image => {
        const bytes = await encodePng16(image);
        // IHDR: 16 bits; colour type 0 is gray, 2 is RGB.
        expect([...bytes.subarray(24, 26)]).toEqual([16, image.channels === 1 ? 0 : 2]);
        expect(await decodePng16('a.png', bytes, image.channels)).toEqual(image);
      }),
      { seed: 16, numRuns: 30 },
    );
  });

  const raw = (channels: 1 | 2 | 3 | 4) => ({ raw: { width: 2, height: 1, channels } }) as const;
  const rgb8 = sharp(new Uint8Array(6), raw(3));
  const wide = sharp({ create: { width: 4096, height: 1, channels: 3, background: '#000' } });

  it.each<[string, () => Promise<Uint8Array>, RegExp]>([
    [
      '8 bits',
      () => rgb8.clone().png().toBuffer(),
      /^a\.png is a PNG of 8 bits and 3 channels; one of 16 bits and 3 channels is needed$/,
    ],
    [
      'a palette',
      () => rgb8.clone().png({ palette: true }).toBuffer(),
      /^a\.png is a PNG of \d bits? and \d channels?; one of 16/,
    ],
    [
      'gray',
      () => encodePng16({ width: 2, height: 1, channels: 1, samples: new Uint16Array(2) }),
      /^a\.png is a PNG of 16 bits and 1 channel; one of 16 bits and 3 channels is needed$/,
    ],
    [
      'four channels',
      () => sharp(new Uint16Array(8), raw(4)).toColourspace('rgb16').png().toBuffer(),
      /^a\.png is a PNG of 16 bits and 4 channels; one of/,
    ],
    ['another kind of image', () => rgb8.clone().jpeg().toBuffer(), /^a\.png is no PNG file$/],
    ['a text', async () => new TextEncoder().encode('no picture'), /^a\.png cannot be decoded: /],
    ['an empty file', async () => new Uint8Array(), /^a\.png cannot be decoded: /],
    [
      'a size that no frame has',
      () => wide.clone().png().toBuffer(),
      /^a\.png is 4096x1; MPEG-1 pictures are 1x1 to 4095x2800 pels/,
    ],
  ])('refuses %s', async (_, make, says) => {
    await expect(decodePng16('a.png', await make(), 3)).rejects.toMatchObject({
      name: 'InputError',
      message: expect.stringMatching(says),
    });
  });

  it('refuses a file that is cut', async () => {
    const whole = await encodePng16({
      width: 40,
      height: 30,
      channels: 3,
      samples: Uint16Array.from({ length: 3600 }, (_, i) => (i * 40503) & 65535),
    });
    await expect(decodePng16('a.png', whole.subarray(0, whole.length >> 1), 3)).rejects.toThrow(
      /^a\.png cannot be decoded: /,
    );
  });
});
