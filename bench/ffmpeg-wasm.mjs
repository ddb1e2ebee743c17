// Compares mpegpu with ffmpeg.wasm in the same page of Chromium, both on one thread: pictures a second, and BD-rate.
// ffmpeg.wasm (62 MB) is installed into a temporary folder: its single-threaded core, which needs no isolated page.
import {
  copyFileSync,
  cpSync,
  createReadStream,
  existsSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { bdRate } from '../dist/compare/quality/bd-rate.js';
import { SequenceQuality } from '../dist/compare/quality/sequence-quality.js';
import { clipAsY4m, decode, listClips, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { ROOT, run } from './processes.mjs';
import { fixed, table } from './table.mjs';

const { values } = parseArgs({
  options: {
    clip: { type: 'string', default: 'foreman_cif_150' },
    frames: { type: 'string', default: '60' },
    presets: { type: 'string', default: 'fastest,fast,balanced' },
    qs: { type: 'string', default: '2,4,8,14' },
    rounds: { type: 'string', default: '5' },
    ffmpeg: { type: 'string', default: '@ffmpeg/ffmpeg@0.12.15 @ffmpeg/core@0.12.10' },
  },
});

const PAGE = `<!doctype html><title>bench</title><script type="module">
import { Encoder } from './mpegpu/index.js';
import { FFmpeg } from './node_modules/@ffmpeg/ffmpeg/dist/esm/index.js';
const clip = new Uint8Array(await (await fetch('clip.y4m')).arrayBuffer());
const ffmpeg = new FFmpeg();
const core = new URL('node_modules/@ffmpeg/core/dist/esm/', location.href);
await ffmpeg.load({ coreURL: core + 'ffmpeg-core.js', wasmURL: core + 'ffmpeg-core.wasm' });
const result = (start, bytes) => ({ ms: performance.now() - start, bytes: Array.from(bytes) });
window.byFfmpeg = async q => {
  await ffmpeg.writeFile('clip.y4m', clip.slice());
  const start = performance.now();
  const status = await ffmpeg.exec(['-v', 'error', '-i', 'clip.y4m', '-c:v', 'mpeg1video', '-q:v', String(q),
    '-g', '12', '-bf', '0', '-f', 'mpeg1video', 'out.m1v']);
  if (status !== 0) throw new Error('ffmpeg.wasm failed');
  return result(start, await ffmpeg.readFile('out.m1v'));
};
window.byMpegpu = async (q, preset, { width, height, starts }) => {
  const start = performance.now();
  const encoder = new Encoder({ width, height, frameRate: 25, q, preset, gop: 12, threads: 1, estimator: 'cpu-predictive' });
  const parts = [];
  const taken = (async () => { for await (const { data } of encoder) parts.push(data); })();
  const area = width * height;
  for (const at of starts) {
    const [y, u, v] = [[0, area], [area, area * 1.25], [area * 1.25, area * 1.5]].map(([from, to]) => clip.subarray(at + from, at + to));
    await encoder.add({ width, height, y, u, v });
  }
  await encoder.finish();
  await taken;
  return result(start, new Uint8Array(await new Blob(parts).arrayBuffer()));
};
window.isReady = true;
</script>`;

const TYPES = { '.js': 'text/javascript', '.wasm': 'application/wasm', '.html': 'text/html' };

function serve(folder) {
  const server = createServer(({ url }, response) => {
    const path = join(folder, url === '/' ? 'index.html' : url);
    if (!existsSync(path)) return response.writeHead(404).end();
    createReadStream(path).pipe(
      response.writeHead(200, { 'Content-Type': TYPES[extname(path)] ?? 'application/octet-stream' }),
    );
  });
  return new Promise(resolve => server.listen(0, '127.0.0.1', () => resolve(server)));
}

/** A folder with ffmpeg.wasm, what browsers load of mpegpu, the clip and the page. */
async function makeSite(y4m) {
  const site = mkdtempSync(join(tmpdir(), 'mpegpu-ffmpeg-wasm-'));
  writeFileSync(join(site, 'package.json'), '{}');
  await run('npm', ['install', '--no-audit', '--no-fund', ...values.ffmpeg.split(' ')], { cwd: site });
  cpSync(join(ROOT, 'dist', 'package', 'browser'), join(site, 'mpegpu'), { recursive: true });
  copyFileSync(y4m, join(site, 'clip.y4m'));
  writeFileSync(join(site, 'index.html'), PAGE);
  return site;
}

/** Bits and PSNR-Y of what ffmpeg decodes. */
async function measure(bytes, { frames, width, height }, site) {
  const stream = join(site, 'stream.m1v');
  writeFileSync(stream, Uint8Array.from(bytes));
  const quality = new SequenceQuality();
  const decoded = await decode(stream, width, height);
  if (decoded.length !== frames.length) throw new Error(`${decoded.length} pictures instead of ${frames.length}`);
  for (const [index, frame] of decoded.entries()) quality.add(frames[index], frame);
  return { bits: 8 * bytes.length, quality: quality.psnr().y };
}

async function main() {
  const y4m = await clipAsY4m(listClips(SEQUENCES, [values.clip])[0], Number(values.frames));
  const clip = readY4m(y4m);
  const { width, height, frames } = clip;
  const [start, length] = [readFileSync(y4m).indexOf('\n') + 1, (width * height * 3) / 2 + 'FRAME\n'.length];
  const layout = {
    width,
    height,
    starts: frames.map((_, index) => start + (index + 1) * length - (width * height * 3) / 2),
  };
  const site = await makeSite(y4m);
  const server = await serve(site);
  const browser = await chromium.launch({
    executablePath: process.env.MPEGPU_CHROMIUM ?? '/usr/bin/chromium',
    args: ['--no-sandbox', '--disable-gpu'],
  });
  try {
    const page = await browser.newPage();
    await page.goto(`http://127.0.0.1:${server.address().port}/`);
    await page.waitForFunction('window.isReady');
    const byFfmpeg = q => page.evaluate(q => globalThis.byFfmpeg(q), q);
    const byMpegpu = preset => q => page.evaluate(given => globalThis.byMpegpu(...given), [q, preset, layout]);
    const settings = [
      { name: 'ffmpeg.wasm', encode: byFfmpeg },
      ...values.presets.split(',').map(name => ({ name, encode: byMpegpu(name) })),
    ];
    for (const setting of settings) {
      setting.curve = [];
      for (const q of values.qs.split(',').map(Number)) {
        setting.curve.push(await measure((await setting.encode(q)).bytes, clip, site)); // warms up, too
      }
      setting.rates = [];
    }
    for (let round = 0; round < Number(values.rounds); round++) {
      for (const { encode, rates } of settings) rates.push((1000 * frames.length) / (await encode(4)).ms);
    }
    const [{ rates: ofFfmpeg, curve: anchor }] = settings;
    const rows = settings.map(({ name, curve, rates }) => [
      name,
      fixed(median(rates), 1),
      fixed(median(rates.map((rate, round) => rate / ofFfmpeg[round])), 2),
      fixed(bdRate(anchor, curve, anchor.length < 4 ? 'pchip' : 'cubic'), 2),
    ]);
    const header = ['setting', 'pictures/s at q 4', "times ffmpeg.wasm's", 'BD-rate %'];
    const what = `${values.clip}, ${width}x${height}, ${frames.length} pictures, Chromium ${browser.version()}`;
    process.stdout.write(`${machineLine(describeMachine())}\n${what}\n\n${table(header, rows)}\n`);
  } finally {
    await browser.close();
    server.close();
    rmSync(site, { recursive: true, force: true });
  }
}

await main();
