// What is told where MPEG-1, or a Video CD, has no shape of pels that is near to the source's.
import { expect, it } from 'vitest';
import { pelAspectOption } from '../../src/encode-files/stream-shape.js';

const VIDEO_CD = { target: 'vcd' } as const;
const SQUARE = { width: 1, height: 1 };

/** The pel_aspect_ratio for a shape, and what is told of it. */
function shapeOf(width: number, height: number, options: Parameters<typeof pelAspectOption>[1]) {
  const told: string[] = [];
  const source = { name: 'a film', pelAspect: { width, height } };
  const { pelAspectRatio } = pelAspectOption(source, options, warning => void told.push(warning));
  return [pelAspectRatio, ...told];
}

it('says by how much players show it wider or narrower, by the names that the caller has for options', () => {
  const advice = (change: string) => `so players show the picture ${change}: scale can make them square`;
  expect(shapeOf(16, 15, {})).toEqual([
    8,
    `a film has pels of 1.0667:1; MPEG-1's nearest shape is 1.0921:1, ${advice('2.4 % wider')}`,
  ]);
  expect(shapeOf(2, 1, {})).toEqual([
    2,
    `a film has pels of 2:1; MPEG-1's nearest shape is 1.4848:1, ${advice('25.8 % narrower')}`,
  ]);
  expect(shapeOf(2, 1, { optionNaming: name => `--${name}` })[1]).toMatch(/: --scale can make them square$/);
});

it('says nothing of a shape that is near, and gives none for square pels, but to a target', () => {
  expect(shapeOf(12, 11, {})).toEqual([8]);
  expect(shapeOf(1, 1, {})).toEqual([undefined]);
  expect(shapeOf(1, 1, { target: 'jsmpeg' })).toEqual([1]);
  expect(pelAspectOption({ name: 'a film' }, {}, () => {})).toEqual({});
});

it('leaves a Video CD its own shape, and says so where the film has another', () => {
  const other = 'a film has pels of 1.4222:1, and a Video CD shows its own shape: scale or crop to fit it';
  expect(shapeOf(64, 45, VIDEO_CD)).toEqual([undefined, other]);
  for (const [width, height] of [
    [1, 1],
    [12, 11],
    [10, 11],
  ] as const) {
    expect(shapeOf(width, height, VIDEO_CD)).toEqual([undefined]);
  }
  expect(shapeOf(1, 1, { ...VIDEO_CD, aspect: { pel: SQUARE } as never })).toEqual([1]);
});
