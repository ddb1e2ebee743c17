// Outlines lie around the places, and white is all that is not a place.
import { describe, expect, it } from 'vitest';
import { outlinePlaces, whiteOutPlaces } from '../../src/pattern/marked-picture.js';
import type { PelImage } from '../../src/pattern/pel-image.js';
import { noiseImage } from './pattern-images.js';

const RED = [255, 0, 0];
const WHITE = [255, 255, 255];
const pattern: PelImage = { ...noiseImage({ width: 3, height: 2, channels: 1 }, 1), name: undefined };
const picture = noiseImage({ width: 12, height: 9, channels: 3 }, 2);
const pelAt = ({ width, pels }: PelImage, x: number, y: number) => [...pels.subarray(3 * (y * width + x)).slice(0, 3)];

/** The picture as letters: what is red, white, or as it was. */
function drawingOf(drawn: PelImage): string[] {
  return Array.from({ length: drawn.height }, (_, y) =>
    Array.from({ length: drawn.width }, (_, x) => {
      const pel = String(pelAt(drawn, x, y));
      return pel === String(RED) ? 'o' : pel === String(WHITE) ? ' ' : pel === String(pelAt(picture, x, y)) ? '.' : '?';
    }).join(''),
  );
}

describe('outlinePlaces', () => {
  it('draws a line of one pel around a place, and within the picture at its edges', () => {
    const places = [
      { x: 0, y: 0, error: 0 },
      { x: 7, y: 4, error: 0 },
    ];
    expect(drawingOf(outlinePlaces(picture, places, pattern))).toEqual([
      'oooo........',
      'o..o........',
      'oooo........',
      '......ooooo.',
      '......o...o.',
      '......o...o.',
      '......ooooo.',
      '............',
      '............',
    ]);
  });

  it('draws a line of two pels in a picture of 2000, and leaves the picture itself alone', () => {
    const large = { width: 2000, height: 8, channels: 1, pels: new Uint8Array(16_000) } as const;
    const drawn = outlinePlaces(large, [{ x: 10, y: 3, error: 0 }], pattern);
    const row = (y: number) => Array.from({ length: 9 }, (_, i) => pelAt(drawn, 7 + i, y)[0]);
    expect([1, 2, 3, 4, 5, 6, 7].map(row)).toEqual([
      [0, 255, 255, 255, 255, 255, 255, 255, 0],
      [0, 255, 255, 255, 255, 255, 255, 255, 0],
      [0, 255, 255, 0, 0, 0, 255, 255, 0],
      [0, 255, 255, 0, 0, 0, 255, 255, 0],
      [0, 255, 255, 255, 255, 255, 255, 255, 0],
      [0, 255, 255, 255, 255, 255, 255, 255, 0],
      [0, 0, 0, 0, 0, 0, 0, 0, 0],
    ]);
    expect(large.pels.every(value => value === 0)).toBe(true);
  });

  it('outlines a place as large as the picture, or smaller than two lines', () => {
    const drawn = outlinePlaces(
      noiseImage({ width: 3, height: 2, channels: 3 }, 3),
      [{ x: 0, y: 0, error: 0 }],
      pattern,
    );
    expect(drawn.pels.filter((_, i) => i % 3 === 0).every(value => value === 255)).toBe(true);
  });
});

it.each([outlinePlaces, whiteOutPlaces])('%o refuses what is no picture, and no places in it', draw => {
  const at = (x: unknown, y: unknown) => [{ x, y, error: 0 }];
  for (const places of [
    undefined,
    Promise.resolve([]),
    [undefined],
    at(1.5, 0),
    at('1', 0),
    at(-1, 0),
    at(10, 0),
    at(0, 8),
  ]) {
    expect(() => draw(picture, places as never, pattern)).toThrow(
      /^places are .*; legal: an array of places with x 0\.\.9 and y 0\.\.7, such as locatePattern finds$/,
    );
  }
  expect(() => draw(undefined as never, [], pattern)).toThrow(/^picture is undefinedxundefined/);
  expect(() => draw(picture, [], { ...pattern, pels: new Uint8Array(2) })).toThrow(/^the pels of pattern are 2 bytes/);
});

it('whiteOutPlaces shows the pels that count, and nothing else', () => {
  const pels = Uint8Array.of(1, 255, 1, 0, 1, 255, 1, 255, 1, 255, 1, 127);
  const places = [
    { x: 1, y: 1, error: 0 },
    { x: 9, y: 7, error: 0 },
  ];
  expect(drawingOf(whiteOutPlaces(picture, places, { width: 3, height: 2, channels: 2, pels }))).toEqual([
    '            ',
    ' . .        ',
    ' ..         ',
    '            ',
    '            ',
    '            ',
    '            ',
    '         . .',
    '         .. ',
  ]);
});
