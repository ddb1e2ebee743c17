// Tests of the picture types that the lookahead chooses.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { Frame } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';

const SIZE = { width: 176, height: 144 };

/** The types of the pictures in display order, as one string. */
async function types(frames: Iterable<Frame>, options: Partial<EncoderOptions> = {}): Promise<string> {
  const { reports } = await encodeFrames(frames, {
    ...SIZE,
    gop: 100,
    q: 8,
    adaptiveTypes: true,
    estimator: 'cpu-predictive',
    ...options,
  });
  return [...reports]
    .sort((a, b) => a.frame - b.frame)
    .map(report => report.type)
    .join('');
}

/** Every pel of a frame moved toward white. */
function brightened(frame: Frame, part: number): Frame {
  const lift = (plane: Uint8Array) => plane.map(pel => Math.round(pel + (255 - pel) * part));
  return { ...frame, y: lift(frame.y) };
}

describe('the lookahead', () => {
  it('puts an I picture where a scene begins, and nowhere else', async () => {
    const a = [...generateSample({ kind: 'pan', ...SIZE, frames: 11, seed: 1 })];
    const b = [...generateSample({ kind: 'zoom', ...SIZE, frames: 13, seed: 99 })];
    const found = await types([...a, ...b]);
    expect(found.indexOf('I', 1)).toBe(11);
    expect(found.lastIndexOf('I')).toBe(11);
  });

  it('starts a scene with a P picture where the last I picture is nearer than gopMin', async () => {
    const frames = [1, 50, 99].flatMap((seed, i) => [
      ...generateSample({ kind: i % 2 ? 'zoom' : 'pan', ...SIZE, frames: 7, seed }),
    ]);
    const starts = async (gopMin: number) => {
      const found = await types(frames, { gopMin });
      return [0, 7, 14].map(at => found[at]).join('');
    };
    expect(await starts(1)).toBe('III');
    expect(await starts(7)).toBe('III');
    expect(await starts(8)).toBe('IPI');
    expect(await starts(15)).toBe('IPP');
  });

  it('gopMin keeps I pictures apart, gop still brings them', async () => {
    const found = await types(generateSample({ kind: 'noise', ...SIZE, frames: 30, seed: 1 }), { gop: 10, gopMin: 10 });
    expect([...found].flatMap((type, i) => (type === 'I' ? [i] : []))).toEqual([0, 10, 20]);
  });

  it('the picture before a scene begins is an anchor: no B picture looks across a cut', async () => {
    const a = [...generateSample({ kind: 'pan', ...SIZE, frames: 9, seed: 1 })];
    const b = [...generateSample({ kind: 'zoom', ...SIZE, frames: 6, seed: 99 })];
    const found = await types([...a, ...b], { bFrames: 3 });
    expect(found[8]).toBe('P');
    expect(found[9]).toBe('I');
  });

  it('takes a flash for what it is', async () => {
    const frames = [...generateSample({ kind: 'pan', ...SIZE, frames: 20, seed: 4 })];
    frames[12] = brightened(frames[12]!, 0.8);
    expect((await types(frames)).lastIndexOf('I')).toBe(0);
  });

  it('takes a fade for no cut', async () => {
    const frames = generateSample({ kind: 'fade', ...SIZE, frames: 24, seed: 4 });
    expect((await types(frames)).lastIndexOf('I')).toBe(0);
  });

  it('keeps to the longest group', async () => {
    const frames = generateSample({ kind: 'pan', ...SIZE, frames: 25, seed: 4 });
    const found = await types(frames, { gop: 10 });
    expect([...found].flatMap((type, i) => (type === 'I' ? [i] : []))).toEqual([0, 10, 20]);
  });

  it('uses the more B pictures the coarser the quantizer', async () => {
    const count = (text: string) => text.split('B').length - 1;
    const small = { width: 96, height: 80 };
    const frames = [...generateSample({ kind: 'rotation', ...small, frames: 24, seed: 4 })];
    expect(count(await types(frames, { ...small, q: 1 }))).toBeLessThan(
      count(await types(frames, { ...small, q: 16 })),
    );
  });

  it('uses as many as it may where nothing moves', async () => {
    const [still] = generateSample({ kind: 'pan', ...SIZE, frames: 1, seed: 4 });
    const frames = Array.from({ length: 13 }, () => still!);
    expect(await types(frames, { bFrames: 3 })).toBe('IBBBPBBBPBBBP');
  });

  it.each([1, 2])('gives the same stream when frames are added without waiting, with %i threads', async threads => {
    const frames = [...generateSample({ kind: 'cut', ...SIZE, frames: 40, seed: 2 })];
    const options = { ...SIZE, q: 8, threads, estimator: 'cpu-predictive' };
    const encoder = new Encoder({ ...options, frameRate: 25 });
    const collecting = (async () => {
      const data: Uint8Array[] = [];
      for await (const unit of encoder) data.push(unit.data);
      return Buffer.concat(data);
    })();
    await Promise.all(frames.map(frame => encoder.add(frame)));
    await encoder.finish();
    expect((await collecting).equals((await encodeFrames(frames, options)).stream)).toBe(true);
  });
});
