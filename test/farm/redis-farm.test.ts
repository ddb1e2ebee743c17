// A farm on Redis, and what goes wrong there.
import { copyFileSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, it, onTestFinished, vi } from 'vitest';
import { Farm } from '../../src/farm/farm-client.js';
import { runCliHere } from '../cli/run-cli.js';
import { describeWith } from '../support/requirements.js';
import { childrenOf, FarmSite, freeze, hasEnded, over, QUICK, RedisServer, until } from './farm-site.js';
import { describeFarm } from './farm-suite.js';

describeWith('redis', 'a farm on Redis', () => {
  let redis: RedisServer;
  let site: FarmSite;
  beforeAll(async () => {
    redis = await RedisServer.start();
    site = new FarmSite(redis.url);
  });
  afterAll(async () => {
    await site.close();
    await redis.close();
  });

  describeFarm(
    () => site,
    async () => {
      await redis.kill();
      await redis.start();
    },
  );

  it('codes in two passes, with sound that was prepared whole', async () => {
    const { farm, lines } = await site.shared();
    writeFileSync(join(site.root, 'tone.wav'), tone(3));
    const options = { ...QUICK, bitrate: 200_000 };
    const { q: _, ...rated } = options;
    const sound = { audio: 'file:tone.wav', bitRate: 64_000 };
    const request = site.request('sound.mpg', 'quick', { options: rated, sound });
    const { job } = await farm.submit(request);
    const done = await over(farm, job);
    expect(done.state, done.reason).toBe('done');
    const kinds = lines.map(line => line.replace(/ \d| of job.*/g, ''));
    expect(kinds.filter(kind => kind === 'first pass of chunk')).toHaveLength(6);
    const flags = ['--audio', 'tone.wav', '--audio-bitrate', '64k'];
    expect(site.read('sound.mpg').equals(await site.byPlan(done, request, ...flags))).toBe(true);
  });

  it('a chunk that fails three times fails the job, and says which, at which frame and why', async () => {
    const { farm, looking, lines } = await site.shared();
    const clip = join(site.root, 'poisoned.y4m');
    copyFileSync(join(site.root, 'quick.y4m'), clip);
    const request = site.request('poisoned.mpg', 'quick', { input: 'file:poisoned.y4m' });
    await looking.chunks.pause();
    const { job } = await farm.submit(request);
    await until('it is planned', async () => (await farm.status(job)).state === 'encoding');
    const whole = readFileSync(clip);
    const poisoned = Buffer.from(whole);
    poisoned[whole.length - 1]! ^= 1; // in frame 47, of chunk 5
    writeFileSync(clip, poisoned);
    await looking.chunks.resume();
    const failed = await over(farm, job);
    expect(failed.state).toBe('failed');
    expect(failed.reason).toMatch(/^chunk 5 failed 3 times: frame 47 .* is not there or not the planned one/);
    expect(existsSync(join(site.root, 'poisoned.mpg'))).toBe(false);
    // With the input as it was, the job goes on where it ended.
    writeFileSync(clip, whole);
    expect((await farm.submit(request)).isNew).toBe(true);
    const done = await over(farm, job);
    expect(done.state).toBe('done');
    expect(lines.filter(line => /was there already$/.test(line))).toHaveLength(5);
    expect(site.read('poisoned.mpg').equals(await site.byPlan(done, request))).toBe(true);
  });

  it('a step without progress is ended and tried again', async () => {
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const { job } = await farm.submit(site.request('stalled.mpg', 'slow', { options: { ...QUICK, frames: 16 } }));
    const looking = await site.queue(queue);
    await looking.chunks.pause();
    const worker = await site.worker(queue, { stallSeconds: 2 });
    await until('it is planned', async () => (await farm.status(job)).state === 'encoding');
    const before = childrenOf(process.pid);
    await looking.chunks.resume();
    await until('a process encodes', () => freeze(process.pid, before).length > 0);
    const done = await over(farm, job);
    expect(done.state).toBe('done');
    expect(worker.lines.join('\n')).toMatch(/no progress for 2 s/);
    await worker.stop(0);
  });

  it('a database that is not there and names that no queue may have are refused', async () => {
    await expect(Farm.open({ url: `${redis.url}/99` })).rejects.toThrow(/cannot be reached: .*out of range/);
    for (const queue of ['a:b', '']) {
      await expect(Farm.open({ url: redis.url, queue })).rejects.toMatchObject({
        name: 'OptionError',
        option: 'queue',
      });
    }
  });

  it('functions of the caller that fail harm no step, and the process is warned of each once', async () => {
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const warned = vi.spyOn(process, 'emitWarning').mockImplementation(() => {});
    onTestFinished(() => warned.mockRestore());
    const outcomes: string[] = [];
    const worker = await site.worker(queue, {
      onMessage: () => {
        throw new Error('no room for lines');
      },
      onStep: async ({ kind, outcome, frames }) => {
        outcomes.push(`${kind} ${outcome} ${frames}`);
        throw new Error('no room for figures');
      },
    });
    const options = { ...QUICK, frames: 8 };
    const done = await farm.submit(site.request('called.mpg', 'quick', { options }));
    const failed = await farm.submit(site.request('uncalled.mpg', 'quick', { input: 'file:nothing.y4m' }));
    expect((await over(farm, done.job)).state).toBe('done');
    expect((await over(farm, failed.job)).reason).toMatch(/^plan: .*nothing\.y4m/);
    await worker.stop(0);
    expect(outcomes.sort()).toEqual(['assemble done 8', 'encode done 8', 'plan done 8', 'plan failed 0']);
    const warnings = warned.mock.calls.map(([message]) => String(message)).sort();
    expect(warnings).toEqual([
      'onMessage of a farm worker failed: no room for lines',
      'onStep of a farm worker failed: no room for figures',
    ]);
  });

  it('a worker whose disk is full fails its chunks, and another one makes them', async () => {
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const looking = await site.queue(queue);
    const request = site.request('full.mpg', 'quick', { options: { ...QUICK, q: 1 } });
    await looking.chunks.pause();
    const { job } = await farm.submit(request);
    const planning = await site.worker(queue);
    await until('it is planned', async () => (await farm.status(job)).state === 'encoding');
    await planning.stop(0);
    await looking.chunks.resume();
    // No file of this worker may have more than 1 KiB: writes fail as on a full disk.
    const full = site.limitedWorker(queue, 1);
    await until('a chunk has failed', () => /cannot be written/.test(full.lines()));
    const worker = await site.worker(queue);
    const done = await over(farm, job);
    expect(done.state, full.lines()).toBe('done');
    expect(full.lines()).toMatch(/^chunk \d of job \w+: .* cannot be written: .* \(frame \d+ was read last\)$/m);
    expect(site.read('full.mpg').equals(await site.byPlan(done, request))).toBe(true);
    // Without its worker, a process that encodes ends.
    const encoders = childrenOf(full.child.pid!);
    expect(encoders.length).toBeGreaterThan(0);
    full.child.kill('SIGKILL');
    await until('its processes have ended', () => encoders.every(hasEnded));
    await worker.stop(0);
  });

  // Both wait ten seconds for a queue that is away: side by side, each for its own.
  it.concurrent('questions fail while the queue is away, and are answered when it is back', async () => {
    const other = await RedisServer.start();
    const farm = await Farm.open({ url: other.url });
    await other.kill();
    const away = { name: 'UnsupportedError', message: `the queue ${other.url} does not answer` };
    const asked = await Promise.allSettled([farm.list(), farm.status('job'), farm.cancel('job'), farm.find('job')]);
    for (const answer of asked) expect(answer).toMatchObject({ status: 'rejected', reason: away });
    await other.start();
    await until('it answers', async () => (await farm.list().catch(() => undefined)) !== undefined);
    expect(await farm.find('meta')).toBeUndefined();
    await expect(farm.status('meta')).rejects.toMatchObject({ name: 'InputError' }); // a hash of BullMQ's
    await farm.close();
    await other.close();
  });

  it.concurrent('a worker stops in the middle of a chunk while the queue is away', async () => {
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const { job } = await farm.submit(site.request('away.mpg', 'slow'));
    const looking = await site.queue(queue);
    const coding = site.workerProcess(queue, '--lease-seconds', '1', '--grace', '0');
    await until('a chunk is being coded', async () => (await looking.chunks.getActiveCount()) > 0);
    const held = freeze(coding.child.pid!);
    await redis.kill();
    coding.child.kill('SIGTERM');
    expect(await coding.ended).toBe(0);
    expect(held.filter(encoder => !hasEnded(encoder))).toEqual([]);
    await redis.start();
    expect((await farm.cancel(job)).state).toBe('cancelled');
  });

  it('a worker of another version is refused, before its first step and after', async () => {
    const queue = site.newQueue();
    const waiting = await site.worker(queue, { version: '0.0.1' });
    const farm = await site.farm(queue);
    const { job, version } = await farm.submit(
      site.request('version.mpg', 'quick', { options: { ...QUICK, frames: 8 } }),
    );
    const line = `job ${job} is of mpegpu ${version}, and this worker is mpegpu 0.0.1: only the same version gives`;
    await expect(waiting.refused).rejects.toThrow(line);
    await expect(site.worker(queue, { version: '0.0.1' })).rejects.toThrow(line);
    const other = site.newQueue();
    await (await site.farm(other, '0.0.1')).submit(site.request('other.mpg'));
    const refused = await runCliHere(['farm', 'worker', '--url', redis.url, '--queue', other], { cwd: site.root });
    expect(refused.status).toBe(1);
    expect(refused.stderr).toMatch(/^mpegpu: job \w+ is of mpegpu 0\.0\.1, and this worker is mpegpu [^\n]*\n$/);
    const worker = await site.worker(queue);
    expect((await over(farm, job)).state).toBe('done');
    await worker.stop(0);
  });

  it('the command line submits, waits, shows and refuses', async () => {
    await site.shared();
    const at = ['--url', redis.url, '--queue', site.sharedQueue];
    const run = async (...args: string[]) => runCliHere(['farm', ...args], { cwd: site.root });
    const submit = ['submit', 'quick.y4m', '-o', 'line.mpg', '--q', '6', '--chunk-seconds', '0.6', ...at];
    const { status, stdout, stderr } = await run(...submit, '--wait', '--json');
    expect([status, stderr]).toEqual([0, '']);
    const { job, state, isNew } = JSON.parse(stdout.toString());
    expect([state, isNew]).toEqual(['done', true]);
    expect((await run('status', ...at)).stdout.toString()).toMatch(new RegExp(`^${job}  done, 48 frames`, 'm'));
    const mistakes: [string[], RegExp][] = [
      [['submit', '../clip.y4m', '-o', 'x.mpg', ...at], /is not below the root .*--root/],
      [['submit', 'quick.y4m', '-o', 'line.mpg', '--q', '7', ...at], /line\.mpg exists already.*--overwrite/],
      [['submit', 'quick.y4m', '-o', 'x.mpg', '--cbr', '--bitrate', '1M', '--passes', '2', ...at], /--cbr needs a dec/],
      [['submit', 'file:../clip.y4m', '-o', 'x.mpg', ...at], /is no place of a farm; legal: file:PATH/],
      [['submit', 'file:quick.y4m', '-o', 'x.mp5', ...at], /output x\.mp5 ends in \.mp5 .*: use one of \.m1v/],
      [['worker', '--root', 'nowhere', ...at], /--root nowhere is no folder/],
      [['status', '0123', ...at], /job 0123 does not exist/],
      [['status', '--url', 'http://here'], /--url 'http:\/\/here' names no queue; legal: redis/],
    ];
    for (const [args, message] of mistakes) {
      const { status, stderr } = await run(...args);
      expect([status, stderr.split('\n').length], stderr).toEqual([2, 2]);
      expect(stderr).toMatch(message);
    }
    const away = await run('status', '--url', 'redis://127.0.0.1:1');
    expect([away.status, away.stderr]).toEqual([
      1,
      'mpegpu: the queue redis://127.0.0.1:1 cannot be reached: connect ECONNREFUSED 127.0.0.1:1\n',
    ]);
  });
});

/** A WAV file of so many seconds: a square wave in one channel. */
function tone(seconds: number): Buffer {
  const rate = 32_000;
  const samples = Buffer.alloc(2 * rate * seconds);
  for (let i = 0; i < rate * seconds; i++) samples.writeInt16LE(i % 64 < 32 ? 4000 : -4000, 2 * i);
  const head = Buffer.alloc(44);
  head.write('RIFF').toString();
  head.writeUInt32LE(36 + samples.length, 4);
  head.write('WAVEfmt ', 8);
  head.writeUInt32LE(16, 16);
  head.writeUInt16LE(1, 20);
  head.writeUInt16LE(1, 22);
  head.writeUInt32LE(rate, 24);
  head.writeUInt32LE(2 * rate, 28);
  head.writeUInt16LE(2, 32);
  head.writeUInt16LE(16, 34);
  head.write('data', 36);
  head.writeUInt32LE(samples.length, 40);
  return Buffer.concat([head, samples]);
}
