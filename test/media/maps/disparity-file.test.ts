// Disparities in files: every format comes back as it was written.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import sharp from 'sharp';
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import { encodeDisparities, formatForPath, pngScale, readDisparities } from '../../../src/media/maps/disparity-file.js';
import { decodePfm, encodePfm, type FloatMap } from '../../../src/media/maps/pfm-format.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** Disparities up to 15.5 pels, one of them unknown. */
const DRAWING = {
  width: 3,
  height: 2,
  sixteenths: Int16Array.of(0, 1, 16, -1, 17, 248),
  range: 16,
  inColours: false,
};

describe('PFM', () => {
  it('has its rows from the bottom to the top, little-endian', () => {
    const bytes = encodePfm({ width: 1, height: 2, values: Float32Array.of(1.5, -2) });
    expect(Buffer.from(bytes).toString('latin1', 0, 10)).toBe('Pf\n1 2\n-1\n');
    expect([...bytes.subarray(10)]).toEqual([0, 0, 0, 0xc0, 0, 0, 0xc0, 0x3f]);
  });

  it('comes back as it was', () => {
    const maps = fc.tuple(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 9 })).chain(([width, height]) => {
      const values = fc.float32Array({ minLength: width * height, maxLength: width * height });
      return fc.record({ width: fc.constant(width), height: fc.constant(height), values });
    });
    fc.assert(
      fc.property(maps, (map: FloatMap) => {
        expect(decodePfm('a.pfm', encodePfm(map))).toEqual(map);
      }),
      { seed: 4, numRuns: 40 },
    );
  });

  it('is read big-endian, too', () => {
    const bytes = Buffer.concat([Buffer.from('Pf 1 1 1.0\n'), Buffer.from([0x40, 0x20, 0, 0])]);
    expect(decodePfm('a.pfm', bytes).values[0]).toBe(2.5);
  });

  const good = encodePfm({ width: 2, height: 2, values: new Float32Array(4) });
  it.each<[string, Uint8Array, RegExp]>([
    ['a text', Buffer.from('disparity'), /^a\.pfm is not a PFM file/],
    ['a cut header', good.subarray(0, 6), /^a\.pfm has no valid PFM header/],
    ['colour', Buffer.from('PF\n2 2\n-1\n'), /^a\.pfm is a PFM file in colour/],
    ['no width', Buffer.from('Pf\n0 2\n-1\n'), /^a\.pfm says that its size is 0x2/],
    ['a file cut short', good.subarray(0, 25), /^a\.pfm has 25 bytes, not the 26 of a map of 2x2/],
  ])('refuses %s', (_, bytes, says) => {
    expect(() => decodePfm('a.pfm', bytes)).toThrow(says);
  });
});

describe('a map of disparities', () => {
  it('keeps its sixteenths in a PFM and in a PNG of KITTI', async () => {
    for (const [name, format] of [
      ['map.pfm', 'pfm'],
      ['kitti.png', 'kitti'],
    ] as const) {
      writeFileSync(at(name), await encodeDisparities(DRAWING, format));
      const { width, height, values } = await readDisparities(at(name));
      expect([width, height]).toEqual([3, 2]);
      // KITTI has no number for a known 0: it becomes the smallest one. Unknown is 0 here.
      const zero = format === 'kitti' ? 1 / 256 : 0;
      expect([...values], name).toEqual([zero, 1 / 16, 1, 0, 17 / 16, 15.5]);
    }
  });

  it('is scaled to bytes in a PNG, as far as the range allows', async () => {
    expect([16, 64, 96, 256].map(pngScale)).toEqual([16, 4, 2, 1]);
    writeFileSync(at('map.png'), await encodeDisparities(DRAWING, 'png'));
    expect((await sharp(at('map.png')).metadata()).channels).toBe(1);
    expect([...(await readDisparities(at('map.png'), 16)).values].map(value => 16 * value)).toEqual([
      0, 1, 16, 0, 17, 248,
    ]);
  });

  it('is blue where it is far, red where it is near, black where it is unknown', async () => {
    const pels = await sharp(await encodeDisparities({ ...DRAWING, inColours: true }, 'png'))
      .raw()
      .toBuffer();
    const at = (pel: number) => [...pels.subarray(3 * pel, 3 * pel + 3)];
    expect(at(0)[2]).toBeGreaterThan(at(0)[0]!);
    expect(at(5)[0]).toBeGreaterThan(at(5)[2]!);
    expect(at(3)).toEqual([0, 0, 0]);
  });

  it('takes its format from the ending', () => {
    expect([formatForPath('a.png'), formatForPath('b.PFM')]).toEqual(['png', 'pfm']);
    expect(() => formatForPath('a.jpg')).toThrow(OptionError);
    expect(() => formatForPath('png')).toThrow(/^png ends with neither \.png nor \.pfm: format says which/);
  });
});
