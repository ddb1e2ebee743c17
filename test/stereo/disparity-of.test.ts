// Disparities in one call: planted shifts, options, bad input.
import { describe, expect, it } from 'vitest';
import { InputError, OptionError } from '../../src/errors.js';
import { KERNEL_SET_NAMES } from '../../src/kernels/kernels.js';
import { disparityOf } from '../../src/stereo/disparity-of.js';
import { grayPicture } from '../../src/stereo/gray-picture.js';
import type { GrayPicture } from '../../src/stereo/matcher.js';
import { createMatcher, type MatcherOptions, type PairSize } from '../../src/stereo/matchers.js';
import { shiftedPair, WITHOUT_MARGIN } from './shifted-pair.js';

const CPU = { matcher: 'cpu-sgm' } as const;

describe('disparityOf', () => {
  it.each(['census-bt', 'census', 'bt'] as const)('finds planted shifts exactly, with cost %s', async cost => {
    const { left, right, shifts, width, height } = shiftedPair();
    const { sixteenths, matched } = await disparityOf(left, right, { ...CPU, range: 32, cost });
    // A parabola may move the lowest point by a part of a pel; the whole disparity is the planted one.
    const found = Array.from(sixteenths, value => Math.round(value / 16));
    for (const { shift, fromY, toY } of shifts) {
      for (let y = fromY + 3; y < toY - 3; y++) {
        const inner = found.slice(y * width + WITHOUT_MARGIN, (y + 1) * width - 3);
        expect(inner, `row ${y}`).toEqual(inner.map(() => shift));
      }
    }
    expect(matched.length).toBe(width * height);
  });

  it('gives the same with both kernel sets', async () => {
    const { left, right } = shiftedPair();
    const [simd, reference] = await Promise.all(
      KERNEL_SET_NAMES.map(kernels => disparityOf(left, right, { ...CPU, range: 16, kernels })),
    );
    expect(simd).toEqual(reference);
  });

  it('gives the same whatever auto takes', async () => {
    const { left, right } = shiftedPair();
    const [byDefault, onCpu] = [
      await disparityOf(left, right, { range: 16 }),
      await disparityOf(left, right, { ...CPU, range: 16 }),
    ];
    expect(byDefault).toEqual(onCpu);
  });

  it('leaves unknown what the right picture does not show, if asked', async () => {
    const { left, right } = shiftedPair();
    const { sixteenths, matched } = await disparityOf(left, right, { ...CPU, range: 32, fill: false });
    expect(Array.from(sixteenths, value => (value < 0 ? 0 : 1))).toEqual([...matched]);
    expect(matched).toContain(0);
  });

  const gray = (width: number, height: number): GrayPicture => ({
    width,
    height,
    pels: new Uint8Array(width * height),
  });
  it.each<[string, MatcherOptions, RegExp]>([
    ['a range between the steps', { range: 40 }, /^range is 40; legal: multiples of 16 from 16 to 256$/],
    ['a range of nothing', { range: 0 }, /^range is 0; legal/],
    ['a range that is no number', { range: Number.NaN }, /^range is NaN; legal/],
    [
      'an unknown cost',
      { cost: 'censsus' as 'census' },
      /^cost is 'censsus' \(did you mean census\?\); legal: census-bt, /,
    ],
    ['a penalty that is too large', { p1: 201, p2: 201 }, /^p1 is 201; legal: whole numbers from 0 to 200$/],
    ['P2 below P1', { p1: 20, p2: 19 }, /^p2 is 19; legal: whole numbers from 20 \(P1\) to 200$/],
    ['a switch in words', { fill: 'no' } as object, /^fill is 'no'; legal: true, false$/],
    ['an unknown option', { rnage: 32 } as object, /^the option 'rnage' does not exist; did you mean range\?$/],
    [
      'an unknown matcher',
      { matcher: 'sgm' as 'auto' },
      /^matcher 'sgm' does not exist.*; legal: auto, gpu-sgm, cpu-sgm$/,
    ],
  ])('refuses %s', async (_, options, says) => {
    const error = await disparityOf(gray(64, 8), gray(64, 8), { ...CPU, ...options }).catch(error => error);
    expect(error).toBeInstanceOf(OptionError);
    expect(error.message).toMatch(says);
  });

  it.each<[string, GrayPicture, GrayPicture, RegExp]>([
    ['sizes that differ', gray(64, 8), gray(64, 9), /^the left picture is 64x8, but the right one is 64x9/],
    ['a range beyond the width', gray(40, 8), gray(40, 8), /^the pictures are 40 pels wide, but range is 64/],
    ['missing pels', { ...gray(64, 8), pels: new Uint8Array(7) }, gray(64, 8), /needs a Uint8Array of 512 pels/],
    ['a picture that is missing', gray(64, 8), undefined as never, /the right one is undefinedxundefined/],
    ['more than the memory holds', gray(4095, 4095), gray(4095, 4095), /more than the \d+ that cpu-sgm can use/],
  ])('refuses %s', async (_, left, right, says) => {
    const error = await disparityOf(left, right, CPU).catch(error => error);
    expect(error).toBeInstanceOf(InputError);
    expect(error.message).toMatch(says);
  });
});

describe('a matcher', () => {
  it('takes pair after pair, and says what its stages took', async () => {
    const { left, right, width, height } = shiftedPair();
    const matcher = await createMatcher({ width, height }, { ...CPU, range: 16 });
    expect(matcher.stageMs()).toBeUndefined();
    const first = await matcher.match(left, right);
    await matcher.match(right, left);
    expect(await matcher.match(left, right)).toEqual(first);
    expect(Object.keys(matcher.stageMs()!)).toEqual(['features', 'costs', 'paths', 'selection', 'filling']);
    await expect(matcher.match(left, gray(width, height + 1))).rejects.toThrow(/the right picture is/);
    await expect(matcher.match(undefined as never, right)).rejects.toThrow(
      new InputError('the left picture is undefined, not { width, height, pels }'),
    );
    await matcher.close();
  });

  it.each([[undefined], [{ width: '64', height: 48 }], [{ width: 64.5, height: 48 }], [{ width: 64, height: 0 }]])(
    'is not made for pictures of %o',
    async size => {
      const error = await createMatcher(size as PairSize, CPU).catch(reason => reason);
      expect(error).toBeInstanceOf(InputError);
      expect(error.message).toMatch(
        /^the (width|height) of the pictures is '?(undefined|[\d.]+)'?, not a whole number of pels$/,
      );
    },
  );

  const gray = (width: number, height: number) => ({ width, height, pels: new Uint8Array(width * height) });
});

describe('grayPicture', () => {
  it('weighs red, green and blue', () => {
    const rgb = Uint8Array.of(255, 0, 0, 0, 255, 0, 0, 0, 255, 255, 255, 255);
    expect([...grayPicture(2, 2, rgb).pels]).toEqual([77, 149, 29, 255]);
    expect(() => grayPicture(2, 1, rgb)).toThrow(/an image of 2x1 has 6 bytes of RGB, not 12/);
    expect(() => grayPicture(-2, -2, rgb)).toThrow(InputError);
    for (const none of [undefined, new Float32Array(12), [...rgb]]) {
      expect(() => grayPicture(2, 2, none as never)).toThrow(new InputError('the pels are no Uint8Array of RGB'));
    }
  });
});
