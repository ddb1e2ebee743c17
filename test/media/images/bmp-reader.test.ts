// Tests of reading BMP files, against ffmpeg and by hand.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { readBmp } from '../../../src/media/images/bmp-reader.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { bmp } from '../bmp-file.js';

/** Palette entry i is (10 i, i, 3 i) as R, G, B. */
const palette = (entries: number) => Array.from({ length: entries }, (_, i) => [3 * i, i, 10 * i, 0]).flat();
const coloursOf = (indices: number[]) => indices.flatMap(i => [10 * i, i, 3 * i]);
const pels = (file: Buffer) => [...readBmp('a.bmp', file).pels];

describe('what ffmpeg writes', () => {
  const folder = temporaryFolder();
  const formats = ['bgr24', 'bgra', 'pal8', 'gray', 'monob', 'rgb8', 'bgr4_byte'];
  const sizes = ['64x48', '37x5', '1x1', '2x3'];
  const at = (format: string, size: string, extension: string) => join(folder, `${format}-${size}.${extension}`);
  const files = formats.flatMap(format => sizes.map(size => [format, size] as const));

  // ffmpeg writes all files in one run, and reads them in another.
  beforeAll(() => {
    const written = files.flatMap(([format, size]) =>
      `-frames:v 1 -vf scale=${size.replace('x', ':')} -pix_fmt ${format}`.split(' ').concat(at(format, size, 'bmp')),
    );
    runPackagedFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=200x200', ...written);
    const inputs = files.flatMap(([format, size]) => ['-i', at(format, size, 'bmp')]);
    const outputs = files.flatMap(([format, size], index) =>
      `-map ${index} -pix_fmt rgb24 -f rawvideo`.split(' ').concat(at(format, size, 'rgb')),
    );
    runPackagedFfmpeg(...inputs, ...outputs);
  });

  it.each(formats)('is read as ffmpeg reads it: %s', format => {
    for (const size of sizes) {
      const path = at(format, size, 'bmp');
      const image = readBmp(path, readFileSync(path));
      expect(`${image.width}x${image.height}`).toBe(size);
      expect(Buffer.compare(image.pels, readFileSync(at(format, size, 'rgb'))), `${format} ${size}`).toBe(0);
    }
  });
});

it('reads rows bottom up, and top down where the height is negative', () => {
  const data = [1, 2, 3, 0, 4, 5, 6, 0];
  expect(pels(bmp({ width: 1, height: 2, bits: 24, data }))).toEqual([6, 5, 4, 3, 2, 1]);
  expect(pels(bmp({ width: 1, height: -2, bits: 24, data }))).toEqual([3, 2, 1, 6, 5, 4]);
});

it('does without the padding of the last row, and with bytes after it', () => {
  expect(pels(bmp({ width: 1, height: 1, bits: 24, data: [1, 2, 3] }))).toEqual([3, 2, 1]);
  expect(pels(bmp({ width: 1, height: 1, bits: 24, data: [1, 2, 3, 0, 9, 9, 9, 9] }))).toEqual([3, 2, 1]);
});

it.each([
  [1, [0b01100000, 0, 0, 0], [0, 1, 1]],
  [2, [0b00110110, 0, 0, 0], [0, 3, 1]],
  [4, [0x0f, 0x70, 0, 0], [0, 15, 7]],
  [8, [5, 255 & 25, 1, 0], [5, 25, 1]],
])('reads a palette with %i bits a pel, odd width', (bits, data, indices) => {
  expect(
    pels(
      bmp({
        width: 3,
        height: 1,
        bits,
        palette: palette(2 ** bits > 25 ? 26 : 2 ** bits),
        colours: bits === 8 ? 26 : 0,
        data,
      }),
    ),
  ).toEqual(coloursOf(indices));
});

it('shows what the palette lacks as black, where it ends early and where it says that it does', () => {
  const data = [0, 1, 2, 3];
  const short = bmp({ width: 4, height: 1, bits: 8, palette: palette(4).slice(4, 12), data });
  expect(pels(short)).toEqual([...coloursOf([1, 2]), 0, 0, 0, 0, 0, 0]);
  const said = bmp({ width: 4, height: 1, bits: 8, palette: palette(4), colours: 3, data });
  expect(pels(said)).toEqual([...coloursOf([0, 1, 2]), 0, 0, 0]);
});

it('reads the 12-byte header of OS/2', () => {
  const head = Buffer.alloc(26);
  head.write('BM', 'latin1');
  head.writeUInt32LE(32, 10);
  head.writeUInt32LE(12, 14);
  head.writeUInt16LE(2, 18);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt16LE(1, 24);
  expect(pels(Buffer.concat([head, Buffer.from([1, 2, 3, 4, 5, 6, 0x40, 0, 0, 0])]))).toEqual([3, 2, 1, 6, 5, 4]);
});

