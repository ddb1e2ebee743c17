// Tests of the pictures for the report's viewer: packed macroblocks, sizes.
import { inflateRawSync } from 'node:zlib';
import sharp from 'sharp';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../../../samples/generate.js';
import { compareEstimators } from '../../../../src/compare/comparison/compare-estimators.js';
import type { MeasuredPicture } from '../../../../src/compare/comparison/measured-picture.js';
import { base64, packMacroblocks, packText } from '../../../../src/compare/report/viewer/macroblock-data.js';
import { ReportPictures } from '../../../../src/compare/report/viewer/report-pictures.js';
import { unpackMacroblocks } from '../../../../src/compare/report/viewer/unpack-macroblocks.js';
import { encodeWebp } from '../../../../src/media/images/webp-encoder.js';

const SIZE = { width: 72, height: 40 };

/** Every picture of an encode with B pictures. */
const measured: MeasuredPicture[] = [];
beforeAll(async () => {
  await compareEstimators({
    frames: [...generateSample({ kind: 'pan', ...SIZE, frames: 8, seed: 11 })],
    frameRate: 25,
    estimators: ['cpu-full'],
    settings: { option: 'q', values: [4] },
    searchedFieldsAt: 4,
    runs: 1,
    encoder: { threads: 1, range: { x: 8, y: 8 }, bFrames: 2 },
    onPicture: picture => {
      measured.push(picture);
    },
  });
});

it.each([0, 1, 3 << 12, (3 << 12) + 1, (6 << 12) + 2])('base64 of %i bytes', length => {
  const bytes = Uint8Array.from({ length: length + 5 }, (_, i) => (i * 7) ^ (i >> 8)).subarray(5);
  expect(base64(bytes)).toBe(Buffer.from(bytes).toString('base64'));
});

describe('packMacroblocks', () => {
  afterEach(() => vi.unstubAllGlobals());

  it('loses nothing, and is unpacked by what the page unpacks it with', async () => {
    expect(new Set(measured.map(({ macroblocks }) => macroblocks.type))).toEqual(new Set(['I', 'P', 'B']));
    for (const { macroblocks } of measured) {
      const bytes = inflateRawSync(Buffer.from(await packMacroblocks(macroblocks), 'base64'));
      const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length);
      const { type, mbWidth, mbHeight } = macroblocks;
      expect(unpackMacroblocks(view, type, mbWidth, mbHeight)).toEqual(macroblocks);
    }
  });

  it('packs without deflate-raw, which Node has from 20.12 on', async () => {
    const format = (name: CompressionFormat) => {
      if (name === 'deflate-raw') throw new TypeError("The argument 'format' is invalid. Received 'deflate-raw'");
      return name;
    };
    class OldCompression extends CompressionStream {
      constructor(name: CompressionFormat) {
        super(format(name));
      }
    }
    vi.stubGlobal('CompressionStream', OldCompression);
    for (const text of ['', 'mpegpu', 'pel '.repeat(50_000)]) {
      expect(inflateRawSync(Buffer.from(await packText(text), 'base64')).toString()).toBe(text);
    }
  });
});

