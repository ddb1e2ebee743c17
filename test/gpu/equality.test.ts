// The searches on the GPU equal their CPU twins, and both algorithms their definitions, element for element.
import { afterAll, describe, expect, it } from 'vitest';
import {
  createGpuFull,
  createGpuMrmp,
  createGpuSgm,
  type GpuEstimatorOptions,
  type KeepMethod,
} from '../../src/gpu/gpu-estimators.js';
import { createCpuFull } from '../../src/motion/cpu/cpu-full.js';
import { createCpuMrmp } from '../../src/motion/cpu/cpu-mrmp.js';
import { createCpuSgm } from '../../src/motion/cpu/cpu-sgm.js';
import type { EstimatorFactory, EstimatorParameters, LumaPicture, MotionField } from '../../src/motion/estimator.js';
import type { Frame } from '../../src/picture/frame.js';
import { readClip, realClips } from '../support/clips.js';
import { readWithPackagedFfmpeg } from '../support/ffmpeg-clips.js';
import { exhaustiveField, type FieldEntries, mrmpField } from './oracle.js';
import { PICTURE_KINDS, picturePair } from './pictures.js';
import { RUNS_WHOLE_GRID, shareGpu } from './test-gpu.js';

const BASE: EstimatorParameters = {
  width: 64,
  height: 48,
  metric: 'sad',
  blockSize: 16,
  range: { x: 7, y: 7 },
  candidatesPerBlock: 1,
  lambda: 0,
};

function entriesOf({ dx, dy, cost }: MotionField): FieldEntries {
  return Array.from(cost, (value, entry) => [dx[entry], dy[entry], value] as const);
}

/** What a software GPU compiles too slowly to try for every commit. */
const onlyInWholeGrid = <T>(...cases: T[]): T[] => (RUNS_WHOLE_GRID ? cases : []);

readWithPackagedFfmpeg();
const warnings: string[] = [];
const options = { gpu: shareGpu(), onWarning: (message: string) => warnings.push(message) };

/** Every kind of picture with several calls under way at once, against the CPU twin. */
async function expectTwins(
  parameters: EstimatorParameters,
  createGpu: typeof createGpuFull | typeof createGpuMrmp | typeof createGpuSgm,
  createCpu: EstimatorFactory,
): Promise<void> {
  const gpu = await createGpu(parameters, options);
  const cpu = await createCpu(parameters);
  const pairs = PICTURE_KINDS.map((kind, index) => picturePair(kind, parameters.width, parameters.height, 2 * index));
  const fields = await Promise.all(pairs.map(pair => gpu.estimate(pair)));
  for (const [index, pair] of pairs.entries()) {
    expect(entriesOf(fields[index]), PICTURE_KINDS[index]).toEqual(entriesOf(await cpu.estimate(pair)));
  }
  await gpu.close();
  await cpu.close();
}

afterAll(() => expect(warnings).toEqual([]));

/** Every kind of picture, one after the other, against the definition. */
async function expectDefinition(
  parameters: EstimatorParameters,
  createGpu: typeof createGpuFull | typeof createGpuMrmp,
  fieldOf: typeof exhaustiveField | typeof mrmpField,
): Promise<void> {
  const gpu = await createGpu(parameters, options);
  for (const [index, kind] of PICTURE_KINDS.entries()) {
    const pair = picturePair(kind, parameters.width, parameters.height, 2 * index);
    expect(entriesOf(await gpu.estimate(pair)), kind).toEqual(fieldOf(pair, parameters));
  }
  await gpu.close();
}

/** The settings of the searches in real clips, which the GPU compiles but once. */
const OF_CLIPS = { ...BASE, width: 96, lambda: 4 };
/** Two tiles, one below the other. */
const FULL_OF_CLIPS: EstimatorParameters = { ...OF_CLIPS, range: { x: 33, y: 8 }, candidatesPerBlock: 8 };
/** At the coarsest level, half of the vectors lead out of the picture. */
const MRMP_OF_CLIPS: EstimatorParameters = { ...OF_CLIPS, range: { x: 64, y: 32 }, candidatesPerBlock: 4 };

