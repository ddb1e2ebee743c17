// Compares the ways from a canvas or a bitmap of a page to a frame: by the GPU, and by a canvas and the CPU.
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { loadavg } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { ROOT } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/convert.mjs [--real] [--sizes 640x480,1280x720,1920x1080] [--pictures 20] [--chromium path]

  --real  on the machine's own GPU; default: on SwiftShader, which is a program on the CPU
`;

const FOLDER = join(ROOT, 'dist', 'package', 'browser');
const SOFTWARE = ['--disable-gpu', '--enable-unsafe-webgpu', '--use-webgpu-adapter=swiftshader'];
const REAL = ['--enable-unsafe-webgpu', '--enable-features=Vulkan', '--use-angle=vulkan', '--ignore-gpu-blocklist'];
/** Pictures of each way that are not timed: a kernel is loaded for the fourth. */
const WARM_UP = 8;

/** Runs in the page: the times of pictures by both ways in turn, in milliseconds. */
async function measure({ kind, width, height, pictures, warmUp }) {
  const { FrameConverter } = await import('./browser.js');
  const canvas = new OffscreenCanvas(width, height);
  const context = canvas.getContext('2d');
  const ways = { gpu: new FrameConverter({ convert: 'gpu' }), cpu: new FrameConverter({ convert: 'cpu' }) };
  const times = { gpu: [], cpu: [] };
  for (let n = 0; n < pictures + warmUp; n++) {
    context.fillStyle = `hsl(${n * 30} 80% 50%)`;
    context.fillRect(0, 0, width, height);
    context.fillStyle = 'white';
    context.fillRect(5 * n, 5 * n, 200, 100);
    const input = kind === 'canvas' ? canvas : await createImageBitmap(canvas);
    const frames = [];
    for (const [name, converter] of Object.entries(ways)) {
      const start = performance.now();
      frames.push(await converter.convert(input));
      if (n >= warmUp) times[name].push(performance.now() - start);
    }
    if (n !== warmUp) continue;
    const [a, b] = frames.map(({ y, u, v }) => [...y, ...u, ...v].join());
    if (a !== b) throw new Error('the two ways give different frames');
  }
  await ways.gpu.close();
  const { vendor, architecture, description } = (await navigator.gpu.requestAdapter()).info;
  return { times, gpu: [vendor, architecture, description].filter(Boolean).join(' ') };
}

const { values } = parseArgs({
  options: {
    real: { type: 'boolean', default: false },
    sizes: { type: 'string', default: '640x480,1280x720,1920x1080' },
    pictures: { type: 'string', default: '20' },
    chromium: { type: 'string', default: process.env.MPEGPU_CHROMIUM ?? '/usr/bin/chromium' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}
const server = createServer(({ url }, response) => {
  if (url === '/') return response.writeHead(200, { 'Content-Type': 'text/html' }).end('<!doctype html>');
  if (!/\.(js|wasm)$/.test(url)) return response.writeHead(404).end();
  const type = url.endsWith('.js') ? 'text/javascript' : 'application/wasm';
  return response.writeHead(200, { 'Content-Type': type }).end(readFileSync(join(FOLDER, url)));
});
await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
const args = ['--no-sandbox', ...(values.real ? REAL : SOFTWARE)];
const browser = await chromium.launch({ executablePath: values.chromium, args });
try {
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${server.address().port}/`);
  const rows = [];
  let gpu = '';
  for (const size of values.sizes.split(',')) {
    const [width, height] = size.split('x').map(Number);
    for (const kind of ['canvas', 'bitmap']) {
      const given = { kind, width, height, pictures: Number(values.pictures), warmUp: WARM_UP };
      const found = await page.evaluate(measure, given);
      gpu = found.gpu;
      const [onGpu, onCpu] = [median(found.times.gpu), median(found.times.cpu)];
      rows.push([kind, size, fixed(onGpu, 1), fixed(onCpu, 1), fixed(onGpu / onCpu, 2), fixed(loadavg()[0], 1)]);
    }
  }
  const header = ['picture', 'size', 'GPU, ms', 'CPU, ms', 'GPU / CPU', 'load'];
  const machine = machineLine(describeMachine(), gpu);
  process.stdout.write(`${machine}, Chromium ${browser.version()}\n\n${table(header, rows)}\n`);
} finally {
  await browser.close();
  server.close();
}
