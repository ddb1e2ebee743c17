// What a farm must do on every backend.
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { flowAfter } from '../../src/farm/jobs/farm-flow.js';
import type { Planned } from '../../src/farm/jobs/farm-step.js';
import { outcomeOf, startCli } from '../cli/run-cli.js';
import { readWithPackagedFfmpeg } from '../support/ffmpeg-clips.js';
import { writeLeftover } from '../support/write-leftover.js';
import { childrenOf, type FarmSite, freeze, hasEnded, over, QUICK, until } from './farm-site.js';

/** The tests of a farm. `restart` kills what holds the queue, and starts it again on the same data. */
export function describeFarm(siteOf: () => FarmSite, restart: () => Promise<void>): void {
  readWithPackagedFfmpeg();

  it('two workers make the bytes of encode --plan; the same request again is the same job', async () => {
    const site = siteOf();
    const farm = await site.farm(site.sharedQueue);
    const request = site.request('two.mpg');
    const leftover = writeLeftover(join(site.root, 'two.mpg'));
    const [first, again] = [await farm.submit(request), await farm.submit(request)];
    expect([first.isNew, again.isNew, again.job]).toEqual([true, false, first.job]);
    expect(first.state).toBe('waiting');
    const [{ lines: ofOne }, other] = await Promise.all([site.shared(), site.worker(site.sharedQueue)]);
    const lines = () => [...ofOne, ...other.lines];
    const done = await over(farm, first.job);
    expect(done).toMatchObject({ state: 'done', frames: 48, chunks: 6, chunksDone: 6 });
    expect(site.read('two.mpg').equals(await site.byPlan(done, request))).toBe(true);
    expect(existsSync(leftover)).toBe(false);
    expect((await farm.submit(request)).state).toBe('done');
    expect((await farm.list()).map(({ job, state }) => [job, state])).toEqual([[first.job, 'done']]);
    expect(lines().filter(line => /^chunk .* bytes$/.test(line))).toHaveLength(6);
    // Begun anew, the job finds its chunks.
    await farm.submit({ ...request, overwrite: true });
    expect((await over(farm, first.job)).state).toBe('done');
    expect(lines().filter(line => /was there already$/.test(line))).toHaveLength(6);
    await other.stop(0);
  });

  it('after kill -9 only the chunk of the killed worker runs again; a stopped worker gives its chunk back', async () => {
    const site = siteOf();
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const request = site.request('killed.mpg', 'slow');
    const { job } = await farm.submit(request);
    const looking = await site.queue(queue);
    const isActive = async (id: RegExp) => (await looking.chunks.getActive()).some(step => id.test(step?.id ?? ''));
    const killed = site.workerProcess(queue, '--lease-seconds', '2');
    await until('chunk 0 is being coded', () => isActive(/-encode-0$/));
    const frozen = freeze(killed.child.pid!);
    killed.child.kill('SIGKILL');
    await until('the worker has ended', () => hasEnded(killed.child.pid!));
    // Without their worker, its processes end in the middle of the chunk.
    for (const encoder of frozen) process.kill(encoder, 'SIGCONT');
    await until('its processes have ended', () => frozen.every(hasEnded));
    const stopped = site.workerProcess(queue, '--lease-seconds', '2', '--grace', '0');
    await until('chunk 1 is being coded', () => isActive(/-encode-1$/));
    const held = freeze(stopped.child.pid!);
    stopped.child.kill('SIGTERM');
    expect(await stopped.ended).toBe(0);
    expect(held.filter(encoder => !hasEnded(encoder))).toEqual([]);
    expect(stopped.lines()).toMatch(/chunk 1 of job \w+: the worker stops/);
    const last = await site.worker(queue, { leaseSeconds: 2 });
    const done = await over(farm, job);
    expect(done.state).toBe('done');
    expect(last.lines.filter(line => /^chunk 1 .* bytes$/.test(line))).toHaveLength(1);
    const ofChunk0 = [stopped.lines(), ...last.lines].join('\n').match(/chunk 0 of job \w+: 16 frames/g);
    expect(ofChunk0).toHaveLength(1);
    expect(site.read('killed.mpg').equals(await site.byPlan(done, request))).toBe(true);
    await last.stop(0);
  });

  it('the steps after a plan may be added again: a worker may die between adding them and saying so', async () => {
    const site = siteOf();
    const { farm, looking, lines } = await site.shared();
    const request = site.request('twice.mpg');
    const idle = async () => (await looking.chunks.getJobCountByTypes('waiting', 'active')) === 0;
    await looking.chunks.pause();
    const { job } = await farm.submit(request);
    await until('it is planned', async () => (await looking.record(job))?.returnvalue != null);
    const { data, returnvalue } = (await looking.record(job))!;
    const flow = flowAfter(data, returnvalue as Planned);
    await looking.addFlow(flow);
    expect(await farm.status(job)).toMatchObject({ state: 'encoding', chunks: 6, chunksDone: 0 });
    await looking.chunks.resume();
    const done = await over(farm, job);
    expect(lines.filter(line => /^chunk .* bytes$/.test(line))).toHaveLength(6);
    await looking.addFlow(flow);
    await until('nothing is left', idle);
    expect((await farm.status(job)).state).toBe('done');
    expect(site.read('twice.mpg').equals(await site.byPlan(done, request))).toBe(true);
  });

  it('what follows a plan comes before the plans of other jobs', async () => {
    const site = siteOf();
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const options = { ...QUICK, frames: 8 };
    for (const output of ['one.mpg', 'two-of.mpg', 'three.mpg']) {
      await farm.submit(site.request(output, 'quick', { options, store: 'file:chunks-of-three' }));
    }
    const jobs = (await farm.list()).reverse();
    expect(jobs.map(({ state }) => state)).toEqual(['waiting', 'waiting', 'waiting']);
    const looking = await site.queue(queue);
    const steps: string[] = [];
    const coder = await looking.taker('chunks', async () => {}, {});
    const planner = await looking.taker(
      'steps',
      async ({ name, data }) => {
        steps.push(`${name} of ${jobs.findIndex(({ job }) => job === data.job)}`);
        if (name !== 'plan') return;
        await looking.addFlow(flowAfter(data, { plan: 'a', chunks: 1, frames: 8, needsFirstPass: false }));
        const assembly = async () => (await looking.step('assemble', data))?.getState();
        await until('its chunk is done', async () => (await assembly()) === 'waiting');
      },
      {},
    );
    onTestFinished(async () => void (await Promise.all([planner.close(), coder.close()])));
    for (const taker of [planner, coder]) void taker.run();
    await until('all are done', () => steps.length === 6);
    expect(steps).toEqual(['plan of 0', 'assemble of 0', 'plan of 1', 'assemble of 1', 'plan of 2', 'assemble of 2']);
  });

  it('a cancelled job ends on its workers within seconds', async () => {
    const site = siteOf();
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const { job } = await farm.submit(site.request('cancelled.mpg', 'slow'));
    const looking = await site.queue(queue);
    const before = childrenOf(process.pid);
    const worker = await site.worker(queue);
    await until('it is planned', async () => (await farm.status(job)).state === 'encoding');
    // The process that has planned and the one that codes a chunk, which would never end by itself.
    const held: number[] = [];
    await until('a chunk is being coded', () => {
      held.push(...freeze(process.pid, [...before, ...held]));
      return held.length >= 2;
    });
    const start = Date.now();
    expect(await farm.cancel(job)).toMatchObject({ state: 'cancelled', reason: 'cancelled by a user' });
    await until('nothing is left', async () => {
      const { waiting, active } = await looking.chunks.getJobCounts('waiting', 'active');
      return waiting === 0 && active === 0;
    });
    expect(Date.now() - start).toBeLessThan(20_000);
    expect(worker.lines.filter(line => /^chunk .* the job was cancelled$/.test(line))).not.toHaveLength(0);
    expect(worker.lines.filter(line => /^assembly .* frames/.test(line))).toHaveLength(0);
    expect((await over(farm, job)).state).toBe('cancelled');
    await worker.stop(0);
    // The one that made the plan is idle, and cannot end when it is told to.
    expect(held.filter(encoder => !hasEnded(encoder))).toEqual([]);
  });

  it('goes on after the queue was killed and started again, and so does submit --wait', async () => {
    const site = siteOf();
    const queue = site.newQueue();
    const farm = await site.farm(queue);
    const request = site.request('restarted.mpg');
    const coding = ['--q', '5', '--gop', '8', '--chunk-seconds', '0.32', '--frames', '48'];
    const at = ['--store', request.store, '--url', site.url, '--queue', queue];
    const line = ['farm', 'submit', 'quick.y4m', '-o', 'restarted.mpg', ...coding, ...at, '--wait', '--json'];
    const waiting = startCli(line, { cwd: site.root });
    onTestFinished(() => void waiting.kill('SIGKILL'));
    const ended = outcomeOf(waiting);
    await until('it is submitted', async () => (await farm.list()).length > 0);
    const others = childrenOf(process.pid);
    const worker = await site.worker(queue, { leaseSeconds: 2 });
    await until('it is planned', async () => (await farm.list())[0]!.state === 'encoding');
    // The process that has planned and the one that codes a chunk, which does not end before the queue is there again.
    const held: number[] = [];
    await until('it is being coded', () => {
      held.push(...freeze(process.pid, [...others, ...held]));
      return held.length >= 2;
    });
    await restart();
    for (const encoder of held) process.kill(encoder, 'SIGCONT');
    const { status, stdout, stderr } = await ended;
    expect(status, stderr).toBe(0);
    expect(stderr).not.toMatch(/the queue: the queue/);
    const said = worker.lines.filter(line => line.startsWith('the queue: '));
    expect(said.filter((line, i) => line === said[i - 1])).toEqual([]); // however often it tries
    const done = JSON.parse(stdout.toString());
    expect(done).toMatchObject({ state: 'done', frames: 48 });
    expect(site.read('restarted.mpg').equals(await site.byPlan(done, request))).toBe(true);
    await worker.stop(0);
  });
}
