// Tests of the pictures for the report's viewer: residuals, packed macroblocks, sizes.
import { inflateRawSync } from 'node:zlib';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../../samples/generate.js';
import { compareEstimators } from '../../../../src/compare/comparison/compare-estimators.js';
import type { MeasuredPicture } from '../../../../src/compare/comparison/measured-picture.js';
import { packMacroblocks } from '../../../../src/compare/report/viewer/macroblock-data.js';
import { predictionResidual } from '../../../../src/compare/report/viewer/prediction-residual.js';
import { ReportPictures } from '../../../../src/compare/report/viewer/report-pictures.js';
import { encodeWebp } from '../../../../src/media/images/webp-encoder.js';
import type { Frame } from '../../../../src/picture/frame.js';

const SIZE = { width: 72, height: 40 };

/** Every picture of an encode with B pictures. */
async function measuredPictures(): Promise<MeasuredPicture[]> {
  const pictures: MeasuredPicture[] = [];
  await compareEstimators({
    frames: [...generateSample({ kind: 'pan', ...SIZE, frames: 8, seed: 11 })],
    frameRate: 25,
    estimators: ['cpu-full'],
    settings: { option: 'q', values: [4] },
    searchedFieldsAt: 4,
    runs: 1,
    encoder: { threads: 1, range: { x: 8, y: 8 }, bFrames: 2 },
    onPicture: picture => {
      pictures.push(picture);
    },
  });
  return pictures;
}

describe('predictionResidual', () => {
  /**
   * A picture of one macroblock whose pels are those of `before` at a displacement in half-pels, by the standard's
   * averages.
   */
  it('vanishes where the prediction is exact, to half a pel', () => {
    fc.assert(
      fc.property(fc.integer({ min: -3, max: 3 }), fc.integer({ min: -3, max: 3 }), fc.nat(255), (dx, dy, seed) => {
        const before = noise(48, 48, seed);
        const source = { ...before, y: displaced(before, dx, dy) };
        const vectors = vectorsOf(9, dx, dy);
        const macroblockTypes = new Uint8Array(9).fill(2);
        const residual = predictionResidual({ source, vectors, macroblockTypes, before, after: undefined });
        for (let y = 16; y < 32; y++) {
          for (let x = 16; x < 32; x++) expect(residual[y * 48 + x]).toBe(128);
        }
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  it('is the doubled difference, and mid-gray in intra macroblocks', () => {
    const before = flat(32, 16, 100);
    const source = flat(32, 16, 110);
    const vectors = vectorsOf(2, 0, 0, 2);
    const residual = predictionResidual({
      source,
      vectors,
      macroblockTypes: Uint8Array.of(2, 16),
      before,
      after: undefined,
    });
    expect(residual[0]).toBe(148);
    expect(residual[16]).toBe(128);
    const clipped = predictionResidual({
      source: flat(32, 16, 255),
      vectors,
      macroblockTypes: Uint8Array.of(2, 8),
      before,
      after: undefined,
    });
    expect(clipped[0]).toBe(255);
  });

  it('takes the rounded mean of both directions', () => {
    const both = { ...vectorsOf(1, 0, 0, 1), type: 'B' as const, backward: [[0, 0] as const] };
    const residual = predictionResidual({
      source: flat(16, 16, 50),
      vectors: both,
      macroblockTypes: Uint8Array.of(6),
      before: flat(16, 16, 40),
      after: flat(16, 16, 61),
    });
    expect(residual[0]).toBe(128 + 2 * (50 - 51));
  });
});

describe('packMacroblocks', () => {
  it('keeps types and vectors', async () => {
    for (const { vectors, macroblockTypes } of await measuredPictures()) {
      const bytes = inflateRawSync(Buffer.from(await packMacroblocks(vectors, macroblockTypes), 'base64'));
      const count = macroblockTypes.length;
      expect(bytes.length).toBe(count * (vectors.type === 'B' ? 9 : 5));
      expect([...bytes.subarray(0, count)]).toEqual([...macroblockTypes]);
      for (const [i, direction] of (vectors.type === 'B' ? ['forward', 'backward'] : ['forward']).entries()) {
        const unpacked = Array.from({ length: count }, (_, address) => [
          bytes.readInt16LE(count * (1 + 4 * i) + 2 * address),
          bytes.readInt16LE(count * (3 + 4 * i) + 2 * address),
        ]);
        expect(unpacked).toEqual(vectors[direction as 'forward'].map(vector => vector ?? [0, 0]));
      }
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
    const measured = await measuredPictures();
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
    const measured = await measuredPictures();
    const pictures = new ReportPictures({ ...job, estimators: ['cpu-full', 'zero'] });
    for (const picture of measured) await pictures.add(picture);
    for (const picture of measured.slice(0, 5)) await pictures.add({ ...picture, estimator: 'zero' });
    expect((await pictures.finish()).estimators.map(({ label }) => label)).toEqual(['cpu-full']);
  });

  it('stays within its size whatever images come out', async () => {
    const measured = await measuredPictures();
    const encodeImage = async () => new Uint8Array(1_000_000);
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
    const [picture] = await measuredPictures();
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

function noise(width: number, height: number, seed: number): Frame {
  const y = Uint8Array.from(
    { length: width * height },
    (_, i) => (Math.imul(i + 1, 2654435761) >>> (8 + (seed % 16))) & 255,
  );
  const chroma = new Uint8Array((width * height) / 4);
  return { width, height, y, u: chroma, v: chroma };
}

function flat(width: number, height: number, value: number): Frame {
  const chroma = new Uint8Array((width * height) / 4);
  return { width, height, y: new Uint8Array(width * height).fill(value), u: chroma, v: chroma };
}

/** Luma moved by half-pels, the average of as many pels as lie around the place, halves rounded up. */
function displaced({ width, height, y: luma }: Frame, dx: number, dy: number): Uint8Array {
  return Uint8Array.from({ length: width * height }, (_, at) => {
    const x2 = 2 * (at % width) + dx;
    const y2 = 2 * Math.floor(at / width) + dy;
    const columns = [Math.floor(x2 / 2), Math.ceil(x2 / 2)];
    const rows = [Math.floor(y2 / 2), Math.ceil(y2 / 2)];
    const inside = (value: number, length: number) => Math.max(0, Math.min(length - 1, value));
    let sum = 0;
    for (const row of rows) {
      for (const column of columns) sum += luma[inside(row, height) * width + inside(column, width)]!;
    }
    return Math.floor(sum / 4 + 0.5);
  });
}

function vectorsOf(count: number, dx: number, dy: number, mbWidth = 3) {
  const forward = Array.from({ length: count }, () => [dx, dy] as const);
  return {
    frame: 1,
    type: 'P' as const,
    mbWidth,
    mbHeight: count / mbWidth,
    forward,
    backward: forward.map(() => null),
  };
}
