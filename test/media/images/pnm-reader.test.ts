// Tests of reading PGM and PPM files.
import fc from 'fast-check';
import { expect, it } from 'vitest';
import { readPnm } from '../../../src/media/images/pnm-reader.js';

const bytes = (text: string, ...more: number[]) => Buffer.concat([Buffer.from(text, 'latin1'), Buffer.from(more)]);
const pels = (image: { pels: Uint8Array }) => [...image.pels];

it('reads the four kinds alike', () => {
  const grey = [0, 0, 0, 128, 128, 128, 255, 255, 255];
  expect(pels(readPnm('a', bytes('P2 3 1 255 0 128 255')))).toEqual(grey);
  expect(pels(readPnm('a', bytes('P5 3 1 255\n', 0, 128, 255)))).toEqual(grey);
  expect(pels(readPnm('a', bytes('P3 1 2 255\n1 2 3\n4 5 6\n')))).toEqual([1, 2, 3, 4, 5, 6]);
  expect(pels(readPnm('a', bytes('P6 1 2 255\n', 1, 2, 3, 4, 5, 6)))).toEqual([1, 2, 3, 4, 5, 6]);
});

it('skips comments anywhere in the header, and bytes after the image', () => {
  const image = readPnm('a', bytes('P5 # made by 9 9\n#\n2# width\n 1\r\n# 7\n255\n', 10, 20, 99));
  expect(image).toMatchObject({ width: 2, height: 1 });
  expect(pels(image)).toEqual([10, 10, 10, 20, 20, 20]);
});

it('takes any white space between its numbers, and a carriage return for the end of a comment', () => {
  for (const head of ['P5\t2\v1\f255\t', 'P5\r2\r1\r255\r', 'P5 # made by 9 9\r2 1 255\n']) {
    expect(pels(readPnm('a', bytes(head, 10, 20))), JSON.stringify(head)).toEqual([10, 10, 10, 20, 20, 20]);
  }
});

it('takes a first sample that looks like white space as a sample', () => {
  expect(pels(readPnm('a', bytes('P5 2 1 255\n', 10, 35)))).toEqual([10, 10, 10, 35, 35, 35]);
});

it.each([
  ['before the white space', 'P5 2 1 255# by 9\n\n'],
  ['before the white space, its line ended as on Windows', 'P5 2 1 255# by 9\r\n'],
  ['instead of the white space', 'P5 2 1 255# by 9\n'],
])('takes no comment after maxval for samples: %s', (_, head) => {
  for (const samples of [
    [10, 35],
    [99, 20],
    [255, 10],
  ]) {
    const [first, second] = samples as [number, number];
    expect(pels(readPnm('a', bytes(head, ...samples)))).toEqual([first, first, first, second, second, second]);
  }
});

it('after white space a # is a sample, even if a comment might be meant', () => {
  expect(pels(readPnm('a', bytes('P5 2 1 255 #c\n', 1, 2)))).toEqual([35, 35, 35, 99, 99, 99]);
});

it('scales any maxval to 255, rounding to nearest, raw and plain alike', () => {
  const cases = fc
    .integer({ min: 1, max: 65535 })
    .chain(maxval => fc.record({ maxval: fc.constant(maxval), sample: fc.integer({ min: 0, max: maxval }) }));
  fc.assert(
    fc.property(cases, ({ maxval, sample }) => {
      const expected = Math.round((sample * 255) / maxval);
      const raw = maxval > 255 ? [sample >> 8, sample & 255] : [sample];
      expect(readPnm('a', bytes(`P5 1 1 ${maxval}\n`, ...raw)).pels[0]).toBe(expected);
      expect(readPnm('a', bytes(`P2 1 1 ${maxval} ${sample}`)).pels[0]).toBe(expected);
    }),
  );
});

it.each([
  ['P5 2 2 255\n\x01\x02\x03', 'a.pgm: the image is truncated, 1 byte is missing'],
  ['P6 1 1 65535\n\x01\x02\x03', 'a.pgm: the image is truncated, 3 bytes are missing'],
  ['P2 2 1 255 7', 'a.pgm: sample 1 of 2 is missing'],
  ['P5 2', 'a.pgm: height is missing'],
  ['P5 x', 'a.pgm: width is missing'],
  ['P5 2 # no end', 'a.pgm: height is missing'],
  ['P5 1 1 100\n\x65', 'a.pgm: sample 101 is larger than maxval 100'],
  ['P2 1 1 100 4294967297', /^a.pgm: sample \d+ is larger than maxval 100/],
  ['P5 1 1 0 \x01', 'a.pgm: maxval 0 is not in 1..65535'],
  ['P5 1 1 65536 \x01', 'a.pgm: maxval 65536 is not in 1..65535'],
  ['P2 1 1 100 101', 'a.pgm: sample 101 is larger than maxval 100'],
  ['P5 5000 1 255\n', 'a.pgm is 5000x1; MPEG-1 pictures are 1x1 to 4095x2800 pels: scale makes it smaller'],
  ['P5 60000 60000 255\n', /is 60000x60000; MPEG-1 pictures are 1x1 to 4095x2800 pels$/], // too large to be scaled
])('refuses %j', (text, message) => {
  expect(() => readPnm('a.pgm', bytes(text))).toThrow(message);
});
