// A farm whose input, chunks and output lie in a bucket.
import { existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { hashOfText } from '../../../src/chunks/content-hash.js';
import type { StepKind } from '../../../src/farm/jobs/farm-step.js';
import { Places } from '../../../src/farm/places/places.js';
import { doChunk } from '../../../src/farm/steps/chunk-step.js';
import { makePlanOf } from '../../../src/farm/steps/plan-step.js';
import { openPreparedSound } from '../../../src/farm/steps/prepared-sound.js';
import { StepContext } from '../../../src/farm/steps/step-context.js';
import { describeWith } from '../../support/requirements.js';
import { FarmSite, over, QUICK, RedisServer } from '../farm-site.js';

/** The server of `@20minutes/s3rver`, which has no types. */
interface S3Server {
  readonly middleware: ((call: Call, next: () => Promise<void>) => Promise<void>)[];
  run(): Promise<{ readonly port: number }>;
  close(): Promise<void>;
}
/** A request as Koa has it. */
interface Call {
  readonly method: string;
  readonly path: string;
  readonly res: ServerResponse;
  respond: boolean;
}
/** What goes wrong with the next requests for a key: a status, or a body that breaks. */
interface Fault {
  readonly what: RegExp;
  times: number;
  readonly answer: number | 'breaks';
}
const S3rver = createRequire(import.meta.url)('@20minutes/s3rver') as new (options: object) => S3Server;
/** So often the SDK itself asks. */
const SDK_TRIES = 3;
const KEYS = { AWS_ACCESS_KEY_ID: 'S3RVER', AWS_SECRET_ACCESS_KEY: 'S3RVER', AWS_REGION: 'us-east-1' };

describeWith('redis', 'a farm with a bucket', () => {
  const folder = mkdtempSync(join(tmpdir(), 'farm-s3-'));
  const environment = { ...process.env };
  let redis: RedisServer;
  let site: FarmSite;
  let server: S3Server;
  let client: S3Client;
  const faults: Fault[] = [];
  afterEach(() => void faults.splice(0));
  /** The next requests fail whose method and path are so: `GET /films/in/quick.y4m`. */
  const fail = (what: RegExp, answer: Fault['answer'], times = 1): Fault => {
    const fault = { what, answer, times };
    faults.push(fault);
    return fault;
  };
  const answerWithFault = async (call: Call, next: () => Promise<void>): Promise<void> => {
    const fault = faults.find(({ what, times }) => times > 0 && what.test(`${call.method} ${decodeURI(call.path)}`));
    if (!fault) return next();
    fault.times--;
    call.respond = false;
    if (fault.answer !== 'breaks') return void call.res.writeHead(fault.answer, { 'content-length': 0 }).end();
    call.res.writeHead(200, { 'content-length': 1000 });
    call.res.write('YUV4', () => call.res.destroy());
  };
  beforeAll(async () => {
    redis = await RedisServer.start();
    site = new FarmSite(redis.url, ['films/in', 'films/out', 'films/work']);
    const place = { address: '127.0.0.1', port: 0, directory: folder };
    server = new S3rver({ ...place, silent: true, configureBuckets: [{ name: 'films' }] });
    server.middleware.unshift(answerWithFault);
    const { port } = await server.run();
    Object.assign(process.env, { ...KEYS, AWS_ENDPOINT_URL_S3: `http://127.0.0.1:${port}` });
    client = new S3Client({ forcePathStyle: true });
  });
  afterAll(async () => {
    await site.close();
    client.destroy();
    await server.close();
    await redis.close();
    for (const name of [...Object.keys(KEYS), 'AWS_ENDPOINT_URL_S3']) {
      if (environment[name] === undefined) delete process.env[name];
      else process.env[name] = environment[name];
    }
    rmSync(folder, { recursive: true, force: true });
  });

  const put = (Key: string, Body: Uint8Array) => client.send(new PutObjectCommand({ Bucket: 'films', Key, Body }));
  const bytesOf = async (Key: string): Promise<Uint8Array> => {
    const { Body } = await client.send(new GetObjectCommand({ Bucket: 'films', Key }));
    return Body!.transformToByteArray();
  };

  it('reads, keeps and writes there', async () => {
    await put('in/quick.y4m', site.read('quick.y4m'));
    const { farm, lines } = await site.shared();
    const there = { input: 's3://films/in/quick.y4m', output: 's3://films/out/s3.mpg', store: 's3://films/work' };
    const request = site.request('s3.mpg', 'quick', there);
    const { job } = await farm.submit(request);
    const done = await over(farm, job);
    expect(done.state, done.reason).toBe('done');
    const plan = `plans/${done.plan}.json`;
    const local = site.request('s3.mpg');
    const kept = join(site.root, local.store.replace('file:', ''), plan);
    mkdirSync(dirname(kept), { recursive: true });
    writeFileSync(kept, await bytesOf(`work/${plan}`));
    const expected = await site.byPlan(done, local);
    expect(expected.equals(await bytesOf('out/s3.mpg'))).toBe(true);
    // Begun anew, only the chunk that is gone is coded.
    const gone = `work/chunks/${done.plan}-${done.version}/2.chunk`;
    await client.send(new DeleteObjectCommand({ Bucket: 'films', Key: gone }));
    const before = lines.length;
    await farm.submit({ ...request, overwrite: true });
    expect((await over(farm, job)).state).toBe('done');
    const chunks = lines.slice(before).filter(line => line.startsWith('chunk'));
    expect(chunks.filter(line => !/was there already$/.test(line))).toEqual([expect.stringMatching(/^chunk 2 /)]);
    expect(expected.equals(await bytesOf('out/s3.mpg'))).toBe(true);
  });

  it('keeps the input of one job at a time, plans the one that is there, and tells of a transfer', async () => {
    const scratch = join(folder, 'scratch');
    let told = 0;
    const listener = { onProgress: () => void told++, onWarning: () => {} };
    const context = new StepContext({ roots: { s3: ['films'] }, scratch }, listener);
    const framesOf = async (kind: StepKind, url: string) => {
      await context.begin(kind, url);
      return (await context.source(url, {})).frameCount;
    };
    await put('in/a.y4m', site.read('quick.y4m'));
    await put('in/b.y4m', site.read('quick.y4m'));
    expect(await framesOf('plan', 's3://films/in/a.y4m')).toBe(48);
    expect(told).toBeGreaterThan(1);
    expect(await framesOf('encode', 's3://films/in/b.y4m')).toBe(48);
    expect(readdirSync(scratch)).toHaveLength(1);
    await put('in/b.y4m', site.read('slow.y4m'));
    expect(await framesOf('encode', 's3://films/in/b.y4m')).toBe(48);
    expect(await framesOf('plan', 's3://films/in/b.y4m')).toBe(32);
    const before = told;
    const write = async (path: string) => writeFileSync(path, new Uint8Array(1 << 20));
    await context.places.writeOutput('s3://films/out/zeros.mpg', write);
    expect(told - before).toBeGreaterThan(1);
    expect(await bytesOf('out/zeros.mpg')).toHaveLength(1 << 20);
    await context.close();
    expect(existsSync(scratch)).toBe(false);
  });

  it('refuses a bucket that the worker does not allow, and an object that is not there', async () => {
    const { farm } = await site.shared();
    const reasonOf = async (there: object) => {
      const { job } = await farm.submit(site.request(`${JSON.stringify(there).length}.mpg`, 'quick', there));
      return (await over(farm, job)).reason;
    };
    expect(await reasonOf({ input: 's3://films/secret' })).toMatch(
      /^plan: s3:\/\/films\/secret is in no bucket that this machine allows; allowed: films\/in, films\/out, films\/work$/,
    );
    expect(await reasonOf({ input: 's3://films/in/nothing.y4m' })).toMatch(/^plan: s3:.*nothing\.y4m cannot be read/);
  });

  it('tries again what passes: an answer of 429 or 503, a body that breaks, a chunk that is not there yet', async () => {
    const { farm, lines } = await site.shared();
    const seen = [
      fail(/^GET .*quick\.y4m$/, 'breaks'),
      fail(/^HEAD .*passing\/chunks.*\/0\.chunk$/, 503, SDK_TRIES),
      fail(/^PUT .*passing\.mpg$/, 429), // the SDK itself does not send a file again
    ];
    const there = { input: 's3://films/in/quick.y4m', output: 's3://films/out/passing.mpg' };
    const { job } = await farm.submit(
      site.request('passing.mpg', 'quick', { ...there, store: 's3://films/work/passing' }),
    );
    const done = await over(farm, job);
    expect(done.state, done.reason).toBe('done');
    expect(seen.map(({ times }) => times)).toEqual([0, 0, 0]);
    expect(lines.filter(line => /cannot|fail|again/.test(line))).toEqual([]);
  });

  it('does not end a job for what may pass at the next attempt', async () => {
    const { farm, lines } = await site.shared();
    const there = {
      input: 's3://films/in/quick.y4m',
      output: 's3://films/out/late.mpg',
      store: 's3://films/work/late',
    };
    const late = { what: /^HEAD .*late\/chunks.*\/3\.chunk$/, answer: 404, times: 2 } as const; // coded, then assembled
    faults.push({ ...late });
    const { job } = await farm.submit(site.request('late.mpg', 'quick', there));
    const done = await over(farm, job);
    expect(done.state, done.reason).toBe('done');
    expect(lines.filter(line => /^assembly/.test(line))[0]).toMatch(/chunk 3 .* is not in the store/);
  });

  it('tells a fault of the service from a mistake of the request, and from a full disk', async () => {
    const places = new Places({ s3: ['films'] }, join(folder, 'scratch'));
    fail(/secret\.y4m/, 403);
    fail(/down\.y4m/, 503, Infinity);
    fail(/^GET .*cut\/0$/, 'breaks', Infinity);
    await expect(places.inputPath('s3://films/in/secret.y4m')).rejects.toMatchObject({
      name: 'InputError',
      message: 's3://films/in/secret.y4m cannot be read: 403 Forbidden',
    });
    const store = await places.store('s3://films/cut');
    await store.put('0', new Uint8Array(8));
    const stored = await store.open('0');
    fail(/^PUT .*cut\/denied$/, 403);
    await expect(store.put('denied', new Uint8Array(8))).rejects.toMatchObject({
      name: 'OutputError',
      message: 's3://films/cut/denied cannot be written: 403 Forbidden',
    });
    expect(await stored!.read(8, 8)).toEqual(new Uint8Array(0));
    await Promise.all([
      expect(places.inputPath('s3://films/in/down.y4m')).rejects.toMatchObject({
        name: 'Error',
        message: 's3://films/in/down.y4m cannot be read: 503 Service Unavailable',
      }),
      expect(stored!.read(0, 8)).rejects.toThrow(/^s3:\/\/films\/cut\/0 cannot be read: /),
    ]);
    // A folder stands where the input is to be written.
    mkdirSync(join(folder, 'scratch', hashOfText('s3://films/cut/1'), '1.part'), { recursive: true });
    await store.put('1', new Uint8Array(8));
    await expect(places.inputPath('s3://films/cut/1')).rejects.toMatchObject({
      name: 'OutputError',
      message: expect.stringMatching(/1\.part cannot be written: EISDIR/),
    });
    await places.close();
  });

  it('fetches an input again that was not the planned one', async () => {
    const listener = { onProgress: () => {}, onWarning: () => {} };
    const scratch = join(folder, 'scratch');
    const context = new StepContext({ roots: { s3: ['films'] }, scratch, threads: 1 }, listener);
    const there = { input: 's3://films/in/c.y4m', output: 's3://films/out/c.mpg', store: 's3://films/work/c' };
    const request = site.request('c.mpg', 'quick', { ...there, options: { ...QUICK, frames: 8 } });
    await put('in/c.y4m', site.read('quick.y4m'));
    const { plan } = await makePlanOf(request, context);
    const step = { version: '1', job: 'job', run: 'run', ...there, plan, index: 0 };
    await context.begin('plan', there.input);
    const other = site.read('quick.y4m');
    other[200]! ^= 1;
    await put('in/c.y4m', other);
    await expect(doChunk('encode', step, context)).rejects.toThrow(/frame 0 .* is not there or not the planned one/);
    await put('in/c.y4m', site.read('quick.y4m'));
    expect(await doChunk('encode', step, context)).toMatchObject({ frames: 8 });
    await context.close();
  });

  it('names sound by its bytes, and finds it damaged', async () => {
    const listener = { onProgress: () => {}, onWarning: () => {} };
    const context = new StepContext(
      { roots: { file: site.root, s3: ['films'] }, scratch: join(folder, 'scratch') },
      listener,
    );
    const audio = 's3://films/in/tone.wav';
    const request = site.request('sound.mpg', 'quick', { sound: { audio }, store: 's3://films/work' });
    const { input, store } = request;
    const soundOf = async (seconds: number): Promise<string> => {
      await put('in/tone.wav', toneOf(seconds));
      await context.begin('plan', input);
      return (await makePlanOf(request, context)).sound!;
    };
    const [one, other] = [await soundOf(1), await soundOf(2)];
    expect([one === other, await soundOf(1)]).toEqual([false, one]);
    const kept = await context.places.store(store);
    expect((await openPreparedSound(one, kept)).format.channels).toBe(1);
    const bytes = await bytesOf(`work/${one}`);
    await put(`work/${one}`, bytes.subarray(0, bytes.length >> 1));
    await expect(openPreparedSound(one, kept)).rejects.toThrow(/sound\/.*\.mp2 is damaged: submit the job again$/);
    await context.close();
  });

  it('asks for the bucket of an output at once, and takes names that are too long for a file', async () => {
    const places = new Places({ s3: ['s3://films/', 'nobucket'] }, join(folder, 'scratch'));
    fail(/^HEAD \/nobucket\/?$/, 404); // this server has all buckets
    await expect(places.requireWritable('s3://nobucket/a.mpg', true)).rejects.toMatchObject({
      name: 'InputError',
      message: 's3://nobucket/a.mpg cannot be written: there is no bucket nobucket',
    });
    await expect(places.requireWritable('s3://films/a.mpg', true)).resolves.toBeUndefined();
    fail(/^HEAD \/films\/?$/, 403); // who may write may not always ask for buckets
    await expect(places.requireWritable('s3://films/a.mpg', false)).resolves.toBeUndefined();
    await put('a.mpg', new Uint8Array(1));
    await expect(places.requireWritable('s3://films/a.mpg', true)).resolves.toBeUndefined();
    await expect(places.requireWritable('s3://films/a.mpg', false)).rejects.toMatchObject({
      name: 'OptionError',
      message: 'output s3://films/a.mpg exists already: use overwrite',
    });
    await expect((await places.store('s3://films/cut')).open('../in/quick.y4m')).rejects.toThrow(
      /leads out of the sto/,
    );
    const given: string[] = [];
    const write = async (path: string) => void given.push(path);
    await expect(places.writeOutput(`s3://films/${'n'.repeat(300)}.mpg`, write)).rejects.toThrow(/ENOENT/);
    expect(given).toEqual([join(folder, 'scratch/output.mpg')]);
    await places.close();
  });
});

/** A WAVE file: one channel of 8000 samples a second, a square wave. */
function toneOf(seconds: number): Uint8Array {
  const bytes = Buffer.alloc(44 + 16000 * seconds);
  bytes.write('RIFF', 0);
  bytes.writeUInt32LE(bytes.length - 8, 4);
  bytes.write('WAVEfmt ', 8);
  bytes.writeUInt32LE(16, 16);
  bytes.writeUInt16LE(1, 20);
  bytes.writeUInt16LE(1, 22);
  bytes.writeUInt32LE(8000, 24);
  bytes.writeUInt32LE(16000, 28);
  bytes.writeUInt16LE(2, 32);
  bytes.writeUInt16LE(16, 34);
  bytes.write('data', 36);
  bytes.writeUInt32LE(bytes.length - 44, 40);
  for (let at = 44; at < bytes.length; at += 2) bytes.writeInt16LE(at % 40 < 20 ? 9000 : -9000, at);
  return bytes;
}
