// Streams frames that are drawn here to JSMpeg in pages.
// Run it with: node examples/live/server.mjs [port]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { Encoder } from 'mpegpu';
import { containerForPath } from 'mpegpu/node';
import { WebSocketServer } from 'ws';
import { drawFrame, SIZE } from './draw-frame.mjs';

const FRAME_RATE = { numerator: 25, denominator: 1 };
const FRAME_MS = (1000 * FRAME_RATE.denominator) / FRAME_RATE.numerator;
const BIT_RATE = 1_000_000;
/** A viewer that takes so many bytes too slowly gets nothing more until the next key frame. */
const MAX_BUFFERED_BYTES = BIT_RATE / 8;

/** What the server has for a page: its file and its type. */
const FILES = new Map([
  ['/', { path: fileURLToPath(new URL('viewer.html', import.meta.url)), type: 'text/html; charset=utf-8' }],
  ['/jsmpeg.js', { path: createRequire(import.meta.url).resolve('@seydx/jsmpeg'), type: 'text/javascript' }],
]);

/** The number of each frame when it is due; numbers are left out where there was no time for their frames. */
async function* steadyPace() {
  const start = performance.now();
  for (let next = 0; ; ) {
    await delay(Math.max(0, start + next * FRAME_MS - performance.now()));
    const due = Math.floor((performance.now() - start) / FRAME_MS);
    yield due;
    next = due + 1;
  }
}

/**
 * Serves a page and its stream. `pace` gives the number of each frame when it is due. `close` ends it all.
 * @param {{ port: number, pace?: AsyncIterable<number> }} options
 */
export async function serveLive({ port, pace = steadyPace() }) {
  const encoder = new Encoder({
    ...SIZE,
    ...{ frameRate: FRAME_RATE, latency: 'low', bitrate: BIT_RATE, gop: 250, preset: 'fast' },
  });
  /** Viewers, and whether they have had a key frame.
   * @type {Map<import('ws').WebSocket, boolean>} */
  const viewers = new Map();
  let isOver = false;

  const server = createServer(async ({ url = '/' }, response) => {
    const file = FILES.get(url);
    if (!file) return void response.writeHead(404).end();
    response.writeHead(200, { 'content-type': file.type }).end(await readFile(file.path));
  });
  const sockets = new WebSocketServer({ server });
  sockets.on('connection', viewer => {
    viewers.set(viewer, false);
    encoder.requestKeyFrame();
    viewer.on('close', () => viewers.delete(viewer));
    viewer.on('error', () => viewer.terminate());
  });

  /** Sends the transport packets of each picture as soon as it is coded. */
  async function send() {
    const { writer } = containerForPath('live.ts', { ...SIZE, frameRate: FRAME_RATE });
    for await (const unit of encoder) {
      const packets = Buffer.concat(writer.write(unit));
      for (const [viewer, hasBegun] of viewers) {
        const isSlow = viewer.bufferedAmount > MAX_BUFFERED_BYTES;
        if (isSlow && hasBegun) encoder.requestKeyFrame();
        const goesOn = !isSlow && (hasBegun || unit.pictureType === 'I');
        viewers.set(viewer, goesOn);
        if (goesOn) viewer.send(packets);
      }
    }
  }

  /** Encodes each frame when it is due. */
  async function draw() {
    let next = 0;
    for await (const due of pace) {
      if (isOver) break;
      if (next > 0 && due > next) await encoder.leaveOut(due - next);
      await encoder.add(drawFrame(due));
      next = due + 1;
    }
    await encoder.finish();
  }

  await new Promise(done => server.listen(port, () => done(undefined)));
  const running = Promise.all([send(), draw()]);
  const close = async () => {
    isOver = true;
    for (const viewer of viewers.keys()) viewer.terminate();
    sockets.close();
    server.close();
    await running;
  };
  return { address: /** @type {import('node:net').AddressInfo} */ (server.address()), viewers, running, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const { address, running } = await serveLive({ port: Number(process.argv[2] ?? 8080) });
  console.log(`http://localhost:${address.port}/`);
  await running;
}
