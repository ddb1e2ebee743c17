// A farm on the PostgreSQL that `mpegpu farm up` starts.
import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { EmbeddedQueue } from '../../src/farm/embedded/embedded-postgres.js';
import { Farm } from '../../src/farm/farm-client.js';
import type { Flow } from '../../src/farm/jobs/farm-flow.js';
import { parseQueueUrl } from '../../src/farm/queue/queue-url.js';
import { outcomeOf, runCliHere, startCli } from '../cli/run-cli.js';
import { childrenOf, FarmSite, hasEnded, until } from './farm-site.js';
import { describeFarm } from './farm-suite.js';

const PLACES = { input: 'file:in', output: 'file:out', store: 'file:store' };
const FLOW: Flow = { kind: 'assemble', data: { version: '0', job: 'job', run: 'run', ...PLACES }, children: [] };

describe('a farm on PostgreSQL', () => {
  const folder = mkdtempSync(join(tmpdir(), 'farm-postgres-'));
  let postgres: EmbeddedQueue;
  let site: FarmSite;
  beforeAll(async () => {
    chmodSync(folder, 0o711); // PostgreSQL runs as another user than root
    postgres = await EmbeddedQueue.start(join(folder, 'farm'), 0);
    site = new FarmSite(postgres.url);
  });
  afterAll(async () => {
    await site.close();
    await postgres.close();
    rmSync(folder, { recursive: true, force: true });
  });

  function serverId(): number {
    return Number(readFileSync(join(folder, 'farm', 'data', 'postmaster.pid'), 'utf8').split('\n')[0]);
  }

  /** Kills the server and whatever serves a connection of it. */
  async function killServer(): Promise<void> {
    const server = serverId();
    const all = [server, ...childrenOf(server)];
    process.kill(server, 'SIGKILL');
    await until('PostgreSQL has ended', () => all.every(hasEnded));
  }

  async function restart(): Promise<void> {
    const { port } = new URL(site.url);
    const other = await site.queue(site.newQueue());
    await killServer();
    await expect(other.addFlow(FLOW)).rejects.toThrow();
    await expect(postgres.lost).rejects.toThrow(/^PostgreSQL has ended/);
    await postgres.close();
    postgres = await EmbeddedQueue.start(join(folder, 'farm'), Number(port));
    // Of this queue it is the first flow.
    await other.addFlow(FLOW);
  }

  describeFarm(() => site, restart);

  it('a server that says no more: questions fail, what is closed ends, and so does a worker that is stopped', async () => {
    const queue = site.newQueue();
    const [farm, looking, other] = [await site.farm(queue), await site.queue(queue), await site.queue(queue)];
    const worker = site.workerProcess(queue, '--grace', '0');
    await until('the worker is ready', () => /is ready/.test(worker.lines()));
    const server = serverId();
    const all = [server, ...childrenOf(server)];
    for (const process_ of all) process.kill(process_, 'SIGSTOP');
    try {
      worker.child.kill('SIGTERM');
      const cut = expect(looking.record('job')).rejects.toThrow(/^Query read timeout|^Connection terminated/);
      const away = `the queue ${parseQueueUrl(site.url).shown} does not answer`;
      await Promise.all([
        expect(farm.list()).rejects.toMatchObject({ name: 'UnsupportedError', message: away }),
        other.close(), // it waits for nothing
        setTimeout(100).then(() => looking.close()), // a question of it is under way
        cut,
      ]);
      expect(await worker.ended).toBe(0);
    } finally {
      for (const process_ of all) process.kill(process_, 'SIGCONT');
    }
    expect(await farm.list()).toEqual([]);
  });

  it('questions fail while the server is away, and are answered when it is back', async () => {
    const farm = await site.farm(site.newQueue());
    await farm.list();
    await killServer();
    for (const asked of [farm.list(), farm.find('job'), farm.cancel('job')]) {
      await expect(asked).rejects.toMatchObject({ name: 'UnsupportedError', message: /does not answer$/ });
    }
    await postgres.close();
    postgres = await EmbeddedQueue.start(join(folder, 'farm'), Number(new URL(site.url).port), 3);
    expect(await farm.list()).toEqual([]);
    const admin = new pg.Client(site.url);
    await admin.connect();
    // Twelve for each of three workers, beside those of others.
    expect((await admin.query('SHOW max_connections')).rows).toEqual([{ max_connections: '536' }]);
    await admin.end();
  });

  it('tables that are there are used: whoever reads them holds nothing up, and no right to make a schema is needed', async () => {
    await (await site.farm(site.newQueue())).list();
    const admin = new pg.Client(site.url);
    await admin.connect();
    const grant =
      'GRANT ALL ON ALL TABLES IN SCHEMA mpegpu TO guest; GRANT ALL ON ALL SEQUENCES IN SCHEMA mpegpu TO guest';
    await admin.query(`CREATE ROLE guest LOGIN PASSWORD 'guest'; GRANT USAGE ON SCHEMA mpegpu TO guest; ${grant}`);
    await admin.query('BEGIN; LOCK TABLE mpegpu.migration IN ACCESS SHARE MODE'); // as a backup does
    const url = site.url.replace(/\/\/.*@/, '//guest:guest@');
    const farm = await Farm.open({ url, queue: site.newQueue() });
    expect((await farm.submit(site.request('guest.mpg'))).isNew).toBe(true);
    await farm.close();
    await admin.end();
    const nowhere = `${site.url}?sslmode=verify-full&sslrootcert=/nowhere`;
    await expect(Farm.open({ url: nowhere })).rejects.toThrow(/^the queue postgres:.* cannot be reached: ENOENT/);
  });

  it('keeps its password from other users', () => {
    expect(statSync(join(folder, 'farm', 'password')).mode & 0o777).toBe(0o600);
    expect(statSync(join(folder, 'farm')).mode & 0o777).toBe(0o711);
  });

  it('farm up keeps its jobs from one start to the next, and submit finds it', async () => {
    await postgres.close();
    const up = startCli(['farm', 'up', '--folder', join(folder, 'farm'), '--workers', '0'], { cwd: site.root });
    const ended = outcomeOf(up);
    let text = '';
    up.stdout.on('data', bytes => {
      text += bytes;
    });
    await until('the farm is up', () => /^postgres:/m.test(text));
    expect(text).toMatch(/^the farm is up with 0 workers; Ctrl-C ends it\npostgres:\/\/postgres:\w+@127\.0\.0\.1:\d+/);
    process.env.MPEGPU_FARM_URL = text.split('\n')[1]!;
    const submitted = runCliHere(['farm', 'submit', 'quick.y4m', '-o', 'up.mpg', '--json'], { cwd: site.root });
    const { status, stdout, stderr } = await submitted.finally(() => delete process.env.MPEGPU_FARM_URL);
    expect([status, stderr]).toEqual([0, '']);
    expect(JSON.parse(stdout.toString())).toMatchObject({ state: 'waiting', output: 'file:up.mpg', isNew: true });
    up.kill('SIGINT');
    expect(await ended).toMatchObject({ status: 0 });
  });

  it('farm up ends with a line when its PostgreSQL ends while connections are closed', async () => {
    await postgres.close();
    const up = startCli(['farm', 'up', '--folder', join(folder, 'farm')], { cwd: site.root });
    const ended = outcomeOf(up);
    await until('the farm is up', () => existsSync(join(folder, 'farm', 'url')));
    const server = serverId();
    const children = childrenOf(server);
    for (const child of children) process.kill(child, 'SIGSTOP');
    process.kill(server, 'SIGKILL');
    await until('the farm stops', () => !existsSync(join(folder, 'farm', 'url')));
    // One by one, so that some of its clients are being closed when the server's last words arrive.
    for (const child of children) {
      process.kill(child, 'SIGCONT');
      await setTimeout(100);
    }
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^mpegpu: PostgreSQL has ended[^\n]*\n$/)]);
  });

  it('farm up ends with a line when its PostgreSQL has died, and leaves no URL behind', async () => {
    await postgres.close();
    const up = startCli(['farm', 'up', '--folder', join(folder, 'farm')], { cwd: site.root });
    const ended = outcomeOf(up);
    await until('the farm is up', () => existsSync(join(folder, 'farm', 'url')));
    await killServer();
    const { status, stderr } = await ended;
    expect([status, stderr]).toEqual([1, expect.stringMatching(/^mpegpu: PostgreSQL has ended[^\n]*\n$/)]);
    expect(existsSync(join(folder, 'farm', 'url'))).toBe(false);
  });
});
