// Compares the speed of the encoder on one thread in Chromium and in Node.
// Both encode the same pictures in turn and stay warm, so that the machine's moods meet both alike.
import { existsSync, readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { Encoder } from '../dist/package/index.js';
import { clipAsY4m, listClips, readY4m, SEQUENCES, sampleAsY4m } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { ROOT } from './processes.mjs';
import { fixed, table } from './table.mjs';

const { values } = parseArgs({
  options: {
    presets: { type: 'string', default: 'fast,balanced' },
    clip: { type: 'string', default: 'foreman_cif_150' },
    pairs: { type: 'string', default: '9' },
    frames: { type: 'string', default: '60' },
    chromium: { type: 'string', default: process.env.MPEGPU_CHROMIUM ?? '/usr/bin/chromium' },
  },
});

const FOLDER = join(ROOT, 'dist', 'package', 'browser');
const TYPES = { js: 'text/javascript', wasm: 'application/wasm' };

/** Encodes frames on one thread. The page runs the text of this function, too. */
async function encode(Encoder, { width, height, fps, frames }, preset) {
  const options = { width, height, frameRate: fps, preset, threads: 1, estimator: 'cpu-predictive' };
  const start = performance.now();
  const encoder = new Encoder(options);
  const parts = [];
  const taken = (async () => {
    for await (const { data } of encoder) parts.push(data);
  })();
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await taken;
  const seconds = (performance.now() - start) / 1000;
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await new Blob(parts).arrayBuffer()));
  return { seconds, hash: [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('') };
}

/** The page: it fetches the frames once and encodes them as often as it is asked. */
const PAGE = `<!doctype html><title>bench</title><script type="module">
import { Encoder } from './index.js';
const encode = ${encode.toString()};
window.load = async clip => {
  const bytes = new Uint8Array(await (await fetch('frames')).arrayBuffer());
  const [luma, chroma] = [clip.width * clip.height, (clip.width * clip.height) / 4];
  const frameAt = at => ({
    width: clip.width,
    height: clip.height,
    y: bytes.subarray(at, at + luma),
    u: bytes.subarray(at + luma, at + luma + chroma),
    v: bytes.subarray(at + luma + chroma, at + luma + 2 * chroma),
  });
  const frames = Array.from({ length: clip.count }, (_, i) => frameAt(i * (luma + 2 * chroma)));
  window.encode = preset => encode(Encoder, { ...clip, frames }, preset);
};
</script>`;

function serve(frames) {
  const server = createServer(({ url }, response) => {
    if (url === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end(PAGE);
    if (url === '/frames') return response.end(Buffer.concat(frames.flatMap(({ y, u, v }) => [y, u, v])));
    const path = join(FOLDER, url);
    if (!existsSync(path)) return response.writeHead(404).end();
    return response.writeHead(200, { 'Content-Type': TYPES[url.split('.').pop()] }).end(readFileSync(path));
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

async function loadClip() {
  const frames = Number(values.frames);
  if (existsSync(SEQUENCES)) return readY4m(await clipAsY4m(listClips(SEQUENCES, [values.clip])[0], frames));
  return readY4m(await sampleAsY4m({ kind: 'snow', width: 352, height: 288, frames, seed: 1 }));
}

const clip = await loadClip();
clip.frames.length = Math.min(clip.frames.length, Number(values.frames));
const server = await serve(clip.frames);
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox', '--disable-gpu'] });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const { width, height, fps } = clip;
  await page.evaluate(given => window.load(given), { width, height, fps, count: clip.frames.length });
  const rows = [];
  for (const preset of values.presets.split(',')) {
    const seconds = { node: [], page: [] };
    for (let pair = 0; pair <= Number(values.pairs); pair++) {
      const node = await encode(Encoder, clip, preset);
      const inPage = await page.evaluate(given => window.encode(given), preset);
      if (node.hash !== inPage.hash) throw new Error(`${preset}: the page writes another stream than Node`);
      if (pair === 0) continue; // warms up
      seconds.node.push(node.seconds);
      seconds.page.push(inPage.seconds);
    }
    const ratios = seconds.node.map((time, i) => time / seconds.page[i]);
    const speeds = [seconds.node, seconds.page].map(times => fixed(clip.frames.length / median(times), 1));
    const range = `${fixed(Math.min(...ratios), 2)} to ${fixed(Math.max(...ratios), 2)}`;
    rows.push([`${width}x${height}`, preset, ...speeds, fixed(median(ratios), 3), range]);
    process.stderr.write(`${rows.at(-1).join('  ')}\n`);
  }
  const header = ['size', 'preset', 'Node, pictures/s', 'Chromium, pictures/s', 'Chromium to Node', 'range'];
  process.stdout.write(`${machineLine(describeMachine())}, Chromium ${browser.version()}\n\n${table(header, rows)}\n`);
} finally {
  await browser.close();
  server.close();
}
