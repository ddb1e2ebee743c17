// Measures how old the picture is that JSMpeg shows of examples/live.
// It runs freely, and each repaint of the viewer's page reads the number that stands in its picture.
import { loadavg } from 'node:os';
import { parseArgs } from 'node:util';
import { chromium } from 'playwright-core';
import { BLOCK_PELS, NUMBER_BITS } from '../examples/live/draw-frame.mjs';
import { steadyPace } from '../examples/live/drawn-source.mjs';
import { FRAME_MS, SIZE } from '../examples/live/format.mjs';
import { serveLive } from '../examples/live/server.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/live-age.mjs [--sources drawn,camera] [--seconds 20] [--chromium path] [--json]

  --sources  drawn: frames that Node draws; camera: a canvas that a page draws and sends as its camera
`;

/** What comes in this time is not counted: code is compiled, and the first key frame is large. */
const WARM_UP_MS = 3000;
/** A frame at most so many frames old counts as in time. */
const GOAL_FRAMES = 3;

/** Runs in the viewer's page: the ages, in frames, of what each repaint shows. */
async function sampleAges({ startMs, endMs, countFromMs, frameMs, bits, pels }) {
  const shown = document.querySelector('canvas');
  const copy = new OffscreenCanvas(bits * pels, pels).getContext('2d', { willReadFrequently: true });
  const ages = [];
  const numbers = new Set();
  for (;;) {
    await new Promise(requestAnimationFrame);
    const now = performance.timeOrigin + performance.now();
    if (now > endMs) return { ages, pictures: numbers.size };
    copy.drawImage(shown, 0, 0);
    const { data, width } = copy.getImageData(0, 0, bits * pels, pels);
    const isWhite = bit => data[4 * ((pels / 2) * width + (bit + 0.5) * pels)] > 128;
    let number = 0;
    for (let bit = 0; bit < bits; bit++) if (isWhite(bit)) number |= 1 << bit;
    if (now < countFromMs || number === 0) continue;
    ages.push((now - startMs) / frameMs - number);
    numbers.add(number);
  }
}

/** Runs in the camera's page, before its own code: the camera is a canvas that shows the number of each frame. */
function drawCamera({ startMs, frameMs, bits, pels, size }) {
  navigator.mediaDevices.getUserMedia = async () => {
    const canvas = Object.assign(document.createElement('canvas'), size);
    const context = canvas.getContext('2d');
    let drawn = -1;
    const draw = () => {
      const elapsed = performance.timeOrigin + performance.now() - startMs;
      const number = Math.floor(elapsed / frameMs);
      setTimeout(draw, (number + 1) * frameMs - elapsed);
      if (number === drawn) return;
      drawn = number;
      context.fillStyle = `hsl(${number} 40% 40%)`;
      context.fillRect(0, 0, canvas.width, canvas.height);
      for (let bit = 0; bit < bits; bit++) {
        context.fillStyle = (number >> bit) & 1 ? 'white' : 'black';
        context.fillRect(bit * pels, 0, pels, pels);
      }
    };
    draw();
    return canvas.captureStream();
  };
}

async function measure(browser, source, seconds) {
  const start = performance.now();
  const startMs = performance.timeOrigin + start;
  const live = await serveLive({ port: 0, source, pace: steadyPace(start) });
  const context = await browser.newContext();
  try {
    const url = `http://localhost:${live.address.port}/`;
    const given = { startMs, frameMs: FRAME_MS, bits: NUMBER_BITS, pels: BLOCK_PELS, size: SIZE };
    if (source === 'camera') {
      const camera = await context.newPage();
      await camera.addInitScript(drawCamera, given);
      await camera.goto(`${url}camera`);
      await camera.waitForFunction(() => /sent/.test(document.querySelector('#state').textContent));
    }
    const viewer = await context.newPage();
    await viewer.goto(url);
    const countFromMs = performance.timeOrigin + performance.now() + WARM_UP_MS;
    const endMs = countFromMs + 1000 * seconds;
    const { ages, pictures } = await viewer.evaluate(sampleAges, { ...given, countFromMs, endMs });
    return { source, repaints: ages.length, pictures, ...figures(ages), load: loadavg()[0] };
  } finally {
    await context.close();
    await live.close();
  }
}

/** Percentiles of ages in frames, and the part of the repaints that is in time. */
function figures(ages) {
  if (ages.length === 0) throw new Error('the viewer has shown nothing');
  const sorted = ages.toSorted((a, b) => a - b);
  const part = below => sorted[Math.min(sorted.length - 1, Math.floor(below * sorted.length))];
  const inTime = sorted.filter(age => age <= GOAL_FRAMES).length / sorted.length;
  return { median: part(0.5), p95: part(0.95), max: sorted.at(-1), inTime };
}

const { values } = parseArgs({
  options: {
    sources: { type: 'string', default: 'drawn,camera' },
    seconds: { type: 'string', default: '20' },
    chromium: { type: 'string', default: process.env.MPEGPU_CHROMIUM ?? '/usr/bin/chromium' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
  process.exit();
}
const browser = await chromium.launch({ executablePath: values.chromium, args: ['--no-sandbox', '--disable-gpu'] });
const rows = [];
try {
  for (const source of values.sources.split(',')) rows.push(await measure(browser, source, Number(values.seconds)));
} finally {
  await browser.close();
}
const machine = describeMachine();
if (values.json) process.stdout.write(`${JSON.stringify({ machine, rows }, undefined, 2)}\n`);
else {
  const header = ['source', 'pictures', 'repaints', 'median', '95 %', 'max', `at most ${GOAL_FRAMES}`, 'load'];
  const cells = rows.map(({ source, pictures, repaints, median, p95, max, inTime, load }) => [
    ...[source, pictures, repaints, fixed(median, 2), fixed(p95, 2), fixed(max, 2)],
    ...[`${fixed(100 * inTime, 1)} %`, fixed(load, 1)],
  ]);
  const note = `Ages in frames of ${FRAME_MS} ms, from when the frame was due, at each repaint of the viewer's page.`;
  process.stdout.write(
    `${machineLine(machine)}, Chromium ${browser.version()}\n\n${table(header, cells)}\n\n${note}\n`,
  );
}
