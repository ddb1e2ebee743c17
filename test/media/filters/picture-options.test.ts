// The legal values of the options that change pictures, to their limits, and what is said of others.
import { describe, expect, it } from 'vitest';
import { OptionError } from '../../../src/errors.js';
import {
  COLOUR_NAMES,
  changesSize,
  checkCrop,
  checkPictureOptions,
  isAspect,
  type PictureOptions,
  parseColour,
  pelAspectOf,
  rgbOf,
} from '../../../src/media/filters/picture-options.js';

function failureOf(work: () => void): unknown {
  try {
    work();
  } catch (error) {
    return error;
  }
  return undefined;
}

describe('options of pictures', () => {
  it.each([
    [{ scale: { width: 1, height: 1 } }],
    [{ scale: { width: 4095, height: 2800 } }],
    [{ crop: { width: 1, height: 1, x: 0, y: 0 } }],
    [{ crop: { width: 1_000_000, height: 1_000_000, x: 1_000_000, y: 1_000_000 } }],
    [{ background: 'Silver' }],
    [{ background: '#C0ffEE' }],
    [{ aspect: '4:3' }],
    [{ aspect: 'sar=1.5:0.000001' }],
    [{ aspect: '999999.999999:999999' }],
  ])('may be %o', options => {
    expect(failureOf(() => checkPictureOptions(options as PictureOptions))).toBeUndefined();
  });

  const [size, part, shape] = ['is no size of MPEG-1 pictures', 'is no part of a picture', 'is no shape'];
  it.each([
    [{ scale: { width: 4096, height: 2800 } }, `scale 4096x2800 ${size}; legal: whole numbers, 1x1 to 4095x2800`],
    [{ scale: { width: 4095, height: 2801 } }, `scale 4095x2801 ${size}`],
    [{ scale: { width: 0, height: 1 } }, `scale 0x1 ${size}`],
    [{ scale: { width: 1, height: 0 } }, `scale 1x0 ${size}`],
    [{ scale: { width: 1.5, height: 1 } }, `scale 1.5x1 ${size}`],
    [{ scale: '1x1' }, `scale '1x1' ${size}; legal: { width, height }, whole numbers, 1x1 to`],
    [{ crop: { width: 0, height: 2, x: 3, y: 4 } }, `crop 0x2+3+4 ${part}; legal: width and height of 1 or more`],
    [{ crop: { width: 1, height: 0, x: 3, y: 4 } }, `crop 1x0+3+4 ${part}`],
    [{ crop: { width: 1, height: 2, x: -1, y: 4 } }, `crop 1x2+-1+4 ${part}`],
    [{ crop: { width: 1, height: 2, x: 3, y: -1 } }, `crop 1x2+3+-1 ${part}`],
    [{ crop: { width: 1_000_001, height: 2, x: 3, y: 4 } }, `crop 1000001x2+3+4 ${part}`],
    [{ crop: { width: 1, height: 2, x: 3 } }, `crop {"width":1,"height":2,"x":3} ${part}`],
    [{ crop: '1x2+3+4' }, `crop '1x2+3+4' ${part}; legal: { width, height, x, y }`],
    [{ background: 'whit' }, "background 'whit' is no colour (did you mean white?); legal: #rrggbb, black, silver,"],
    [{ background: '#fffff' }, "background '#fffff' is no colour"],
    [{ background: 'constructor' }, "background 'constructor' is no colour"],
    [{ aspect: '4:0' }, `aspect '4:0' ${shape}`],
    [{ aspect: { width: 4, height: 3 } }, `aspect {"width":4,"height":3} ${shape}; legal: the shape of the picture`],
    [{ aspect: '0:3' }, `aspect '0:3' ${shape}`],
    [{ aspect: '1000000:3' }, `aspect '1000000:3' ${shape}`],
    [{ aspect: 'sar=4' }, `aspect 'sar=4' ${shape}`],
    [{ aspect: '4:3:2' }, `aspect '4:3:2' ${shape}`],
  ])('may not be %o', (options, message) => {
    const error = failureOf(() => checkPictureOptions(options as unknown as PictureOptions));
    expect(error).toBeInstanceOf(OptionError);
    expect(error).toMatchObject({ option: Object.keys(options)[0], message: expect.stringContaining(message) });
  });
});

it('a crop lies within the picture up to its last column and row', () => {
  const crop = { width: 4, height: 3, x: 6, y: 7 };
  expect(failureOf(() => checkCrop('a', crop, 10, 10))).toBeUndefined();
  expect(failureOf(() => checkCrop('a', undefined, 1, 1))).toBeUndefined();
  for (const [width, height] of [
    [9, 10],
    [10, 9],
  ] as const) {
    expect(failureOf(() => checkCrop('a', crop, width, height))).toEqual(
      new OptionError('crop', `crop 4x3+6+7 does not lie within a, which is ${width}x${height}`),
    );
  }
});

it('a crop and a scale change the size, nothing else does', () => {
  const size = { width: 1, height: 1 };
  expect(changesSize({ crop: { ...size, x: 0, y: 0 } })).toBe(true);
  expect(changesSize({ scale: size })).toBe(true);
  expect(changesSize({ deinterlace: true, background: 'white', toBt601: true, aspect: '4:3' })).toBe(false);
});

it('a colour is a name or six digits, in any case', () => {
  expect(rgbOf('#0A0b0C')).toEqual([10, 11, 12]);
  expect(rgbOf('Fuchsia')).toEqual([255, 0, 255]);
  expect(parseColour('GRAY')).toBe('#808080');
  expect(parseColour('#ABCDEF')).toBe('#abcdef');
  // CSS level 1: half or full of each component, or silver.
  for (const [name, colour] of Object.entries(COLOUR_NAMES)) {
    expect(colour).toMatch(name === 'silver' ? /^#c0c0c0$/ : /^#((00|80)+|(00|ff)+)$/);
  }
  expect(new Set(Object.values(COLOUR_NAMES)).size).toBe(16);
});

it('the shape of the pels follows from that of the picture, or is given', () => {
  const size = { width: 64, height: 48 };
  expect(pelAspectOf('4:3', size)).toEqual({ width: 4 * 48, height: 3 * 64 });
  expect(pelAspectOf('sar=1.5:1', size)).toEqual({ width: 1.5, height: 1 });
  expect(isAspect('16:9')).toBe(true);
  expect(isAspect('16x9')).toBe(false);
});
