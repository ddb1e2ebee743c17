// A place for farms in tests: a queue, a shared root with clips, workers in this process and beside it.
import { type ChildProcess, type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { generateSample } from '../../samples/generate.js';
import { Farm } from '../../src/farm/farm-client.js';
import type { FarmRequest, RequestedOptions } from '../../src/farm/jobs/farm-request.js';
import { isOver, type JobStatus } from '../../src/farm/jobs/job-status.js';
import { FarmQueue } from '../../src/farm/queue/farm-queue.js';
import { parseQueueUrl } from '../../src/farm/queue/queue-url.js';
import { FarmWorker } from '../../src/farm/worker/worker.js';
import type { FarmWorkerOptions } from '../../src/farm/worker/worker-options.js';
import { CLI, outcomeOf, runCliHere, startCli } from '../cli/run-cli.js';

/** Chunks of 8 frames at 25 frames per second. */
export const QUICK: RequestedOptions = { q: 5, gop: 8, chunkSeconds: { min: 0.32, max: 0.32 }, frames: 48 };
/** Two chunks, of which each takes a quarter of a second or more. */
export const SLOW: RequestedOptions = { q: 3, gop: 16, chunkSeconds: { min: 0.64, max: 0.64 }, preset: 'smallest' };
const STEP_MS = 30;

/** A worker in a process of its own. */
export interface WorkerProcess {
  readonly child: ChildProcess;
  /** What it has printed. */
  readonly lines: () => string;
  readonly ended: Promise<number>;
}

/** A worker in this process, and what it has said. */
type HeardWorker = FarmWorker & { readonly lines: string[] };

/** A farm of one worker that test after test uses, so that its processes start once. */
export interface SharedFarm {
  readonly farm: Farm;
  readonly looking: FarmQueue;
  /** What its worker has said since the test asked for the farm. */
  readonly lines: readonly string[];
}

/** A queue and a shared folder. To be closed. */
export class FarmSite {
  readonly root = mkdtempSync(join(tmpdir(), 'farm-site-'));
  readonly url: string;
  readonly #ends: (() => unknown)[] = [];
  /** What `encode --plan` makes, by the line: jobs of one plan are held against the same bytes. */
  readonly #byPlan = new Map<string, Promise<Buffer>>();
  /** Of the farm that tests share. */
  readonly sharedQueue: string;
  readonly #buckets: readonly string[] | undefined;
  #shared: Promise<{ farm: Farm; looking: FarmQueue; worker: HeardWorker }> | undefined;
  #queues = 0;

  /** The worker that tests share may use some buckets. */
  constructor(url: string, buckets?: readonly string[]) {
    this.url = url;
    this.sharedQueue = this.newQueue();
    this.#buckets = buckets;
    this.writeClip('quick.y4m', 64, 48, 48);
    this.writeClip('slow.y4m', 176, 144, 32);
  }

  /** The name of a queue that no other test has. */
  newQueue(): string {
    return `q${process.pid}x${this.#queues++}`;
  }

  writeClip(name: string, width: number, height: number, frames: number): void {
    const parts = [Buffer.from(`YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C420jpeg\n`)];
    for (const { y, u, v } of generateSample({ kind: 'pan', width, height, frames, seed: 3 })) {
      parts.push(Buffer.from('FRAME\n'), Buffer.from(y), Buffer.from(u), Buffer.from(v));
    }
    writeFileSync(join(this.root, name), Buffer.concat(parts));
  }

  /** A request whose chunks no other test makes. */
  request(output: string, input: 'quick' | 'slow' = 'quick', more: Partial<FarmRequest> = {}): FarmRequest {
    return {
      ...{ input: `file:${input}.y4m`, output: `file:${output}`, store: `file:chunks-of-${output}` },
      ...{ reading: {}, options: input === 'quick' ? QUICK : SLOW, sound: { audio: 'auto' }, overwrite: false },
      ...more,
    };
  }

  async farm(queue: string, version?: string): Promise<Farm> {
    const farm = await Farm.open({ url: this.url, queue, ...(version !== undefined && { version }) });
    this.#ends.push(() => farm.close());
    return farm;
  }

  async queue(name: string): Promise<FarmQueue> {
    const queue = await FarmQueue.open(parseQueueUrl(this.url), name);
    this.#ends.push(() => queue.close());
    return queue;
  }

  /** The farm for tests that look at their own jobs alone; its worker starts with the first that asks. */
  async shared(): Promise<SharedFarm> {
    const { sharedQueue: queue } = this;
    this.#shared ??= (async () => {
      const [farm, looking] = await Promise.all([this.farm(queue), this.queue(queue)]);
      const roots = { file: this.root, ...(this.#buckets && { s3: this.#buckets }) };
      return { farm, looking, worker: await this.worker(queue, { roots }) };
    })();
    const { farm, looking, worker } = await this.#shared;
    worker.lines.length = 0;
    return { farm, looking, lines: worker.lines };
  }

  /** A worker in this process; its steps are done in processes beside it. */
  async worker(queue: string, options: Partial<FarmWorkerOptions> = {}): Promise<HeardWorker> {
    const lines: string[] = [];
    const worker = await FarmWorker.start({
      ...{ url: this.url, queue, roots: { file: this.root }, threads: 1, restSeconds: 0.1 },
      ...{ onMessage: line => void lines.push(line), ...options },
    });
    this.#ends.push(() => worker.stop(0));
    return Object.assign(worker, { lines });
  }

  /** A worker as users start it. */
  workerProcess(queue: string, ...flags: string[]): WorkerProcess {
    return this.#watched(startCli(this.#workerLine(queue, flags), { cwd: this.root }));
  }

  /** A worker that may write no file of more than so many KiB: its writes fail as on a full disk. */
  limitedWorker(queue: string, kibibytes: number): WorkerProcess {
    const command = [process.execPath, CLI, ...this.#workerLine(queue, [])].map(word => `'${word}'`).join(' ');
    return this.#watched(spawn('bash', ['-c', `ulimit -f ${kibibytes}; exec ${command}`], { cwd: this.root }));
  }

  #workerLine(queue: string, flags: readonly string[]): string[] {
    return ['farm', 'worker', '--url', this.url, '--queue', queue, '--threads', '1', ...flags];
  }

  #watched(child: ChildProcessWithoutNullStreams): WorkerProcess {
    let text = '';
    child.stdout.on('data', bytes => {
      text += bytes;
    });
    child.stderr.on('data', bytes => {
      text += bytes;
    });
    this.#ends.push(() => child.kill('SIGKILL'));
    return { child, lines: () => text, ended: outcomeOf(child).then(({ status }) => status) };
  }

  /** The bytes of `mpegpu encode --plan` with the plan of a job. */
  byPlan({ plan }: JobStatus, request: FarmRequest, ...flags: string[]): Promise<Buffer> {
    const key = [plan, ...flags].join(' ');
    const stored = join(request.store.replace('file:', ''), 'plans', `${plan}.json`);
    const bytes = this.#byPlan.get(key) ?? this.#encodeByPlan(stored, request, flags);
    this.#byPlan.set(key, bytes);
    return bytes;
  }

  async #encodeByPlan(plan: string, { input, output }: FarmRequest, flags: readonly string[]): Promise<Buffer> {
    const path = `by-plan-${output.replace('file:', '')}`;
    const line = ['encode', input.replace('file:', ''), '--plan', plan, '-o', path, ...flags, '--quiet'];
    const { status, stderr } = await runCliHere([...line, '--threads', '1'], { cwd: this.root });
    if (status !== 0) throw new Error(stderr);
    return this.read(path);
  }

  read(name: string): Buffer {
    return readFileSync(join(this.root, name));
  }

  async close(): Promise<void> {
    for (const end of this.#ends.reverse()) await end();
    rmSync(this.root, { recursive: true, force: true });
  }
}