describe('gpu-full', () => {
  it.each<Partial<EstimatorParameters>>([
    // The suite of gpu-full has squared errors of 16x16 blocks, which take seconds to compile.
    { range: 'picture', blockSize: 8, candidatesPerBlock: 8, metric: 'sse', lambda: 100, width: 48, height: 32 },
    // These are near to what the suite of gpu-full and the tests below ask for every commit.
    ...onlyInWholeGrid<Partial<EstimatorParameters>>(
      { range: { x: 16, y: 5 }, blockSize: 8, candidatesPerBlock: 4 },
      { range: { x: 33, y: 33 }, candidatesPerBlock: 8, lambda: 7, width: 112, height: 64 },
      { range: { x: 1, y: 0 }, width: 16, height: 272, candidatesPerBlock: 8 },
      { range: { x: 7, y: 7 }, candidatesPerBlock: 4, lambda: 2.5 },
      { range: { x: 16, y: 16 }, metric: 'sse' },
      { range: { x: 1, y: 0 }, candidatesPerBlock: 8, metric: 'sse', width: 48, height: 16 },
      { range: 'picture', candidatesPerBlock: 8, metric: 'sse', lambda: 100 },
      { range: 'picture', blockSize: 8, metric: 'sse', candidatesPerBlock: 8, width: 48, height: 32 },
      { range: 'picture', width: 16, height: 16, candidatesPerBlock: 4 },
    ),
  ])('equals cpu-full: %j', { timeout: 60_000 }, changes =>
    expectTwins({ ...BASE, ...changes }, createGpuFull, createCpuFull),
  );

  // With many threads, tiles are large: here of 192 threads. With few, there are several, and by squared errors groups
  // of few blocks.
  it.each([
    [{ range: { x: 33, y: 33 }, width: 96, height: 64 }, { threads: 256 }],
    // The suite of gpu-full runs with few threads for every commit.
    ...onlyInWholeGrid([{}, { threads: 64 }] as const),
    ...onlyInWholeGrid([{ metric: 'sse', width: 48, height: 32, range: { x: 20, y: 7 } }, { threads: 64 }] as const),
  ] as const)('answers the same with another tuning: %j, %j', { timeout: 60_000 }, (changes, tuning) =>
    expectTwins(
      { ...BASE, candidatesPerBlock: 4, lambda: 1, ...changes },
      (parameters: EstimatorParameters, more?: GpuEstimatorOptions) => createGpuFull(parameters, { ...more, tuning }),
      createCpuFull,
    ),
  );

  it('equals its definition', { timeout: 60_000 }, () =>
    expectDefinition(FULL_OF_CLIPS, createGpuFull, exhaustiveField),
  );
});

describe('gpu-mrmp', () => {
  it.each<Partial<EstimatorParameters>>([
    {
      ...{ range: { x: 33, y: 7 }, metric: 'sse', candidatesPerBlock: 8, lambda: 20 },
      mrmp: { levels: 4, predictors: 2, radius: 2 },
    },
    // As above, of gpu-mrmp.
    ...onlyInWholeGrid<Partial<EstimatorParameters>>(
      { range: { x: 64, y: 32 }, candidatesPerBlock: 4, lambda: 4, width: 112, height: 96 },
      { range: { x: 33, y: 7 }, metric: 'sse', candidatesPerBlock: 8, lambda: 20 },
      { range: { x: 16, y: 16 }, candidatesPerBlock: 4, mrmp: { levels: 4, predictors: 2, radius: 2 } },
      { range: { x: 16, y: 16 }, candidatesPerBlock: 64, lambda: 1 },
      { range: { x: 1, y: 1 } },
      { range: 'picture', blockSize: 8, candidatesPerBlock: 4 },
      { range: 'picture', width: 16, height: 16, candidatesPerBlock: 4 },
    ),
    { range: { x: 16, y: 16 }, candidatesPerBlock: 2, mrmp: { levels: 1 } },
    // Thousands of vectors a block: the picture is small.
    {
      ...{ range: { x: 16, y: 16 }, blockSize: 8, metric: 'sse', width: 32, height: 32 },
      mrmp: { levels: 3, predictors: 8, radius: 8 },
    },
    { range: 'picture', candidatesPerBlock: 8, mrmp: { levels: 2, predictors: 1, coarseRange: { x: 3, y: 2 } } },
  ])('equals cpu-mrmp: %j', { timeout: 60_000 }, changes =>
    expectTwins({ ...BASE, ...changes }, createGpuMrmp, createCpuMrmp),
  );

  it('equals its definition', { timeout: 60_000 }, () => expectDefinition(MRMP_OF_CLIPS, createGpuMrmp, mrmpField));
});

