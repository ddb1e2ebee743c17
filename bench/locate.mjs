// Measures the search of a pattern: the GPU, copies included, against the SIMD kernel on one thread.
// The steps are those of Boise State, "Where's a pattern?", CUDA, 2012, beside the figures that it gave. Makes its own
// pictures from a seed; needs a build, but no ffmpeg.
//
//     node bench/locate.mjs [--runs N] [--side N] [--quick] [--no-gpu] [--json FILE]
//
// --side: width and height of the pattern. --quick: small pictures, for a software adapter. Without a GPU its columns
// are empty.
import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { Random } from '../dist/samples/random.js';
import { createPatternSearch, outlinePlaces, whiteOutPlaces } from '../dist/vision.js';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values: options } = parseArgs({
  options: {
    runs: { type: 'string', default: '15' },
    side: { type: 'string', default: '16' },
    quick: { type: 'boolean', default: false },
    gpu: { type: 'boolean', default: true },
    json: { type: 'string' },
  },
  allowNegative: true,
});
const RUNS = options.quick ? 3 : Number(options.runs);
const SIDE = Number(options.side);
const PLANTED = 5;

const SIZES = options.quick
  ? [{ name: '0.02 Mpel', width: 160, height: 120 }]
  : [
      { name: '1 Mpel', width: 1152, height: 868 },
      { name: '7 Mpel', width: 3240, height: 2160 },
    ];
const KINDS = { gray: 1, colour: 3 };

/** The published steps: seconds for CUDA and for C, on the machines of 2012; the paper names no more of them. */
const PUBLISHED = {
  '1 Mpel gray whitened': { cuda: 0.303, c: 0.953 },
  '1 Mpel gray outlined': { cuda: 0.355, c: 1.227 },
  '1 Mpel colour outlined': { cuda: 0.62, c: 1.278 },
  '7 Mpel colour outlined': { cuda: 2.93, c: 7.89 },
};

/** Soft shapes under noise, as a photo has them. */
function texture(width, height, channels, seed) {
  const random = new Random(seed, 0);
  const pels = new Uint8Array(width * height * channels);
  let at = 0;
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const light = 110 + 50 * Math.sin(x / 31 + y / 57) + 40 * Math.cos(y / 23 - x / 71);
      for (let c = 0; c < channels; c++) pels[at++] = light + 12 * c + random.integer(0, 15);
    }
  }
  return { width, height, channels, pels };
}

/** A pattern, a picture that has it in some places, and the places. */
function makeCase({ width, height }, channels) {
  const pattern = texture(SIDE, SIDE, channels, 7);
  const random = new Random(3, 0);
  for (let at = 0; at < pattern.pels.length; at += 2) pattern.pels[at] = random.integer(0, 255);
  const picture = texture(width, height, channels, 1);
  const places = Array.from({ length: PLANTED }, (_, i) => ({
    x: Math.round((i * (width - SIDE)) / (PLANTED - 1)),
    y: Math.round((i * (height - SIDE)) / (PLANTED - 1)),
  }));
  for (const { x, y } of places) {
    for (let row = 0; row < SIDE; row++) {
      const part = pattern.pels.subarray(row * SIDE * channels, (row + 1) * SIDE * channels);
      picture.pels.set(part, ((y + row) * width + x) * channels);
    }
  }
  return { pattern, picture, places };
}

/** Median milliseconds of `work` over all runs but the first two, in which code is compiled and memory is taken. */
async function measure(work) {
  const times = [];
  for (let run = -2; run < RUNS; run++) {
    const start = performance.now();
    await work();
    if (run >= 0) times.push(performance.now() - start);
  }
  return median(times);
}

/** The search on a device: what it takes to make, its places, milliseconds a picture; undefined without the device. */
async function searchOn(device, { pattern, picture }) {
  const start = performance.now();
  let search;
  try {
    search = await createPatternSearch(pattern, { device, tolerance: 10 });
  } catch (error) {
    console.error(`${device}: ${error.message}`);
    return undefined;
  }
  const setupMs = performance.now() - start;
  const places = await search.search(picture);
  const ms = await measure(() => search.search(picture));
  const { device: name } = search;
  await search.close();
  return { name, setupMs, places, ms };
}

const rows = [];
const devices = new Set();
for (const size of SIZES) {
  for (const [kind, channels] of Object.entries(KINDS)) {
    const test = makeCase(size, channels);
    const cpu = await searchOn('cpu', test);
    const gpu = options.gpu ? await searchOn('gpu', test) : undefined;
    const isFound = JSON.stringify(cpu.places.map(({ x, y }) => ({ x, y }))) === JSON.stringify(test.places);
    const isEqual = gpu === undefined || JSON.stringify(gpu.places) === JSON.stringify(cpu.places);
    for (const { name } of [cpu, gpu].filter(Boolean)) devices.add(name);
    for (const [step, draw] of Object.entries({ whitened: whiteOutPlaces, outlined: outlinePlaces })) {
      const drawMs = await measure(() => draw(test.picture, cpu.places, test.pattern));
      const name = `${size.name} ${kind} ${step}`;
      const published = PUBLISHED[name];
      rows.push({ name, isFound, isEqual, cpuMs: cpu.ms, gpuMs: gpu?.ms, setupMs: gpu?.setupMs, drawMs, published });
    }
  }
}

const machine = describeMachine();
const ratio = (a, b) => (a === undefined || b === undefined ? 'n/a' : fixed(a / b, 1));
console.log(`${machineLine(machine, [...devices].join(', '))}\n`);
console.log(`A pattern of ${SIDE}x${SIDE}; medians of ${RUNS} runs. The search includes all copies, not the set-up.\n`);
console.log(
  table(
    ['step', 'found', 'GPU = SIMD', 'SIMD search ms', 'GPU search ms', 'ratio', 'drawing ms', 'GPU set-up ms'],
    rows.map(row => [
      row.name,
      row.isFound ? 'all' : 'NOT ALL',
      row.gpuMs === undefined ? 'n/a' : row.isEqual ? 'yes' : 'NO',
      fixed(row.cpuMs, 1),
      fixed(row.gpuMs, 2),
      ratio(row.cpuMs, row.gpuMs),
      fixed(row.drawMs, 1),
      fixed(row.setupMs, 0),
    ]),
  ),
);
const compared = rows.filter(({ published }) => published);
if (compared.length > 0) {
  console.log(
    '\nBeside the published times, search and drawing together; the machines differ, only ratios carry over:\n',
  );
  console.log(
    table(
      ['step', 'C 2012 s', 'CUDA 2012 s', 'ratio', 'SIMD s', 'GPU s', 'ratio', 'search alone'],
      compared.map(({ name, published: { cuda, c }, cpuMs, gpuMs, drawMs }) => {
        const [simd, gpu] = [cpuMs + drawMs, gpuMs === undefined ? undefined : gpuMs + drawMs];
        return [
          name,
          fixed(c, 3),
          fixed(cuda, 3),
          ratio(c, cuda),
          fixed(simd / 1000, 4),
          fixed(gpu / 1000, 4),
          ratio(simd, gpu),
          ratio(cpuMs, gpuMs),
        ];
      }),
    ),
  );
}
if (options.json) writeFileSync(options.json, `${JSON.stringify({ machine, devices: [...devices], rows }, null, 2)}\n`);
process.exitCode = rows.every(({ isFound, isEqual }) => isFound && isEqual) ? 0 : 1;