/** Resolves when something is so; rejects after a minute. */
export async function until(what: string, isSo: () => Promise<boolean> | boolean): Promise<void> {
  for (const end = Date.now() + 60_000; !(await isSo()); ) {
    if (Date.now() > end) throw new Error(`waited for a minute: ${what}`);
    await new Promise(resolve => setTimeout(resolve, STEP_MS));
  }
}

/** A job when it is over. */
export async function over(farm: Farm, job: string): Promise<JobStatus> {
  await until(`job ${job} is over`, async () => isOver(await farm.status(job)));
  return farm.status(job);
}

/** The processes that a process has started. */
export function childrenOf(pid: number): number[] {
  return readdirSync('/proc')
    .filter(name => /^\d+$/.test(name))
    .filter(name => {
      try {
        return readFileSync(`/proc/${name}/stat`, 'utf8').split(') ')[1]!.split(' ')[1] === String(pid);
      } catch {
        return false; // it has ended
      }
    })
    .map(Number);
}

/** Whether a process runs no more. */
export function hasEnded(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.startsWith('Z');
  } catch {
    return true;
  }
}

/** Whether a process runs the program that encodes; one that is just being made still looks like its parent. */
function isEncoder(pid: number): boolean {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes('encoder-process');
  } catch {
    return false; // it has ended
  }
}

/** The processes that encode for a process. */
export function encodersOf(pid: number): number[] {
  return childrenOf(pid).filter(isEncoder);
}

/** Stops the processes that encode for a process, but for some, in the middle of what they do. */
export function freeze(pid: number, except: readonly number[] = []): number[] {
  const frozen = encodersOf(pid).filter(child => !except.includes(child));
  for (const child of frozen) process.kill(child, 'SIGSTOP');
  return frozen;
}

/** A Redis whose data outlives it. */
export class RedisServer {
  readonly folder = mkdtempSync(join(tmpdir(), 'farm-redis-'));
  readonly port: number;
  #child: ChildProcess | undefined;

  private constructor(port: number) {
    this.port = port;
  }

  static async start(): Promise<RedisServer> {
    const server = new RedisServer(await freePort());
    await server.start();
    return server;
  }

  get url(): string {
    return `redis://127.0.0.1:${this.port}`;
  }

  async start(): Promise<void> {
    const lasting = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
    const place = ['--bind', '127.0.0.1', '--port', String(this.port), '--dir', this.folder];
    this.#child = spawn('redis-server', [...place, ...lasting], { stdio: ['ignore', 'pipe', 'ignore'] });
    let text = '';
    this.#child.stdout!.on('data', bytes => {
      text += bytes;
    });
    await until('Redis is ready', () => /Ready to accept/.test(text));
  }

  async kill(): Promise<void> {
    const child = this.#child!;
    child.kill('SIGKILL');
    await once(child, 'exit');
  }

  async close(): Promise<void> {
    await this.kill();
    rmSync(this.folder, { recursive: true, force: true });
  }
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  server.close();
  return port;
}