describe('ReportPictures', () => {
  const job = {
    ...SIZE,
    frames: 8,
    estimators: ['cpu-full'],
    settings: { option: 'q' as const, values: [8, 2, 4] },
    encodeImage: encodeWebp,
  };

  it('keeps the pictures of the middle setting in display order', async () => {
    const pictures = new ReportPictures(job);
    expect(pictures.value).toBe(4);
    for (const picture of measured) await pictures.add(picture);
    for (const picture of measured) await pictures.add({ ...picture, value: 8 });
    const data = await pictures.finish();
    expect(data.sources.length).toBe(8);
    expect(data.estimators[0]!.pictures.map(({ type, bits }) => [type, bits])).toEqual(
      measured.map(({ figures }) => [figures.type, figures.bits]),
    );
    // The fields of the picture's anchors: none for I, one for P, two for B; full pels, one a macroblock.
    for (const [i, { searched, type }] of data.estimators[0]!.pictures.entries()) {
      expect(searched.length).toBe({ I: 0, P: 1, B: 2 }[type]);
      for (const packed of searched) {
        const bytes = inflateRawSync(Buffer.from(packed, 'base64'));
        const planes = Array.from({ length: bytes.length / 2 }, (_, at) => bytes.readInt16LE(2 * at));
        const fields = [...measured[i]!.searched!.values()].map(({ dx, dy }) => [...dx, ...dy]);
        expect(fields).toContainEqual(planes);
      }
    }
    const shown = await sharp(Buffer.from(data.sources[3]!, 'base64')).metadata();
    expect([shown.format, shown.width, shown.height]).toEqual(['webp', SIZE.width, SIZE.height]);
    // The pan is found exactly but for the edge it uncovers: the middle of a residual is nearly flat.
    const residual = await sharp(Buffer.from(data.estimators[0]!.pictures[5]!.residual, 'base64'))
      .extract({ left: 24, top: 12, width: 24, height: 16 })
      .stats();
    expect(Math.abs(residual.channels[0]!.mean - 128)).toBeLessThan(4);
  });

  it('leaves out an estimator whose pictures are not all there', async () => {
    const pictures = new ReportPictures({ ...job, estimators: ['cpu-full', 'zero'] });
    for (const picture of measured) await pictures.add(picture);
    for (const picture of measured.slice(0, 5)) await pictures.add({ ...picture, estimator: 'zero' });
    expect((await pictures.finish()).estimators.map(({ label }) => label)).toEqual(['cpu-full']);
  });

  it('stays within its size whatever images come out', async () => {
    // Those of five pictures, the shown and the residual, are too long already: what comes after them may be short.
    const made = { 1: 0, 3: 0, 4: 0 };
    const encodeImage: typeof encodeWebp = async ({ channels }) =>
      new Uint8Array(++made[channels] <= 5 ? 1_000_000 : 1);
    const pictures = new ReportPictures({ ...job, encodeImage });
    for (const picture of measured) await pictures.add(picture);
    const data = await pictures.finish();
    expect(data.sources.length).toBe(4);
    expect(JSON.stringify(data).length).toBeLessThan(13_200_000);
    const files = [{ label: '', name: '', mediaType: '', packed: ' '.repeat(6_000_000) }];
    expect((await pictures.finish(files)).sources.length).toBe(2);
  });

  it.each([
    [1920, 1080, 150, 4],
    [352, 288, 5000, 2],
    [4095, 2800, 1000, 6],
  ])('asks for images that fit: %ix%i, %i pictures, %i estimators', async (width, height, frames, count) => {
    const asked: { width: number; height: number; maxBytes: number }[] = [];
    const estimators = Array.from({ length: count }, (_, i) => `estimator ${i}`);
    const pictures = new ReportPictures({
      width,
      height,
      frames,
      estimators,
      settings: { option: 'q', values: [4] },
      encodeImage: async (_, target) => {
        asked.push(target);
        return new Uint8Array(1);
      },
    });
    const [picture] = measured;
    await pictures.add({ ...picture!, estimator: estimators[0]! });
    const [target] = asked;
    expect(target!.width * target!.height).toBeLessThanOrEqual(640 * 480 + 2000);
    expect(target!.width / target!.height).toBeCloseTo(width / height, 1);
    expect(target!.maxBytes).toBeGreaterThan(2000);
    const shown = Math.min(frames, 300);
    expect(target!.maxBytes * Math.min(shown, 10)).toBeLessThan(9_750_000);
  });
});

describe('encodeWebp', () => {
  it('lowers the quality until the image fits', async () => {
    const image = {
      ...SIZE,
      channels: 3 as const,
      pels: Uint8Array.from({ length: 3 * 72 * 40 }, (_, i) => (i * i) % 251),
    };
    const large = await encodeWebp(image, { ...SIZE, maxBytes: 100_000 });
    const small = await encodeWebp(image, { ...SIZE, maxBytes: Math.floor(large.length / 2) });
    expect(small.length).toBeLessThanOrEqual(large.length / 2);
    expect((await encodeWebp(image, { ...SIZE, maxBytes: 1 })).length).toBeGreaterThan(1);
  });
});