it('reads 16 bits a pel: 5-5-5 by default, 5-6-5 by masks', () => {
  const data = [0b00011111, 0b01111100, 0, 0];
  expect(pels(bmp({ width: 1, height: 1, bits: 16, data }))).toEqual([255, 0, 255]);
  const masks = [0xf800, 0x07e0, 0x001f];
  const half = [...new Uint8Array(Uint16Array.of((16 << 11) | (32 << 5) | 1).buffer), 0, 0];
  expect(pels(bmp({ width: 1, height: 1, bits: 16, compression: 3, masks, data: half }))).toEqual([132, 130, 8]);
});

it('ignores the fourth byte without a mask, and flattens on black with one', () => {
  const data = [40, 80, 120, 51];
  expect(pels(bmp({ width: 1, height: 1, bits: 32, data }))).toEqual([120, 80, 40]);
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  expect(pels(bmp({ width: 1, height: 1, bits: 32, compression: 3, masks, data }))).toEqual([24, 16, 8]);
  const tinged = [128, 129, 130, 127]; // 63.7, 64.2 and 64.7 of 255
  expect(pels(bmp({ width: 1, height: 1, bits: 32, compression: 3, masks, data: tinged }))).toEqual([65, 64, 64]);
  const onWhite = { background: [255, 255, 255] } as const;
  const seenThrough = bmp({ width: 1, height: 1, bits: 32, compression: 3, masks, data });
  expect([...readBmp('a.bmp', seenThrough, onWhite).pels]).toEqual([228, 220, 212]);
  const swapped = [0xff, 0xff00, 0xff0000];
  expect(pels(bmp({ width: 1, height: 1, bits: 32, compression: 3, masks: swapped, data }))).toEqual([40, 80, 120]);
});

it('takes pels for opaque where none of them is seen, as other programs do', () => {
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  const file = (alpha: number) =>
    bmp({ width: 2, height: 1, bits: 32, compression: 3, masks, data: [1, 2, 3, 0, 4, 5, 6, alpha] });
  expect(pels(file(0))).toEqual([3, 2, 1, 6, 5, 4]);
  expect(readBmp('a.bmp', file(0), { keepsAlpha: true })).toMatchObject({ hasAlpha: false });
  expect(pels(file(255))).toEqual([0, 0, 0, 6, 5, 4]);
});

it('reads masks of any width, after a short header and in a longer one', () => {
  const read = (masks: number[], pel: number, compression: number, infoBytes = 40) => {
    const data = new Uint8Array(Uint32Array.of(pel).buffer);
    const file = bmp({ width: 1, height: 1, bits: 32, compression, masks, data });
    file.writeUInt32LE(infoBytes, 14);
    return pels(file);
  };
  expect(read([0xff000000, 0, 0x3], 0xc0000001, 3)).toEqual([192, 0, 85]);
  expect(read([0xffffffff, 0, 0], 0xffffffff, 3)).toEqual([255, 0, 0]);
  const masks = [0xff0000, 0xff00, 0xff, 0xff000000];
  expect(read(masks, 0x80ff8000, 6)).toEqual([128, 64, 0]); // four masks after 40 bytes: alpha, too
  expect(read(masks, 0x80ff8000, 3)).toEqual([255, 128, 0]); // three masks
  expect(read(masks, 0x80ff8000, 3, 52)).toEqual([255, 128, 0]);
  expect(read(masks, 0x80ff8000, 3, 56)).toEqual([128, 64, 0]);
});

describe('run lengths', () => {
  it('reads runs, plain stretches, line ends and jumps of RLE8', () => {
    const data = [3, 1, 0, 0, 0, 3, 2, 3, 4, 0, 0, 0, 0, 2, 1, 1, 1, 5, 0, 1];
    // Four rows bottom up: a run, a plain stretch of three, an empty row, and one pel after the jump.
    expect(pels(bmp({ width: 3, height: 4, bits: 8, compression: 1, palette: palette(6), colours: 6, data }))).toEqual(
      coloursOf([0, 5, 0, 0, 0, 0, 2, 3, 4, 1, 1, 1]),
    );
  });

  it('drops what lies beyond the right edge, and ends with the last row', () => {
    const [width, height, colours] = [2, 2, 6];
    const read = (height: number, data: number[]) =>
      pels(bmp({ width, height, bits: 8, compression: 1, palette: palette(colours), colours, data }));
    expect(read(height, [5, 1, 0, 0, 1, 2, 0, 0])).toEqual(coloursOf([2, 0, 1, 1]));
    expect(read(-height, [5, 1, 0, 0, 1, 2, 0, 0])).toEqual(coloursOf([1, 1, 2, 0]));
    expect(read(height, [1, 1, 0, 2, 0, 1, 1, 3, 0, 1])).toEqual(coloursOf([0, 3, 1, 0])); // on from where it is
    expect(read(height, [1, 1, 0, 2, 0, 9])).toEqual(coloursOf([0, 0, 1, 0])); // to beyond the last row
  });

  it('reads RLE4 that is shorter than its pels, with odd numbers of nibbles', () => {
    const data = [20, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 2, 0x89, 0, 1];
    const row = [3, 4, 5, 6, 7, 8, 9];
    const file = bmp({ width: 20, height: 2, bits: 4, compression: 2, palette: palette(16), data });
    expect(pels(file)).toEqual(coloursOf([...row, ...new Array(13).fill(0), ...new Array(10).fill([1, 2]).flat()]));
  });

  it('reads nibbles in turn in RLE4', () => {
    const data = [3, 0x12, 0, 0, 0, 5, 0x34, 0x56, 0x70, 0, 0, 1];
    expect(pels(bmp({ width: 5, height: 2, bits: 4, compression: 2, palette: palette(16), data }))).toEqual(
      coloursOf([3, 4, 5, 6, 7, 1, 2, 1, 0, 0]),
    );
  });
});

