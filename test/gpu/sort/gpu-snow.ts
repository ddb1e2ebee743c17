// The snow simulator on the GPU against its readable twin.
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { filmOfSnow } from '../../../samples/snow/film.js';
import { FLAKE_WORDS } from '../../../samples/snow/flakes.js';
import { GpuSnow } from '../../../samples/snow/gpu/gpu-snow.js';
import { type SnowPicture, SnowPictures } from '../../../samples/snow/gpu/snow-pictures.js';
import { STAGES } from '../../../samples/snow/gpu/stage-clock.js';
import { columnAt } from '../../../samples/snow/ground.js';
import { seenFlake } from '../../../samples/snow/picture/camera.js';
import { frameOfPlanes } from '../../../samples/snow/picture/frame-of-planes.js';
import { NO_TILE } from '../../../samples/snow/picture/tile-entries.js';
import { ReadableSnow } from '../../../samples/snow/readable-snow.js';
import { UNITS_PER_FLAKE } from '../../../samples/snow/scene.js';
import { divergenceOf } from '../../../samples/snow/wind/divergence.js';
import { BUFFER_USAGE, MAP_MODE } from '../../../src/gpu/device/buffers.js';
import type { GpuSorter } from '../../../src/gpu/sort/gpu-sorter.js';
import { createGpuSorter } from '../../../src/gpu/sort/open-sorter.js';
import { largest, largestDifference, smallScene } from '../../samples/snow/small-scene.js';
import { framesFromY4m } from '../../support/decoders.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { IS_REAL_GPU, RUNS_WHOLE_GRID } from '../test-gpu.js';
import { shared } from './shared-gpu.js';

const STEPS = 6;
/** In cells. Flakes that land a step earlier or later, by rounding, are elsewhere; they may be one in a hundred. */
const PLACE_TOLERANCE = 1e-3;
const scene = smallScene({ iterations: 16 });
let sorter: GpuSorter;
let snow: GpuSnow;
let picture: SnowPicture;
const twin = new ReadableSnow(scene);

beforeAll(async () => {
  sorter = await createGpuSorter({ gpu: shared });
  snow = await GpuSnow.create(scene, sorter);
  const pictures = new SnowPictures(snow, true);
  for (let step = 0; step < STEPS; step++) {
    picture = await pictures.next();
    if (step < STEPS - 1) picture.release();
    twin.step();
  }
});
afterAll(async () => {
  snow.destroy();
  await sorter.close();
});

async function bytesOf(buffer: GPUBuffer): Promise<ArrayBuffer> {
  const { copyTarget, mapRead } = BUFFER_USAGE;
  const target = snow.device.createBuffer({ size: buffer.size, usage: copyTarget | mapRead });
  const encoder = snow.device.createCommandEncoder();
  encoder.copyBufferToBuffer(buffer, 0, target, 0, buffer.size);
  snow.device.queue.submit([encoder.finish()]);
  await target.mapAsync(MAP_MODE.read);
  const bytes = target.getMappedRange().slice(0);
  target.destroy();
  return bytes;
}
const floatsOf = async (buffer: GPUBuffer) => new Float32Array(await bytesOf(buffer));
const wordsOf = async (buffer: GPUBuffer) => new Uint32Array(await bytesOf(buffer));
const sum = (values: Uint32Array) => values.reduce((total, value) => total + value, 0);

