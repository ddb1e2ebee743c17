// Measures simulated snow on its way into the encoder: `node bench/snow.mjs`. Needs a build, no ffmpeg, no network.
// Two tables: what each stage takes, and pictures per second with and without the copies that can be
// avoided.
//
//     node bench/snow.mjs [--flakes N] [--grid XxYxZ] [--size WxH] [--iterations N] [--frames N] [--turns N]
//                         [--preset NAME] [--q N] [--threads N] [--software] [--json FILE]
//
// Stages are measured alone, ways with all stages at once. A whole encode includes the start of its threads.
// Defaults: 2^21 flakes, 128x32x128 cells, 1920x1080, 240 pictures, medians of 3 turns. --software: a GPU that is a
// program will do.
import { writeFileSync } from 'node:fs';
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { createGpuMrmp } from '../dist/gpu/gpu-estimators.js';
import { createGpuSorter } from '../dist/gpu/sort/open-sorter.js';
import { Encoder, gpuEstimatorOn } from '../dist/package/index.js';
import { GpuSnow } from '../dist/samples/snow/gpu/gpu-snow.js';
import { MAP_READ, USAGE } from '../dist/samples/snow/gpu/snow-buffers.js';
import { SnowPictures } from '../dist/samples/snow/gpu/snow-pictures.js';
import { STAGES } from '../dist/samples/snow/gpu/stage-clock.js';
import { snowScene } from '../dist/samples/snow/scene.js';
import { describeGpuMachine, gpuMachineLine } from './gpu-machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    flakes: { type: 'string', default: `${2 ** 21}` },
    grid: { type: 'string', default: '128x32x128' },
    size: { type: 'string', default: '1920x1080' },
    iterations: { type: 'string', default: '30' },
    frames: { type: 'string', default: '240' },
    turns: { type: 'string', default: '3' },
    preset: { type: 'string', default: 'fastest' },
    q: { type: 'string', default: '8' },
    threads: { type: 'string', default: `${Math.min(16, availableParallelism())}` },
    software: { type: 'boolean', default: false },
    json: { type: 'string' },
  },
});
const [x, y, z] = options.grid.split('x').map(Number);
const [width, height] = options.size.split('x').map(Number);
const [frames, turns] = [Number(options.frames), Number(options.turns)];
const scene = snowScene({
  ...{ width, height, seed: 1, grid: { x, y, z } },
  ...{ flakes: Number(options.flakes), iterations: Number(options.iterations) },
});
/** Pictures that are simulated or copied at a time, and steps between two waits where nothing is copied. */
const AHEAD = 4;
/** Pictures before the times count. */
const WARM_UP = 4;
/** Pictures of the encode from memory. */
const IN_MEMORY = 24;
const SEARCH = {
  ...{ width: scene.codedWidth, height: scene.codedHeight, metric: 'sad', blockSize: 16 },
  ...{ range: { x: 64, y: 32 }, candidatesPerBlock: 1, lambda: 4 },
};
const ENCODE = { width, height, frameRate: 25, preset: options.preset, q: Number(options.q) };

const sorter = await createGpuSorter({ allowSoftware: options.software });
const { device } = sorter;

/** Milliseconds per picture: the median of the turns. `make` prepares a turn and returns its work. */
async function timeOf(make) {
  const times = [];
  for (let turn = 0; turn < turns; turn++) {
    const snow = await GpuSnow.create(scene, sorter);
    const pictures = new SnowPictures(snow);
    const { work, close } = await make(snow, pictures);
    await work(WARM_UP);
    const start = performance.now();
    await work(frames);
    times.push((performance.now() - start) / frames);
    await close?.();
    pictures.destroy();
    snow.destroy();
  }
  return median(times);
}

/** Calls `use` with one picture after the other, while the next ones are under way. */
async function forEachPicture(pictures, count, use) {
  const underWay = [];
  for (let number = 0; number < count; number++) {
    while (underWay.length < Math.min(AHEAD, count - number)) underWay.push(pictures.next());
    await use(await underWay.shift(), number);
  }
}

/** Nothing leaves the GPU. */
async function simulated(snow) {
  const planes = snow.createPlanes();
  const work = async count => {
    for (let number = 0; number < count; number++) {
      const encoder = device.createCommandEncoder();
      snow.recordStep(encoder);
      snow.recordPicture(encoder, planes);
      device.queue.submit([encoder.finish()]);
      if (number % AHEAD === AHEAD - 1) await device.queue.onSubmittedWorkDone();
    }
    await device.queue.onSubmittedWorkDone();
  };
  return { work, close: () => planes.destroy() };
}

/** The planes come to main memory, for the coder. */
async function copied(_snow, pictures) {
  return { work: count => forEachPicture(pictures, count, picture => picture.release()) };
}

/** Searches each picture from the one before; its luma is copied within the GPU, or uploaded again. */
async function searchPictures(pictures, count, estimator, { staysOnGpu, firstId }) {
  let before;
  await forEachPicture(pictures, count, async (picture, number) => {
    const gpuBuffer = staysOnGpu ? picture.planes : undefined;
    const pels = picture.copy.subarray(0, SEARCH.width * SEARCH.height);
    const luma = { id: firstId + number, width: SEARCH.width, height: SEARCH.height, pels, gpuBuffer };
    if (before) {
      await estimator.estimate({ current: luma, reference: before.luma });
      before.picture.release();
    }
    before = { luma, picture };
  });
  before?.picture.release();
}

const searched = staysOnGpu => async (_snow, pictures) => {
  const estimator = await createGpuMrmp(SEARCH, { device });
  let firstId = 0;
  const work = async count => {
    await searchPictures(pictures, count, estimator, { staysOnGpu, firstId });
    firstId += count; // an id names the same pels for ever
  };
  return { work, close: () => estimator.close() };
};