describe('gpu-sgm', () => {
  // It makes a smooth field of eight candidates of gpu-full, whose shader the definition has had compiled.
  it('equals cpu-sgm', { timeout: 60_000 }, async () => {
    const parameters: EstimatorParameters = { ...FULL_OF_CLIPS, candidatesPerBlock: 2, lambda: 0.7 };
    await expectTwins(parameters, createGpuSgm, createCpuSgm);
    const gpu = await createGpuSgm(parameters, options);
    expect(gpu.traits).toEqual({ name: 'gpu-sgm', runsOn: 'gpu', exhaustive: false });
    await gpu.close();
  });
});

describe('candidates', () => {
  it.each<[keep: KeepMethod, candidatesPerBlock: number]>([
    ['bitonic', 3],
    ...onlyInWholeGrid<[KeepMethod, number]>(['bitonic', 1], ['bitonic', 8], ['ranks', 33]),
  ])(
    'are the same by a method that their number does not choose: %s, %i',
    { timeout: 60_000 },
    (keep, candidatesPerBlock) =>
      expectTwins(
        { ...BASE, range: { x: 16, y: 5 }, blockSize: 8, candidatesPerBlock },
        (all: EstimatorParameters) => createGpuFull(all, { ...options, tuning: { keep } }),
        createCpuFull,
      ),
  );
});

describe('pictures on the GPU', () => {
  it.each([
    { pictures: 3, depth: 2, pairs: 1 },
    { pictures: 3, depth: 2, pairs: 8 },
    { pictures: 2, depth: 1, pairs: 4 },
    { pictures: 8, depth: 2, pairs: 4 },
  ])('are kept by id, dropped oldest first, and may lie on shared memory: %o', { timeout: 60_000 }, async limits => {
    const parameters: EstimatorParameters = { ...FULL_OF_CLIPS, height: 32 };
    const gpu = await createGpuFull(parameters, { ...options, ...limits });
    const cpu = await createCpuFull(parameters);
    const pictures = Array.from({ length: 6 }, (_, id) => {
      const { current } = picturePair('noise', 96, 32, id);
      const pels = new Uint8Array(new SharedArrayBuffer(current.pels.length));
      pels.set(current.pels);
      return { ...current, pels };
    });
    const order = [0, 1, 2, 3, 4, 5, 0, 1, 5, 3];
    const pairs = order.slice(1).map((id, index) => ({ current: pictures[id], reference: pictures[order[index]] }));
    pairs.push({ current: pictures[2], reference: pictures[2] });
    const fields = await Promise.all(pairs.map(pair => gpu.estimate(pair)));
    for (const [index, pair] of pairs.entries()) {
      expect(entriesOf(fields[index]), `pair ${index}`).toEqual(entriesOf(await cpu.estimate(pair)));
    }
    await gpu.close();
    await cpu.close();
  });
});

/** The middle of a frame: a software adapter is slow. */
function middleOf(id: number, { width, height, y }: Frame): LumaPicture {
  const [columns, rows] = [112, 80];
  const pels = new Uint8Array(columns * rows);
  const left = (width - columns) >> 1;
  const top = (height - rows) >> 1;
  for (let row = 0; row < rows; row++) {
    const start = (top + row) * width + left;
    pels.set(y.subarray(start, start + columns), row * columns);
  }
  return { id, width: columns, height: rows, pels };
}

/** A software GPU searches those that are least like each other: the others run through the same pipelines. */
const CLIPS = RUNS_WHOLE_GRID ? /foreman_bmp|mobile|bikes|crowdrun/ : /foreman_bmp|crowdrun/;

describe.each(realClips().filter(({ name }) => CLIPS.test(name)))('$name', ({ path }) => {
  it.each([
    ['gpu-full', createGpuFull, createCpuFull, FULL_OF_CLIPS],
    ['gpu-mrmp', createGpuMrmp, createCpuMrmp, MRMP_OF_CLIPS],
  ] as const)('%s equals its CPU twin', { timeout: 60_000 }, async (_, createGpu, createCpu, settings) => {
    const pictures = (await readClip(path, 3)).map((frame, id) => middleOf(id, frame));
    const { width, height } = pictures[0];
    const gpu = await createGpu({ ...settings, width, height }, options);
    const cpu = await createCpu({ ...settings, width, height });
    for (const [current, reference] of [
      [1, 0],
      [2, 1],
      [0, 2],
    ] as const) {
      const request = { current: pictures[current], reference: pictures[reference] };
      expect(await gpu.estimate(request)).toEqual(await cpu.estimate(request));
    }
    expect(gpu.statistics().fault).toBeUndefined();
    await gpu.close();
    await cpu.close();
  });
});
