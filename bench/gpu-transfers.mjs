// Measures what each step of a submission to the GPU takes of the calling thread. Needs a build.
// The GPU copies a picture and fields and computes nothing, so that what is left is the thread's own time. Prints a
// table: medians in microseconds.
//
//     node bench/gpu-transfers.mjs [--size 640x480,1920x1080] [--fields 3] [--rounds 300]
//
// Pels lie in shared memory, as in an encode. First the way that the search takes, then other ways to upload a picture.
import { parseArgs } from 'node:util';
import { BUFFER_USAGE, MAP_MODE } from '../dist/gpu/device/buffers.js';
import { openDevice } from '../dist/gpu/device/device.js';
import { describeGpuMachine, gpuMachineLine } from './gpu-machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    size: { type: 'string', default: '640x480,1920x1080' },
    fields: { type: 'string', default: '3' },
    rounds: { type: 'string', default: '300' },
  },
});
/** Vectors of a block, as with the preset balanced: 8 bytes each. */
const CANDIDATES = 2;
/** Pictures that are uploaded in turn: more than a cache keeps. */
const PICTURES = 24;
const WARM_UP_ROUNDS = 30;
const { mapRead, mapWrite, copySource, copyTarget, storage } = BUFFER_USAGE;

/** Times steps by their names. */
class Steps {
  times = new Map();

  time(name, step) {
    const startMs = performance.now();
    const result = step();
    this.add(name, performance.now() - startMs);
    return result;
  }

  add(name, ms) {
    this.times.set(name, [...(this.times.get(name) ?? []), 1000 * ms]);
  }

  medians() {
    return [...this.times].map(([name, times]) => [name, median(times)]);
  }
}

/** The polls of the binding so far, and their time. */
const polls = { count: 0, ms: 0 };
const usual = globalThis.setImmediate;
const timed = (callback, ...args) =>
  usual(() => {
    const startMs = performance.now();
    callback(...args);
    polls.count++;
    polls.ms += performance.now() - startMs;
  });
globalThis.setImmediate = Object.assign(timed, usual);

/** What `round` takes, called again and again with the steps to add to and the number of the round. */
async function medians(round) {
  let steps = new Steps();
  const rounds = Number(options.rounds);
  for (let number = -WARM_UP_ROUNDS; number < rounds; number++) {
    if (number === 0) steps = new Steps();
    await round(steps, number + WARM_UP_ROUNDS);
  }
  return steps.medians();
}

async function measure(device, width, height) {
  const pictureBytes = width * height;
  const fieldBytes = 8 * CANDIDATES * (width / 16) * (height / 16);
  const fields = Number(options.fields);
  const buffer = (size, usage, more) => device.createBuffer({ size, usage, ...more });
  const toWrite = { mappedAtCreation: true };
  const uploads = mapWrite | copySource;
  const shared = new SharedArrayBuffer(PICTURES * pictureBytes);
  const pels = Array.from({ length: PICTURES }, (_, n) => new Uint8Array(shared, n * pictureBytes, pictureBytes));
  for (const [n, plane] of pels.entries()) plane.fill(n);
  const slot = buffer(pictureBytes, storage | copyTarget);
  const staging = buffer(pictureBytes, uploads, toWrite);
  const results = Array.from({ length: fields }, () => buffer(fieldBytes, storage | copySource));
  const readback = buffer(fields * fieldBytes, mapRead | copyTarget);
  const copyOut = read => {
    for (let n = 0; n < fields; n++) new Uint32Array(new Uint32Array(read, n * fieldBytes, fieldBytes / 4));
  };

  const asSearched = await medians(async (steps, round) => {
    const mapped = steps.time('getMappedRange, to write', () => staging.getMappedRange());
    steps.time('copy the pels', () => new Uint8Array(mapped).set(pels[round % PICTURES]));
    steps.time('unmap, written', () => staging.unmap());
    const encoder = steps.time('createCommandEncoder', () => device.createCommandEncoder());
    steps.time('record the copies', () => {
      encoder.copyBufferToBuffer(staging, 0, slot, 0, pictureBytes);
      for (const [n, field] of results.entries()) {
        encoder.copyBufferToBuffer(field, 0, readback, n * fieldBytes, fieldBytes);
      }
    });
    const commands = steps.time('finish', () => encoder.finish());
    steps.time('submit', () => device.queue.submit([commands]));
    const before = { ...polls };
    const startMs = performance.now();
    const maps = steps.time('mapAsync, both', () => [
      readback.mapAsync(MAP_MODE.read),
      staging.mapAsync(MAP_MODE.write),
    ]);
    await Promise.all(maps);
    steps.add('from mapAsync to the answer', performance.now() - startMs);
    steps.add('a poll in the meantime', (polls.ms - before.ms) / (polls.count - before.count));
    const read = steps.time('getMappedRange, to read', () => readback.getMappedRange());
    steps.time('copy the fields', () => copyOut(read));
    steps.time('copy them again', () => copyOut(read));
    steps.time('unmap, read', () => readback.unmap());
  });

  const own = new Uint8Array(pictureBytes);
  const otherwise = await medians(async (steps, round) => {
    const picture = pels[round % PICTURES];
    steps.time('instead: copy the pels to own memory', () => own.set(picture));
    steps.time('and writeBuffer', () => device.queue.writeBuffer(slot, 0, own));
    steps.time('and submit', () => device.queue.submit([]));
    await device.queue.onSubmittedWorkDone();
    const fresh = steps.time('instead: createBuffer, mapped', () => buffer(pictureBytes, uploads, toWrite));
    steps.time('and copy the pels', () => new Uint8Array(fresh.getMappedRange()).set(picture));
    fresh.destroy();
  });
  for (const made of [slot, staging, readback, ...results]) made.destroy();
  return [...asSearched, ...otherwise];
}

const { machine } = await describeGpuMachine();
console.log(gpuMachineLine(machine));
const gpu = await openDevice();
const sizes = options.size.split(',');
const columns = [];
for (const size of sizes) {
  const [width, height] = size.split('x').map(length => 16 * Math.ceil(Number(length) / 16));
  columns.push(await measure(gpu.device, width, height));
}
await gpu.close();
const rows = columns[0].map(([name], index) => [name, ...columns.map(column => fixed(column[index][1], 1))]);
console.log(table([`us, ${options.fields} fields`, ...sizes], rows));