describe(`after ${STEPS} steps on the GPU`, () => {
  it('the wind is that of the twin, and free of divergence', async () => {
    const wind = await floatsOf(snow.wind);
    expect(largestDifference(wind, twin.wind)).toBeLessThan(1e-4);
    expect(await wordsOf(snow.buffers.floors)).toEqual(twin.floors);
    expect(largest(divergenceOf(scene, { wind, floors: twin.floors }))).toBeLessThan(0.02);
    expect(largest(await floatsOf(snow.buffers.divergence))).toBeGreaterThan(0.02);
  });

  it('the flakes are where the twin has them, none under the ground, none lost', async () => {
    const flakes = await floatsOf(snow.buffers.flakes);
    const heights = await floatsOf(snow.buffers.heights);
    let elsewhere = 0;
    let landings = 0;
    const words = new Uint32Array(flakes.buffer);
    for (let at = 0; at < flakes.length; at += FLAKE_WORDS) {
      const place = flakes.subarray(at, at + 3);
      if (largestDifference(place, twin.flakes.floats.subarray(at, at + 3)) > PLACE_TOLERANCE) elsewhere++;
      expect(place[1]).toBeGreaterThan(heights[columnAt(scene, place[0], place[2])]);
      landings += words[at + 3];
    }
    expect(elsewhere).toBeLessThanOrEqual(scene.flakes / 100);
    expect(landings).toBeGreaterThan(0);
    const onGround = sum(await wordsOf(snow.snow)) + UNITS_PER_FLAKE * sum(await wordsOf(snow.buffers.landed));
    expect(onGround).toBe(UNITS_PER_FLAKE * landings);
  });

  it('the entries are in order, from back to front in each tile', async () => {
    const floats = await floatsOf(snow.buffers.flakes);
    const flakes = { floats, words: new Uint32Array(floats.buffer) };
    const [keys, numbers] = [await wordsOf(snow.buffers.keys), await wordsOf(snow.buffers.numbers)];
    expect(keys.findIndex((key, entry) => entry > 0 && key < keys[entry - 1])).toBe(-1);
    const visible = keys.indexOf(NO_TILE);
    expect(visible).toBeGreaterThan(200);
    for (let entry = 1; entry < visible; entry++) {
      if (keys[entry] >>> 16 !== keys[entry - 1] >>> 16) continue;
      const [before, here] = [numbers[entry - 1], numbers[entry]].map(flake => seenFlake(scene, flakes, flake)!);
      expect(here.distance).toBeLessThanOrEqual(before.distance + (2 * scene.far) / 65535);
    }
  });

  it('the picture is that of the twin: one pel in a hundred differs by more than 1 at most', async () => {
    const planes = new Uint8Array(await bytesOf(picture.planes));
    const expected = twin.drawPlanes();
    const differing = planes.filter((pel, at) => Math.abs(pel - expected[at]) > 1).length;
    expect(differing).toBeLessThanOrEqual(planes.length / 100);
    expect(Buffer.compare(picture.copy, planes)).toBe(0);
    expect(picture.frame).toEqual(frameOfPlanes(scene, planes));
  });

  it('each stage has a time, where the device takes times', () => {
    if (!snow.device.features.has('timestamp-query')) return expect(picture.times).toBeUndefined();
    expect(Object.keys(picture.times!)).toEqual([...STAGES]);
    for (const ns of Object.values(picture.times!)) expect(ns).toBeGreaterThan(0);
  });
});

it('a film has the same pels each time, and moves', async () => {
  const lumas = async () => {
    const frames: Uint8Array[] = [];
    for await (const { y, u, v } of filmOfSnow(scene, sorter, 3)) frames.push(Buffer.concat([y, u, v]));
    return frames;
  };
  const [first, again] = [await lumas(), await lumas()];
  expect(again).toEqual(first);
  expect(first).toHaveLength(3);
  const moving = first[2].filter((pel, at) => pel !== first[1][at]).length;
  expect(moving).toBeGreaterThan(first[2].length / 10);
});

describe('make-samples snow-wind', () => {
  const command = join(import.meta.dirname, '../../../dist/samples/make-samples.js');
  const target = join(temporaryFolder(), 'wind.y4m');
  const size = ['--size', '83x45', '--frames', '2', '--flakes', '500', '--grid', '16x8x16'];
  const run = (...more: string[]) =>
    spawnSync('node', [command, 'snow-wind', target, ...size, ...more], { encoding: 'utf8' });

  it.skipIf(IS_REAL_GPU)('takes no GPU that is a program, and writes nothing', () => {
    const { status, stderr } = run();
    expect(status).toBe(1);
    expect(stderr).toMatch(/^make-samples: no GPU.*\n$/);
    expect(existsSync(target)).toBe(false);
  });

  // A process of its own compiles all shaders anew: seconds on a software GPU.
  it.skipIf(!RUNS_WHOLE_GRID)('writes a film', () => {
    expect(run('--software')).toMatchObject({ status: 0 });
    const frames = framesFromY4m(readFileSync(target));
    expect(frames.map(({ width, height }) => [width, height])).toEqual([
      [83, 45],
      [83, 45],
    ]);
    expect(new Set(frames[1].y).size).toBeGreaterThan(20);
  });
});
