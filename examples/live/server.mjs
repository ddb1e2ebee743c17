// Streams to JSMpeg in pages: frames that are drawn here, or the camera of another page.
// Run it with: node examples/live/server.mjs [port] [drawn|camera]
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import { dirname, extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { WebSocketServer } from 'ws';
import { relayCamera } from './camera-relay.mjs';
import { startDrawing, steadyPace } from './drawn-source.mjs';
import { Viewers } from './viewers.mjs';

const require = createRequire(import.meta.url);

/** Where the page with the camera is, and its socket. */
const CAMERA_PATH = '/camera';
/** The files that pages load, by their addresses. */
const FILES = new Map([
  ['/', fileURLToPath(new URL('viewer.html', import.meta.url))],
  [CAMERA_PATH, fileURLToPath(new URL('camera.html', import.meta.url))],
  ['/camera.mjs', fileURLToPath(new URL('camera.mjs', import.meta.url))],
  ['/format.mjs', fileURLToPath(new URL('format.mjs', import.meta.url))],
  ['/jsmpeg.js', require.resolve('@seydx/jsmpeg')],
]);
/** A file of mpegpu for browsers. */
const PACKAGE_FILE = /^\/mpegpu\/((?:mpegpu\/)?[\w-]+\.(?:js|wasm))$/;
const PACKAGE = dirname(require.resolve('mpegpu/browser'));
const TYPES = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.wasm', 'application/wasm'],
]);

/** The path of a request, without its query. */
const pathOf = (url = '/') => url.replace(/\?.*$/, '');

/** @param {string} path */
function fileAt(path) {
  const [, name] = PACKAGE_FILE.exec(path) ?? [];
  return name ? join(PACKAGE, name) : FILES.get(path);
}

/** @type {import('node:http').RequestListener} */
async function answer({ url }, response) {
  const path = fileAt(pathOf(url));
  const bytes = path && (await readFile(path).catch(() => undefined));
  if (!bytes) return void response.writeHead(404).end();
  response.writeHead(200, { 'content-type': TYPES.get(extname(path)) ?? 'text/javascript' }).end(bytes);
}

/**
 * Serves the pages and the stream. `source`: 'drawn', or 'camera', which a page gives. `pace` gives the number of each
 * drawn frame when it is due. `close` ends it all. Rejects if the port is taken.
 * @param {{ port: number, source?: 'drawn' | 'camera', pace?: AsyncIterable<number> }} options
 */
export async function serveLive({ port, source = 'drawn', pace = steadyPace() }) {
  const viewers = new Viewers();
  const server = createServer(answer);
  const sockets = new WebSocketServer({ server });
  /** @type {import('ws').WebSocket | undefined} */
  let camera;
  sockets.on('connection', (socket, { url }) => {
    if (pathOf(url) !== CAMERA_PATH) viewers.add(socket);
    else if (source !== 'camera') socket.close(1000, 'The server draws its pictures: start it with "camera".');
    else if (camera) socket.close(1000, 'Another page has the camera.');
    else {
      camera = socket;
      camera.on('close', () => {
        camera = undefined;
      });
      relayCamera(viewers, camera);
    }
  });
  await new Promise((done, fail) => {
    sockets.on('error', fail); // which the server's errors reach, too
    server.listen(port, () => done(undefined));
  });
  const drawing = source === 'drawn' ? startDrawing(viewers, pace) : undefined;
  const close = async () => {
    viewers.close();
    camera?.terminate();
    sockets.close();
    server.close();
    await drawing?.close();
  };
  const address = /** @type {import('node:net').AddressInfo} */ (server.address());
  return { address, viewers: viewers.sockets, close };
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
  const [port = '8080', source = 'drawn'] = process.argv.slice(2);
  if (source !== 'drawn' && source !== 'camera') throw new Error(`the source is '${source}'; legal: drawn, camera`);
  const { address } = await serveLive({ port: Number(port), source }).catch(error => {
    console.error(error.message);
    process.exit(1);
  });
  if (source === 'camera') console.log(`http://localhost:${address.port}${CAMERA_PATH} sends its camera.`);
  console.log(`http://localhost:${address.port}/`);
}
