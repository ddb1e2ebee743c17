// Tests of the picture types chosen for uniform pictures, repeats, fades from black and flashes.
import { describe, expect, it } from 'vitest';
import { generateSample, type SampleKind } from '../../../samples/generate.js';
import { Random } from '../../../samples/random.js';
import { createLookaheadHere } from '../../../src/encoder/lookahead/lookahead.js';
import type { ForecastPicture } from '../../../src/encoder/lookahead/picture-planner.js';
import { resolveOptions } from '../../../src/encoder/settings/resolve-options.js';
import type { Frame } from '../../../src/picture/frame.js';
import { pictureBytes, pictureFromFrame } from '../../../src/picture/picture.js';
import { fadedToBlack, repeated, uniformFrame } from '../../support/uniform-frames.js';

const SIZE = { width: 96, height: 80 };
const BLACK = uniformFrame(SIZE, 16);
const WHITE = uniformFrame(SIZE, 235);

/** The types of the pictures in display order, as one string. */
async function types(frames: readonly Frame[], q = 4): Promise<string> {
  const settings = resolveOptions({ ...SIZE, frameRate: 25, threads: 1, gop: 200, q, estimator: 'cpu-predictive' });
  const { planner, motion } = await createLookaheadHere(settings, {});
  const { grid } = settings;
  const planned: ForecastPicture[] = [];
  for (const [id, frame] of frames.entries()) {
    planned.push(...(await planner.plan(pictureFromFrame(id, frame, grid, new ArrayBuffer(pictureBytes(grid))))));
  }
  planned.push(...(await planner.end()));
  await motion.close();
  return planned
    .map(({ plan }) => plan)
    .sort((a, b) => a.displayNumber - b.displayNumber)
    .map(({ type }) => type)
    .join('');
}

/** The numbers of the I pictures. */
async function intraPictures(frames: readonly Frame[], q?: number): Promise<number[]> {
  return [...(await types(frames, q))].flatMap((type, number) => (type === 'I' ? [number] : []));
}

function sample(kind: SampleKind, frames: number): Frame[] {
  return [...generateSample({ kind, ...SIZE, frames, seed: 4 })];
}

/** Each pel of a frame moved by at most one level. */
function withNoise(frame: Frame, seed: number): Frame {
  const random = new Random(seed, 1);
  return { ...frame, y: frame.y.map(pel => pel + random.integer(-1, 1)) };
}

describe('uniform pictures are no scene starts', () => {
  const [picture] = sample('pan', 1);
  it.each([
    ['black', repeated(BLACK, 24)],
    ['white', repeated(WHITE, 24)],
    ['black with noise', repeated(BLACK, 24).map(withNoise)],
    [
      'black with noise now and then',
      repeated(BLACK, 24).map((frame, i) => (i % 7 === 6 ? withNoise(frame, i) : frame)),
    ],
    ['a picture that stands still', repeated(picture!, 24)],
    ['a scene whose every picture is shown twice', sample('zoom', 12).flatMap(frame => [frame, frame])],
    ['black, then a line of text', [...repeated(BLACK, 9), ...repeated(withText(BLACK), 9), ...repeated(BLACK, 9)]],
  ])('%s', async (_, frames) => {
    for (const q of [1, 4, 31]) expect(await intraPictures(frames, q), `q ${q}`).toEqual([0]);
  });
});

describe('a cut', () => {
  it('between two greys is a scene start', async () => {
    const frames = [40, 200, 90, 16].flatMap(level => repeated(uniformFrame(SIZE, level), 9));
    expect(await intraPictures(frames)).toEqual([0, 9, 18, 27]);
  });

  it('by one or two levels is none', async () => {
    const frames = [100, 101, 99, 100].flatMap(level => repeated(uniformFrame(SIZE, level), 9));
    expect(await intraPictures(frames)).toEqual([0]);
  });

  it('out of black into a scene, and out of it into black, is a scene start', async () => {
    const frames = [...repeated(BLACK, 9), ...sample('pan', 9), ...repeated(BLACK, 9)];
    expect(await intraPictures(frames)).toEqual([0, 9, 18]);
  });
});

describe('a fade is no scene start', () => {
  const greys = (count: number, levelOf: (i: number) => number) =>
    Array.from({ length: count }, (_, i) => uniformFrame(SIZE, Math.floor(levelOf(i))));
  const scene = sample('zoom', 40);
  it.each([
    ['of a grey, a level every five pictures', greys(40, i => 16 + i / 5)],
    ['of a grey, a level every other picture', greys(40, i => 16 + i / 2)],
    ['of a grey, two levels a picture', greys(40, i => 16 + 2 * i)],
    ['of a grey, each of its steps shown twice', greys(40, i => 16 + 6 * (i >> 1))],
    ['of a grey to black, to the last picture', greys(40, i => 200 - 4 * i)],
    ['in from black', [...repeated(BLACK, 9), ...scene.map((frame, i) => fadedToBlack(frame, 1 - i / 40))]],
    ['out to black', [...scene.map((frame, i) => fadedToBlack(frame, (i + 1) / 40)), ...repeated(BLACK, 9)]],
    [
      'in from black, each of its steps shown twice',
      [...repeated(BLACK, 9), ...scene.map((_, i) => fadedToBlack(scene[i - (i % 2)]!, 1 - (i - (i % 2)) / 40))],
    ],
  ])('%s', async (_, frames) => {
    expect(await intraPictures(frames)).toEqual([0]);
  });
});

describe('a flash', () => {
  it.each([
    ['one white picture', 1, WHITE],
    ['two white pictures', 2, WHITE],
    ['one black picture', 1, BLACK],
    ['two black pictures', 2, BLACK],
  ])('of %s in a scene is coded as B pictures', async (_, count, flash) => {
    const frames = sample('zoom', 30);
    frames.fill(flash, 17, 17 + count);
    const found = await types(frames);
    expect(found.lastIndexOf('I')).toBe(0);
    expect(found.slice(16, 18 + count)).toBe(`P${'B'.repeat(count)}P`);
  });

  it.each([1, 2])('of %i white pictures in black is no scene start', async count => {
    const frames = repeated(BLACK, 30);
    frames.fill(WHITE, 17, 17 + count);
    expect(await intraPictures(frames)).toEqual([0]);
  });
});

/** A frame with a row of narrow bars in its middle. */
function withText(frame: Frame): Frame {
  const { width, height } = frame;
  const y = Uint8Array.from(frame.y);
  for (let row = height / 2; row < height / 2 + 8; row++) {
    for (let column = 16; column < width - 16; column++) if (column % 5 < 2) y[row * width + column] = 235;
  }
  return { ...frame, y };
}
