// A page that encodes, in its main thread or in a worker, under a strict content policy.
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { KEPT, serve, type WebServer } from '../support/web-server.js';
import { FRAMES, patternFrame, SIZE } from './moving-frames.js';

const PACKAGE = join(import.meta.dirname, '..', '..', 'dist', 'package', 'browser');

/** What a page encodes, and what happens on the way. */
export interface PageEncode {
  readonly options: Omit<Partial<EncoderOptions>, 'signal'>;
  /** True: in a dedicated worker. */
  readonly inWorker?: boolean;
  /** True: as in a browser that has no workers. */
  readonly withoutWorkers?: boolean;
  /** True: frames wait until a coder thread is there, pictures a little until one codes. Its workers are watched. */
  readonly awaitsCoders?: boolean;
  /** The encode is aborted when so many pictures are coded. */
  readonly abortAt?: number;
  /** Of the moving frames; all of them by default. */
  readonly frames?: number;
}

/** What comes of it. */
export interface PageEncoded {
  /** SHA-256 of the stream; undefined after a failure. */
  readonly digest?: string;
  readonly error?: string;
  readonly threads: number;
  readonly device: string;
  readonly warnings: readonly string[];
  /** Pictures that watched workers were given to code. */
  readonly codedInThreads: number;
  /** Calls of Atomics.wait in the thread that encodes. */
  readonly waits: number;
}

/** What the page runs. */
const ENCODE = `
import { Encoder } from './index.js';
const patternFrame = ${patternFrame.toString()};
const size = ${JSON.stringify(SIZE)};
const pause = () => new Promise(resolve => setTimeout(resolve, 50));
let waits = 0;
const wait = Atomics.wait;
Atomics.wait = (...given) => {
  waits++;
  return wait(...given);
};
const { Worker } = globalThis;
export async function encode({ options, withoutWorkers, awaitsCoders, abortAt, frames = ${FRAMES} }) {
  globalThis.Worker = withoutWorkers ? undefined : Worker;
  waits = 0;
  const warnings = [];
  const stop = new AbortController();
  let pictures = 0;
  let codedInThreads = 0;
  const abort = () => stop.abort(new Error('enough'));
  globalThis.abortEncode = abort;
  const told = new BroadcastChannel('coders');
  const hasCoder = new Promise(resolve => {
    told.onmessage = ({ data }) => (data === 'code' ? codedInThreads++ : resolve());
  });
  const onPicture = () => {
    if (++pictures === abortAt) abort();
    return awaitsCoders && codedInThreads === 0 ? pause() : undefined;
  };
  const onWarning = message => warnings.push(message);
  const given = { ...size, frameRate: 25, estimator: 'cpu-predictive', signal: stop.signal, onPicture, onWarning };
  const result = {};
  let encoder;
  try {
    encoder = new Encoder({ ...given, ...options });
    const parts = [];
    const taken = (async () => { for await (const unit of encoder) parts.push(unit.data); })();
    taken.catch(() => {});
    for (let number = 0; number < frames; number++) {
      await encoder.add(patternFrame(size.width, size.height, number));
      if (awaitsCoders && number === 0) await hasCoder.then(pause);
    }
    await encoder.finish();
    await taken;
    const bytes = await new Blob(parts).arrayBuffer();
    const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', bytes));
    result.digest = [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('');
  } catch (error) {
    result.error = error.message;
  }
  told.close();
  const { threads = 0, device = '' } = encoder?.statistics ?? {};
  return { ...result, threads, device, warnings, codedInThreads, waits };
}
`;

const SCRIPT = `
import { encode } from './encode.js';
window.encode = given => {
  if (!given.inWorker) return encode(given);
  return new Promise(resolve => {
    const worker = new Worker('./encode-worker.js', { type: 'module' });
    worker.onmessage = ({ data }) => {
      worker.terminate();
      resolve(data);
    };
    worker.postMessage(given);
  });
};
`;

const ENCODE_WORKER = `
import { encode } from './encode.js';
onmessage = async ({ data }) => postMessage(await encode(data));
`;

/** A worker that tells when its coder is there and when it codes; with `?dies` it dies of its first picture. */
const WATCHED_WORKER = `
import './mpegpu/worker.js';
const start = onmessage;
const told = new BroadcastChannel('coders');
onmessage = event => {
  start(event);
  const { entry, tasks } = event.data;
  const answer = tasks.onmessage;
  tasks.onmessage = event => {
    const { kind } = event.data.message;
    if (kind === 'code') told.postMessage(kind);
    if (kind === 'code' && location.search === '?dies') throw new Error('the worker dies');
    answer(event);
    if (kind === 'open' && entry === 'coder-worker.js') told.postMessage(kind);
  };
};
`;

/** GPUs whose device is lost when so many lists of commands are submitted: the self-check takes fewer. */
const LOST_AFTER = 8;
const LOSING_GPU = `
const { requestDevice } = GPUAdapter.prototype;
GPUAdapter.prototype.requestDevice = async function (...given) {
  const device = await requestDevice.apply(this, given);
  const submit = device.queue.submit.bind(device.queue);
  let submitted = 0;
  device.queue.submit = lists => {
    submit(lists);
    if (++submitted === ${LOST_AFTER}) device.destroy();
  };
  return device;
};
`;

const POLICY = "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; connect-src 'self'";

function page(policy: string, ...scripts: string[]): string {
  const sources = [...scripts, 'page.js'].map(name => `<script type="module" src="${name}"></script>`).join('\n');
  const meta = `<meta http-equiv="Content-Security-Policy" content="${policy}">`;
  return `<!doctype html><title>encode</title><link rel="icon" href="data:,">${meta}\n${sources}`;
}

/** Serves the pages: '' in general, 'no-workers.html' whose policy forbids workers, 'lost.html' that loses its GPU. */
export function servePages(isIsolated: boolean): Promise<WebServer> {
  const pages = {
    '/': page(`${POLICY}; worker-src 'self'`),
    '/no-workers.html': page(`${POLICY}; worker-src 'none'`),
    '/lost.html': page(`${POLICY}; worker-src 'self'`, 'losing-gpu.js'),
    '/page.js': SCRIPT,
    '/encode.js': ENCODE,
    '/encode-worker.js': ENCODE_WORKER,
    '/watched-worker.js': WATCHED_WORKER,
    '/losing-gpu.js': LOSING_GPU,
    '/late-worker.js': "import './never.js';\nimport './mpegpu/worker.js';",
    '/losing-worker.js': "import './losing-gpu.js';\nimport './mpegpu/worker.js';",
  };
  return serve(PACKAGE, { isIsolated, pages, headers: KEPT, unanswered: ['/never.js'] });
}

/** What a page that has been loaded encodes. */
export function encodeIn(page: Page, given: PageEncode): Promise<PageEncoded> {
  type Encode = (given: PageEncode) => Promise<PageEncoded>;
  return page.evaluate(asked => (window as unknown as { encode: Encode }).encode(asked), given);
}
