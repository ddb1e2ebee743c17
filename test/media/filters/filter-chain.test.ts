// The filters that ffmpeg is asked for: their exact text, for what the options say and for what the pictures are.
import { describe, expect, it } from 'vitest';
import { filterChain } from '../../../src/media/filters/filter-chain.js';

it('where nothing is asked for and pictures are as usual, there are none', () => {
  expect(filterChain({})).toBeUndefined();
  expect(filterChain({ background: 'white' }, { isAlone: true, firstField: 'top' })).toBeUndefined();
});

describe('deinterlacing', () => {
  it('takes the pictures that say that they are interlaced, and all where the stream says nothing', () => {
    const bwdif = 'bwdif=mode=send_frame:parity=auto:deint=';
    expect(filterChain({ deinterlace: true }, { firstField: 'top' })).toBe(`${bwdif}interlaced`);
    expect(filterChain({ deinterlace: true }, { firstField: 'bottom' })).toBe(`${bwdif}interlaced`);
    expect(filterChain({ deinterlace: true })).toBe(`${bwdif}all`);
  });
});

describe('a crop', () => {
  it('may reach the last column and row, and no further', () => {
    expect(filterChain({ crop: { width: 8, height: 6, x: 24, y: 2 } })).toBe(
      "crop=w='if(gt(32,iw),-1,8)':h='if(gt(8,ih),-1,6)':x=24:y=2:exact=1",
    );
  });
});

describe('samples of full range', () => {
  const range = 'in_range=full:out_range=limited';

  it('become limited, also where they are scaled', () => {
    expect(filterChain({}, { isFullRange: true })).toBe(`scale=${range}`);
    expect(filterChain({ scale: { width: 8, height: 6 } }, { isFullRange: true })).toBe(
      `setsar=sar,scale=8:6:${range}`,
    );
    expect(filterChain({ scale: { width: 8, height: 6 } })).toBe('setsar=sar,scale=8:6');
  });
});

describe('an alpha channel', () => {
  const over = (format: string, colour: string, overlay: string) =>
    `format=${format},split[over][under];[under]${colour}:a=maxval[back];[back][over]overlay=format=${overlay}`;

  it('is blended with the chroma that the pictures have', () => {
    const white = 'lutyuv=y=235:u=128:v=128';
    expect(filterChain({ background: 'white' }, { alpha: 'yuv420' })).toBe(over('yuva420p', white, 'yuv420'));
    expect(filterChain({ background: 'white' }, { alpha: 'yuv' })).toBe(over('yuva444p', white, 'yuv444'));
    const red = 'lutrgb=r=255:g=0:b=1';
    expect(filterChain({ background: '#ff0001' }, { alpha: 'rgb' })).toBe(over('rgba', red, 'rgb'));
  });

  it('has a background of BT.601 in limited range, rounded to nearest, black by default', () => {
    // Y 16 + 65.58, Cb 128 - 37.36, Cr 128 + 111.93.
    expect(filterChain({ background: '#ff0001' }, { alpha: 'yuv' })).toContain('lutyuv=y=82:u=91:v=240:a=maxval');
    expect(filterChain({}, { alpha: 'yuv' })).toContain('lutyuv=y=16:u=128:v=128:a=maxval');
  });
});

it('filters are in the order of the work: fields, pictures left out, part, background, size', () => {
  const options = { deinterlace: true, crop: { width: 2, height: 2, x: 0, y: 0 }, scale: { width: 4, height: 4 } };
  const chain = filterChain(options, { alpha: 'rgb', hdr: 'PQ' }, ['trim=start_frame=3'])!;
  const places = ['bwdif', 'trim', 'crop', 'zscale', 'overlay', 'setsar'].map(name => chain.indexOf(name));
  expect(places).toEqual(places.toSorted((a, b) => a - b));
  expect(places[0]).toBe(0);
});
