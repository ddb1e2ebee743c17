// Simulates a farm of many workers: real BullMQ on a real Redis, and encodes that only take time.
// It needs a built tree with node_modules and a redis-server (the machine's own, or --redis PATH), and no network. The
// workers share a few processes; each does for a step what a worker does at the queue: it takes the step, reads the
// record of its job, and completes the step. Plan and assembly are those of a job with so many chunks of one picture.
import { fork } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { assembleChunks } from '../dist/chunks/assemble-chunks.js';
import { chunkInMemory, writeChunk } from '../dist/chunks/chunk-format.js';
import { makePlan, readPlan } from '../dist/chunks/chunk-plan.js';
import { flowAfter } from '../dist/farm/jobs/farm-flow.js';
import { FarmQueue } from '../dist/farm/queue/farm-queue.js';
import { parseQueueUrl } from '../dist/farm/queue/queue-url.js';
import { redisServer, startRedis } from './farm-queue.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { table } from './table.mjs';

const USAGE = `usage: node bench/farm-simulation.mjs [--workers 1000] [--chunks 100000] [--encode-ms 1000] [--processes N]
       [--redis PATH]
`;
const QUEUE = 'simulation';
const LEASE = { lockDuration: 60_000, stalledInterval: 30_000, maxStalledCount: 2 };

/** The workers of one process: they run until it is told to end. */
async function simulateWorkers({ url, workers: count, encodeMs }) {
  const queue = await FarmQueue.open(parseQueueUrl(url), QUEUE);
  const encode = async job => {
    const record = await queue.record(job.data.job);
    if (record.data.ended) return { skipped: true };
    await new Promise(resolve => setTimeout(resolve, encodeMs * (0.5 + Math.random())));
    return { frames: 1, bytes: 1, wasThere: false, seconds: 0 };
  };
  const takers = await Promise.all(Array.from({ length: count }, () => queue.taker('chunks', encode, LEASE)));
  for (const taker of takers) void taker.run();
  process.send('ready');
  process.once('message', () => process.kill(process.pid, 'SIGKILL'));
}

async function startProcesses(url, { workers, processes, encodeMs }) {
  const shares = Array.from({ length: processes }, (_, i) => Math.floor((workers + i) / processes)).filter(Boolean);
  const children = shares.map(share => {
    const job = JSON.stringify({ url, workers: share, encodeMs });
    return fork(fileURLToPath(import.meta.url), { env: { ...process.env, FARM_SIMULATION: job } });
  });
  await Promise.all(children.map(child => new Promise(resolve => child.once('message', resolve))));
  return () => children.forEach(child => void child.send('end'));
}

/** A plan with chunks of one picture each. */
function planOf(count) {
  const input = {
    width: 16,
    height: 16,
    frameRate: { numerator: 25, denominator: 1 },
    frames: count,
    fingerprint: '0',
  };
  const chunks = Array.from({ length: count }, (_, index) => {
    return { index, firstFrame: index, frames: 1, startTimeCode: '00:00:00:00', frameHashes: '01234567' };
  });
  return makePlan({ input, options: { estimator: 'cpu-predictive' }, chunks });
}

const secondsOf = async work => {
  const start = performance.now();
  const result = await work();
  return [(performance.now() - start) / 1000, result];
};

async function main() {
  const { values } = parseArgs({
    options: {
      workers: { type: 'string', default: '1000' },
      chunks: { type: 'string', default: '100000' },
      'encode-ms': { type: 'string', default: '1000' },
      processes: { type: 'string', default: String(Math.max(2, Math.min(16, availableParallelism()))) },
      redis: { type: 'string' },
      help: { type: 'boolean', default: false },
    },
  });
  if (values.help) return console.log(USAGE);
  const [workers, chunks, encodeMs, processes] = ['workers', 'chunks', 'encode-ms', 'processes'].map(n => +values[n]);
  const program = redisServer(values.redis);
  if (!program) throw new Error('there is no redis-server on the PATH: name one with --redis');
  const redis = await startRedis(program);
  try {
    const queue = await FarmQueue.open(parseQueueUrl(redis.url), QUEUE);
    const client = await queue.chunks.getBackend().connection.client;
    const memory = async key => Number(new RegExp(`${key}:(\\d+)`).exec(await client.info('memory'))[1]) / 2 ** 20;
    const end = await startProcesses(redis.url, { workers, processes, encodeMs });
    const idle = await memory('used_memory');
    const places = { input: 'file:in', output: 'file:out', store: 'file:store' };
    const step = { version: '0', job: 'job', run: 'run', ...places };
    await queue.addJob({ ...step, request: places, submitted: 0 });
    const planned = { plan: '0123456789abcdef', chunks, frames: chunks, needsFirstPass: false };
    const start = performance.now();
    const [added] = await secondsOf(() => queue.addFlow(flowAfter(step, planned)));
    const waiting = await memory('used_memory');
    let ofAssembly = await queue.step('assemble', step);
    while ((await ofAssembly.getState()) === 'waiting-children') {
      await new Promise(resolve => setTimeout(resolve, 200));
      ofAssembly = await queue.step('assemble', step);
    }
    const seconds = (performance.now() - start) / 1000;
    const [after, peak] = [await memory('used_memory'), await memory('used_memory_peak')];
    end();
    const [making, plan] = await secondsOf(() => planOf(chunks));
    const text = JSON.stringify(plan);
    const [reading] = await secondsOf(() => readPlan(JSON.parse(text)));
    const picture = new Uint8Array(100);
    const stored = plan.chunks.map(({ index }) => {
      const header = { plan: plan.identity, index, pictures: [['I', index, picture.length, 4, 1, 1, 1]] };
      return chunkInMemory(writeChunk(header, [picture]), `chunk ${index}`);
    });
    const [assembling] = await secondsOf(() => assembleChunks(plan, stored, { write: async () => {} }));
    const mebibytes = value => `${value.toFixed(0)} MiB`;
    console.log(`${machineLine(describeMachine())}\n`);
    console.log(
      table(
        ['what', 'figure'],
        [
          ['workers, in processes', `${workers}, in ${processes}`],
          ['chunks, of which each takes', `${chunks}, ${encodeMs / 2} to ${1.5 * encodeMs} ms`],
          ['all chunks done after', `${seconds.toFixed(1)} s`],
          ['chunks a second', (chunks / seconds).toFixed(0)],
          [
            'of what so many workers could do',
            `${((100 * chunks * encodeMs) / 1000 / workers / seconds).toFixed(1)} %`,
          ],
          ['adding the flow, all chunks at once', `${added.toFixed(1)} s`],
          ['memory of Redis: idle, all chunks waiting', `${mebibytes(idle)}, ${mebibytes(waiting)}`],
          ['memory of Redis: at most, all chunks done', `${mebibytes(peak)}, ${mebibytes(after)}`],
          ['the plan: bytes, to make, to read', `${text.length}, ${making.toFixed(1)} s, ${reading.toFixed(1)} s`],
          ['assembling, chunks in memory', `${assembling.toFixed(1)} s`],
        ],
      ),
    );
    await queue.close();
  } finally {
    await redis.close();
  }
}

if (process.env.FARM_SIMULATION) await simulateWorkers(JSON.parse(process.env.FARM_SIMULATION));
else await main();
