// Serves a folder to a browser, as a static host does, with or without the headers that isolate a page.
import { createReadStream, existsSync, statSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html; charset=utf-8',
  '.js': 'text/javascript',
  '.mjs': 'text/javascript',
  '.css': 'text/css',
  '.json': 'application/json',
  '.svg': 'image/svg+xml',
  '.png': 'image/png',
  '.wasm': 'application/wasm',
};

/** Headers that give a page shared memory. */
export const ISOLATION = {
  'Cross-Origin-Opener-Policy': 'same-origin',
  'Cross-Origin-Embedder-Policy': 'require-corp',
};

/** Headers for a browser that loads the same files again and again: it keeps them, and the scripts compiled. */
export const KEPT = { 'Cache-Control': 'max-age=600' };

/** A server and the address of its root. */
export interface WebServer {
  readonly url: string;
  close(): Promise<void>;
}

/**
 * Serves the files in `folder` on a free port of this machine; `pages` are texts of paths that are no files, and the
 * paths of `unanswered` get no answer. `isIsolated`: with the headers for shared memory. `headers`: more of them.
 */
export async function serve(
  folder: string,
  {
    isIsolated = false,
    pages = {},
    headers: others = {},
    unanswered = [],
  }: {
    isIsolated?: boolean;
    pages?: Readonly<Record<string, string>>;
    headers?: Readonly<Record<string, string>>;
    unanswered?: readonly string[];
  } = {},
): Promise<WebServer> {
  const server: Server = createServer((request, response) => {
    const path = normalize(decodeURIComponent(new URL(request.url!, 'http://host').pathname));
    if (unanswered.includes(path)) return;
    const headers = { ...others, ...(isIsolated ? ISOLATION : {}) };
    const file = join(folder, path.endsWith('/') ? `${path}index.html` : path);
    const type = TYPES[extname(path.endsWith('/') ? 'index.html' : path)] ?? 'application/octet-stream';
    const page = pages[path];
    if (page !== undefined) response.writeHead(200, { ...headers, 'Content-Type': type }).end(page);
    else if (!existsSync(file) || !statSync(file).isFile()) response.writeHead(404, headers).end();
    else createReadStream(file).pipe(response.writeHead(200, { ...headers, 'Content-Type': type }));
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    close: () =>
      new Promise(resolve => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
