// CPU motion search: rates of the full search, what exact elimination saves on real clips, pictures a second of cpu-mrmp.
//     npm run build && node bench/search.bench.mjs [--json]
import { execFileSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { cpus } from 'node:os';
import { fileURLToPath } from 'node:url';
import { createCpuFull } from '../dist/motion/cpu-full.js';
import { createCpuLog } from '../dist/motion/cpu-log.js';
import { createCpuMrmp } from '../dist/motion/cpu-mrmp.js';

const CLIPS = fileURLToPath(new URL('../../shared/sequences/', import.meta.url));
const PICTURES = 8;
const ROUNDS = 5;

const median = values => values.toSorted((a, b) => a - b)[values.length >> 1];

/** The first luma pictures of a clip, cut to `width * height` from the top left. */
function decode(path, width, height) {
  const filters = `crop=${width}:${height}:0:0`;
  const command = [
    '-v',
    'error',
    '-i',
    path,
    '-frames:v',
    String(PICTURES),
    '-vf',
    filters,
    '-pix_fmt',
    'gray',
    '-f',
    'rawvideo',
    '-',
  ];
  const bytes = execFileSync(process.env.FFMPEG_PATH ?? 'ffmpeg', command, { maxBuffer: 1 << 28 });
  return Array.from({ length: bytes.length / (width * height) }, (_, i) => ({
    id: i,
    width,
    height,
    pels: new Uint8Array(bytes.subarray(i * width * height, (i + 1) * width * height)),
  }));
}

/** Legal vectors of all blocks: what an exhaustive search compares. */
function vectorCount({ width, height, blockSize, range }) {
  const along = (length, reach) => {
    let count = 0;
    for (let at = 0; at < length; at += blockSize) {
      count += Math.min(reach, length - blockSize - at) - Math.max(-reach, -at) + 1;
    }
    return count;
  };
  // Sums over columns and rows multiply, as a block's window is a product.
  return along(width, range.x) * along(height, range.y);
}

/** Median milliseconds of a pair over all pairs and rounds, fresh ids in each so that nothing prepared is kept. */
async function measure(estimator, pictures) {
  const times = [];
  for (let round = 0; round <= ROUNDS; round++) {
    const fresh = pictures.map(picture => ({ ...picture, id: round * 1000 + picture.id }));
    for (let i = 1; i < fresh.length; i++) {
      const start = performance.now();
      await estimator.estimate({ current: fresh[i], reference: fresh[i - 1] });
      if (round > 0) times.push(performance.now() - start);
    }
  }
  await estimator.close();
  return median(times);
}

const base = { metric: 'sad', blockSize: 16, lambda: 0, candidatesPerBlock: 1 };
const machine = `${cpus()[0].model.trim()}, ${cpus().length} cores, Node ${process.version}`;
const report = { machine, plain: [], elimination: [], pictures: [] };

const sizes = {
  cif: [352, 288],
  '704x576': [704, 576],
  '416x240': [416, 240],
  '640x272': [640, 272],
  '720p': [1280, 720],
};
const clips = existsSync(CLIPS) ? readdirSync(CLIPS).filter(name => name.endsWith('.mkv')) : [];
if (clips.length === 0) throw new Error(`no clips in ${CLIPS}`);
for (const clip of clips) {
  const [width, height] = Object.entries(sizes).find(([key]) => clip.includes(key))[1];
  const pictures = decode(CLIPS + clip, width, height);
  for (const [reach, candidatesPerBlock, metric] of [
    [15, 1, 'sad'],
    [32, 1, 'sad'],
    [32, 4, 'sad'],
    [15, 1, 'sse'],
  ]) {
    const parameters = { ...base, width, height, range: { x: reach, y: reach }, candidatesPerBlock, metric };
    const plainMs = await measure(await createCpuFull(parameters, { elimination: false }), pictures);
    const eliminationMs = await measure(await createCpuFull(parameters), pictures);
    const millions = vectorCount(parameters) / 1e6;
    report.elimination.push({
      clip,
      reach,
      candidates: candidatesPerBlock,
      metric,
      plainMillionsPerSecond: millions / (plainMs / 1000),
      effectiveMillionsPerSecond: millions / (eliminationMs / 1000),
      speedup: plainMs / eliminationMs,
    });
  }
}
for (const metric of ['sad', 'sse']) {
  const rows = report.elimination.filter(row => row.metric === metric);
  report.plain.push({ metric, millionsPerSecond: median(rows.map(row => row.plainMillionsPerSecond)) });
}

const vga = decode(`${CLIPS}city_704x576.mkv`, 640, 480);
const vgaParameters = { ...base, width: 640, height: 480, range: { x: 64, y: 32 }, candidatesPerBlock: 4 };
for (const [name, factory, change] of [
  ['cpu-mrmp', createCpuMrmp, {}],
  ['cpu-mrmp', createCpuMrmp, { candidatesPerBlock: 1 }],
  ['cpu-mrmp', createCpuMrmp, { lambda: 4 }],
  ['cpu-mrmp', createCpuMrmp, { metric: 'sse' }],
  ['cpu-log', createCpuLog, { range: { x: 15, y: 15 }, candidatesPerBlock: 1 }],
  ['cpu-full', createCpuFull, { range: { x: 15, y: 15 }, candidatesPerBlock: 1 }],
]) {
  const parameters = { ...vgaParameters, ...change };
  const milliseconds = await measure(await factory(parameters), vga);
  const { range, candidatesPerBlock, metric, lambda } = parameters;
  report.pictures.push({
    name,
    range,
    candidates: candidatesPerBlock,
    metric,
    lambda,
    picturesPerSecond: 1000 / milliseconds,
  });
}

if (process.argv.includes('--json')) {
  console.log(JSON.stringify(report, null, 2));
} else {
  console.log(`${machine}; one thread; medians`);
  for (const { metric, millionsPerSecond } of report.plain) {
    console.log(`full search without early exit, 16x16 ${metric}: ${millionsPerSecond.toFixed(0)} million vectors/s`);
  }
  console.log('\nexact elimination            reach  K  metric  plain M/s  effective M/s  times');
  for (const row of report.elimination) {
    const { clip, reach, candidates, metric, plainMillionsPerSecond, effectiveMillionsPerSecond, speedup } = row;
    console.log(
      `${clip.padEnd(28)} ${String(reach).padStart(5)} ${String(candidates).padStart(2)}  ${metric.padEnd(6)} ` +
        `${plainMillionsPerSecond.toFixed(0).padStart(10)} ${effectiveMillionsPerSecond.toFixed(0).padStart(14)} ${speedup.toFixed(2).padStart(6)}`,
    );
  }
  console.log('\n640x480, pictures/s');
  for (const { name, range, candidates, metric, lambda, picturesPerSecond } of report.pictures) {
    const what = `${name} ±${range.x}x${range.y}, K = ${candidates}, ${metric}, lambda ${lambda}`;
    console.log(`${what.padEnd(46)} ${picturesPerSecond.toFixed(0).padStart(6)}`);
  }
}
