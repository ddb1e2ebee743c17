// What bench/runtimes.mjs has each runtime run: encodes a clip, or waves, in all rate modes, and prints digests.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { Encoder, frameFromI420 } from '../dist/package/index.js';

/** Of the waves. */
const SIZE = { width: 352, height: 288 };
const THREADS = [1, 2, 4];
/** All that is decided by numbers that are not whole. */
const ENCODES = {
  q: {},
  'quality 35, preset best': { quality: 35, preset: 'best' },
  'quality 70, preset fastest': { quality: 70, preset: 'fastest' },
  'tune ssim': { q: 6, tune: 'ssim' },
  'one pass at a rate': { bitrate: 300_000 },
  'two passes': { bitrate: 500_000, twoPasses: true },
  'a constant rate': { bitrate: 600_000, cbr: true },
  'a rate, live': { bitrate: 400_000, latency: 'low' },
  'a rate, preset fastest': { bitrate: 600_000, preset: 'fastest' },
};

/** Waves that move at different speeds, with noise from picture 12 on: whole numbers alone, the same everywhere. */
function waves(number) {
  const { width, height } = SIZE;
  const wave = (at, period) => Math.abs((((at % period) + period) % period) - period / 2) * Math.floor(160 / period);
  const noise = at => (number < 12 ? 0 : (Math.imul(at + 977 * number, 0x9e3779b1) >>> 27) - 16);
  const plane = (columns, rows, speed) =>
    Uint8Array.from({ length: columns * rows }, (_, at) => {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      const texture = wave(x + speed * number + (y >> 3), 38) + wave(y * 2 - number + ((x * y) >> 7), 22);
      return Math.max(16, Math.min(235, 30 + texture + noise(at)));
    });
  return {
    ...SIZE,
    y: plane(width, height, 3),
    u: plane(width / 2, height / 2, 1),
    v: plane(width / 2, height / 2, 2),
  };
}

/** The frames of a y4m file that ffmpeg has written. */
function framesOf(path) {
  const bytes = readFileSync(path);
  const header = bytes.subarray(0, bytes.indexOf('\n') + 1);
  const [, width, height] = /W(\d+) H(\d+)/.exec(header.toString()).map(Number);
  const each = 'FRAME\n'.length + width * height + 2 * Math.ceil(width / 2) * Math.ceil(height / 2);
  return Array.from({ length: (bytes.length - header.length) / each }, (_, number) => {
    const end = header.length + (number + 1) * each;
    return frameFromI420(width, height, bytes.subarray(end - each + 'FRAME\n'.length, end));
  });
}

/** The digest of an encode, and what it says. */
async function digestOf(frames, options) {
  const [{ width, height }] = frames;
  const warnings = [];
  const encoder = new Encoder({
    ...{ width, height, frameRate: 25, estimator: 'cpu-predictive' },
    onWarning: message => warnings.push(message),
    ...options,
  });
  const hash = createHash('sha256');
  const taken = (async () => {
    for await (const { data } of encoder) hash.update(data);
  })();
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await taken;
  return { digest: hash.digest('hex'), encoder, warnings };
}

/** The digest of each encode, and the seconds of all. */
async function encodeAll(clip, count) {
  const frames = clip ? framesOf(clip) : Array.from({ length: count }, (_, number) => waves(number));
  const digests = {};
  const remarks = [];
  const start = performance.now();
  for (const threads of THREADS) {
    for (const [name, { twoPasses, ...options }] of Object.entries(ENCODES)) {
      const first = twoPasses && (await digestOf(frames, { ...options, threads, isFirstPass: true }));
      const pass = first && { firstPass: first.encoder.passStatistics };
      const { digest, encoder, warnings } = await digestOf(frames, { ...options, threads, ...pass });
      digests[`${name}, ${threads} threads`] = digest;
      const started = encoder.statistics.threads;
      if (started !== threads && !options.latency) remarks.push(`${name}: ${started} threads for ${threads}`);
      remarks.push(...warnings.filter(message => !message.includes('bit rate')));
    }
  }
  return { digests, remarks, seconds: (performance.now() - start) / 1000 };
}

/** What runs the encodes: its name, version and architecture. */
function ownName() {
  const { Bun, Deno } = globalThis;
  const name = Bun ? `Bun ${Bun.version}` : Deno ? `Deno ${Deno.version.deno}` : `Node ${process.versions.node}`;
  return `${name}, ${process.arch}`;
}

const [count, clip] = process.argv.slice(2);
process.stdout.write(JSON.stringify({ name: ownName(), ...(await encodeAll(clip, Number(count))) }));