/** A BMP file of four pels with another number at a place of its header. */
function withNumber(at: number, value: number): Buffer {
  const file = bmp({ width: 2, height: 2, bits: 8, palette: palette(4), data: [0, 1, 0, 0, 2, 3, 0, 0] });
  file.writeUInt32LE(value, at);
  return file;
}

it.each([
  ['not even a header', Buffer.from('BM'), 'a.bmp: the BMP header is truncated or damaged'],
  [
    'half an image',
    bmp({ width: 4, height: 4, bits: 24, data: [1, 2, 3, 4] }),
    'a.bmp: the image is truncated, 44 bytes are missing',
  ],
  [
    'the last pels gone',
    bmp({ width: 4, height: 1, bits: 24, data: [1, 2, 3, 4, 5, 6, 7, 8] }),
    'a.bmp: the image is truncated, 4 bytes are missing',
  ],
  [
    'run lengths that end early',
    bmp({ width: 4, height: 4, bits: 8, compression: 1, palette: palette(256).map(byte => byte & 255), data: [3, 1] }),
    'a.bmp: the image is truncated, its run lengths end early',
  ],
  [
    'JPEG inside',
    bmp({ width: 4, height: 4, bits: 24, compression: 4, data: [] }),
    'BMP compression 4 with 24 bits a pel is not supported',
  ],
  [
    'a depth that does not exist',
    bmp({ width: 4, height: 4, bits: 13, data: [] }),
    'BMP compression 0 with 13 bits a pel is not supported',
  ],
  [
    'run lengths of another depth',
    bmp({ width: 4, height: 4, bits: 4, compression: 1, data: [] }),
    'BMP compression 1 with 4 bits a pel is not supported',
  ],
  [
    'bit fields of another depth',
    bmp({ width: 4, height: 4, bits: 24, compression: 3, data: [] }),
    'BMP compression 3 with 24 bits a pel is not supported',
  ],
  ['a header of an unknown kind', withNumber(14, 39), 'a.bmp: the BMP header is truncated or damaged'],
  ['pels within the header', withNumber(10, 53), 'a.bmp: the BMP header is truncated or damaged'],
  [
    'too large',
    bmp({ width: 4096, height: 1, bits: 24, data: [] }),
    'a.bmp is 4096x1; MPEG-1 pictures are 1x1 to 4095x2800 pels',
  ],
  ['no rows', bmp({ width: 4, height: 0, bits: 24, data: [] }), 'a.bmp is 4x0; MPEG-1 pictures'],
])('refuses %s', (_, file, message) => {
  expect(() => readBmp('a.bmp', file)).toThrow(message);
});

it('refuses files that end anywhere before their pels do', () => {
  const files = [
    bmp({ width: 1, height: 2, bits: 32, compression: 6, masks: [1, 2, 4, 8], data: [1, 2, 3, 4, 5, 6, 7, 8] }),
    bmp({ width: 1, height: 2, bits: 16, compression: 3, masks: [1, 2, 4], data: [1, 2, 3, 4, 5, 6, 7, 8] }),
    bmp({ width: 4, height: 2, bits: 8, compression: 1, palette: palette(4), data: [4, 1, 0, 0, 4, 1, 0, 0] }),
  ];
  for (const file of files) {
    for (let bytes = 2; bytes < file.length - 3; bytes++) {
      const read = () => readBmp('a.bmp', file.subarray(0, bytes));
      expect(read, `${bytes} bytes`).toThrow(/^a.bmp: the .*(truncated|damaged)/);
    }
  }
});

it('ends every damaged file with an image or one clear error', () => {
  const file = bmp({
    width: 3,
    height: 4,
    bits: 8,
    compression: 1,
    palette: palette(6),
    colours: 6,
    data: [3, 1, 0, 0, 0, 3, 2, 3, 4, 0, 0, 1],
  });
  fc.assert(
    fc.property(
      fc.array(fc.tuple(fc.integer({ min: 2, max: file.length - 1 }), fc.nat(255)), { maxLength: 4 }),
      damage => {
        const damaged = Buffer.from(file);
        for (const [at, value] of damage) damaged[at] = value;
        try {
          readBmp('a.bmp', damaged);
        } catch (error) {
          expect(error).toHaveProperty('name', 'InputError');
        }
      },
    ),
    { numRuns: 1000 },
  );
});
