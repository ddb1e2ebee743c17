// Starts a queue for the benchmarks of a farm: Redis if there is one, else the PostgreSQL that npm installs.
import { spawn } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { EmbeddedQueue } from '../dist/farm/embedded/embedded-postgres.js';

/** The path of redis-server: the one given, else the machine's own; undefined if there is none. */
export function redisServer(given) {
  const own = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'redis-server'));
  return given ?? own.find(path => existsSync(path));
}

/** Starts Redis in a folder of its own, with its data in memory alone. */
export async function startRedis(program) {
  const port = await freePort();
  const folder = mkdtempSync(join(tmpdir(), 'bench-redis-'));
  const args = ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder, '--save', '', '--appendonly', 'no'];
  const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  await new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('exit', () => reject(new Error(`${program} has ended`)));
    child.stdout.on('data', bytes => /Ready to accept/.test(bytes) && resolve());
  });
  const close = async () => {
    child.kill('SIGKILL');
    rmSync(folder, { recursive: true, force: true });
  };
  return { name: 'Redis', url: `redis://127.0.0.1:${port}`, close };
}

/** Starts Redis, or PostgreSQL where there is none. */
export async function startQueue(redis) {
  const program = redisServer(redis);
  if (program) return startRedis(program);
  const folder = mkdtempSync(join(tmpdir(), 'bench-postgres-'));
  chmodSync(folder, 0o711);
  const postgres = await EmbeddedQueue.start(join(folder, 'farm'), 0);
  const close = async () => {
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  };
  return { name: 'PostgreSQL', url: postgres.url, close };
}

async function freePort() {
  const server = createServer().listen(0, '127.0.0.1');
  await new Promise(resolve => server.on('listening', resolve));
  const { port } = server.address();
  server.close();
  return port;
}