/** Frames go through the encoder, and its bytes are dropped. `release` is called when a picture is needed no more. */
async function encode(estimator, feed) {
  const encoder = new Encoder({ ...ENCODE, estimator, threads: Number(options.threads) });
  const drain = async () => {
    let bytes = 0;
    for await (const { data } of encoder) bytes += data.length;
    return bytes;
  };
  const [bytes] = await Promise.all([drain(), feed(encoder).then(() => encoder.finish())]);
  return bytes;
}

/** The whole way: simulate, draw, copy, search, code. */
const encoded = (estimatorOf, staysOnGpu) => async (_snow, pictures) => {
  const work = count =>
    encode(estimatorOf(), encoder =>
      forEachPicture(pictures, count, async ({ frame, planes, release }) => {
        if (staysOnGpu) return encoder.add({ ...frame, gpu: { buffer: planes, onRelease: release } });
        const taken = encoder.add(frame); // copies the planes before it returns
        release();
        return taken;
      }),
    );
  return { work };
};

/** The encoder alone, whose frames lie in main memory. */
async function codedFromMemory(_snow, pictures) {
  const kept = [];
  await forEachPicture(pictures, IN_MEMORY, ({ frame, release }) => {
    const [luma, u, v] = [frame.y.slice(), frame.u.slice(), frame.v.slice()];
    kept.push({ width, height, y: luma, u, v });
    release();
  });
  const work = count =>
    encode('gpu-mrmp', async encoder => {
      for (let number = 0; number < count; number++) await encoder.add(kept[number % IN_MEMORY]);
    });
  return { work };
}

/** Milliseconds of each stage alone, and what they are taken by. Where the device takes no times, of the copy alone. */
async function stageTimes() {
  const snow = await GpuSnow.create(scene, sorter);
  const pictures = new SnowPictures(snow, true);
  const count = Math.min(frames, 60);
  const times = [];
  await forEachPicture(pictures, WARM_UP + count, (picture, number) => {
    if (number >= WARM_UP) times.push(picture.times);
    picture.release();
  });
  const estimator = await createGpuMrmp(SEARCH, { device, isTimed: true });
  await searchPictures(pictures, count, estimator, { staysOnGpu: true, firstId: 0 });
  const { kernelTimeNs, pictures: fields } = estimator.statistics();
  const copyMs = await copyTime(snow);
  await estimator.close();
  pictures.destroy();
  snow.destroy();
  const ofGpu = stage => [stage, median(times.map(time => time[stage])) / 1e6, 'timestamps'];
  const search = ['search of a picture', kernelTimeNs / fields / 1e6, 'timestamps'];
  const timed = times[0] ? [...STAGES.map(ofGpu), search] : [];
  return [...timed, ['copy of the planes to main memory', copyMs, 'wall time, with the wait']];
}

/** Milliseconds of the copy of planes to main memory, one after the other; the median. */
async function copyTime(snow) {
  const planes = snow.createPlanes();
  const { copyTarget, mapRead } = USAGE;
  const target = device.createBuffer({ size: planes.size, usage: copyTarget | mapRead });
  const times = [];
  for (let turn = 0; turn < 20; turn++) {
    const start = performance.now();
    const encoder = device.createCommandEncoder();
    encoder.copyBufferToBuffer(planes, 0, target, 0, planes.size);
    device.queue.submit([encoder.finish()]);
    await target.mapAsync(MAP_READ);
    times.push(performance.now() - start);
    target.unmap();
  }
  for (const buffer of [planes, target]) buffer.destroy();
  return median(times);
}

const onDevice = () => gpuEstimatorOn('gpu-mrmp', device);
const WAYS = [
  ['simulate, sort, draw', simulated],
  ['+ copy the planes for the coder', copied],
  ['+ search, luma stays on the GPU', searched(true)],
  ['+ search, luma uploaded again', searched(false)],
  ['whole encode, luma stays on the GPU', encoded(onDevice, true)],
  ['whole encode, luma uploaded again, same thread', encoded(onDevice, false)],
  ['whole encode, luma uploaded again, own thread', encoded(() => 'gpu-mrmp', false)],
  ['encode alone, frames in main memory', codedFromMemory],
];

const { machine } = await describeGpuMachine();
console.log(`${gpuMachineLine(machine)}\n`);
console.log(
  `${scene.flakes} flakes, ${options.grid} cells, ${scene.iterations} iterations, ${width}x${height}, ${frames} pictures, ` +
    `preset ${options.preset}, q ${options.q}, ${options.threads} threads, median of ${turns}\n`,
);
const stages = await stageTimes();
const stageRows = stages.map(([stage, ms, by]) => [stage, fixed(ms, 3), by]);
console.log(`${table(['stage', 'ms a picture', 'taken by'], stageRows)}\n`);
const rows = [];
for (const [name, make] of WAYS) {
  const ms = await timeOf(make);
  rows.push({ name, ms, picturesPerSecond: 1000 / ms, ratio: rows.length > 0 ? rows[0].ms / ms : 1 });
  console.error(`${name}: ${fixed(ms, 2)} ms`);
}
console.log(
  table(
    ['what is done', 'ms a picture', 'pictures/s', 'ratio to the first'],
    rows.map(({ name, ms, picturesPerSecond, ratio }) => [
      name,
      fixed(ms, 2),
      fixed(picturesPerSecond, 1),
      fixed(ratio, 2),
    ]),
  ),
);
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, options, stages, rows }, null, 2)}\n`);
await sorter.close();
