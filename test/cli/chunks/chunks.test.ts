// plan, encode-chunk, assemble and encode --plan from end to end: the same bytes either way, and errors by name.
import { copyFileSync, existsSync, mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { writePngFolder, writeY4m } from '../../../samples/write-frames.js';
import type { ChunkPlan } from '../../../src/chunks/chunk-plan.js';
import { scenes } from '../../chunks/chunk-clips.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg } from '../../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { type EncodeJson, encodeJson, listing, outcomeOf, runCli, runCliHere, startCli } from '../run-cli.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const setting = { cwd: folder };
const frames = scenes([
  ['snow', 15],
  ['zoom', 17],
  ['pan', 14],
]);
await writeY4m(join(folder, 'clip.y4m'), frames, 25, () => {});
writeFileSync(join(folder, 'clip.yuv'), Buffer.concat(frames.flatMap(({ y, u, v }) => [y, u, v])));
mkdirSync(join(folder, 'images'));
await writePngFolder(join(folder, 'images'), frames, () => {});
runPackagedFfmpeg('-i', join(folder, 'clip.y4m'), '-c:v', 'libx264', '-g', '10', join(folder, 'clip.mkv'));

/** Runs `mpegpu` where all must go well. */
async function mpegpu(...args: string[]): Promise<string> {
  const { status, stdout, stderr } = await runCliHere(args, setting);
  if (status !== 0) throw new Error(`mpegpu ${args.join(' ')}: status ${status}: ${stderr}`);
  return stdout.toString();
}

/** Runs `mpegpu` where it must refuse: status 2, one line, and no new file. */
async function refused(args: string[], words: RegExp): Promise<void> {
  const before = listing(folder);
  const { status, stderr } = await runCliHere(args, setting);
  expect(stderr).toMatch(words);
  expect(stderr.trimEnd().split('\n')).toHaveLength(1);
  expect(status).toBe(2);
  expect(listing(folder)).toEqual(before);
}

const bytesOf = (name: string) => readFileSync(join(folder, name));
const planIn = (name: string) => JSON.parse(bytesOf(name).toString()) as ChunkPlan;
const CHUNKS = ['--chunk-seconds', '0.4-0.8'];
const FAST = ['--preset', 'fast'];

/** Encodes all chunks of a plan file into `<name>-<index>`; returns these names, the last first. */
async function encodeChunks(plan: string, name: string, ...more: string[]): Promise<string[]> {
  const names: string[] = [];
  for (const { index } of planIn(plan).chunks) {
    names.unshift(`${name}-${index}`);
    await mpegpu('encode-chunk', plan, String(index), '-o', names[0]!, '--overwrite', ...more);
  }
  return names;
}

/** The chunks that go into files of several kinds, by the target of their plan. */
const chunksFor = new Map<string, string[]>();

describe.each([
  ['m1v', [], '2'],
  ['mpg', [], '1'],
  ['ts', ['--target', 'jsmpeg'], '1'],
  ['mp4', [], '1'],
])('.%s', (extension, target, threads) => {
  it('is the same from chunks and from encode --plan, and shows the reconstruction', async () => {
    const plan = `plan${target[1] ?? ''}.json`;
    let chunks = chunksFor.get(plan);
    if (!chunks) {
      await mpegpu('plan', 'clip.y4m', '-o', plan, '--q', '7', ...CHUNKS, ...FAST, ...target);
      expect(planIn(plan).chunks.map(({ firstFrame }) => firstFrame)).toEqual([0, 15, 32]);
      chunks = await encodeChunks(plan, `${plan}-chunk`, '--threads', '1');
      chunksFor.set(plan, chunks);
    }
    const output = `parts.${extension}`;
    const json = JSON.parse(await mpegpu('assemble', plan, ...chunks, '-o', output, '--json')) as EncodeJson;
    const line = ['clip.y4m', '--plan', plan, '-o', `whole.${extension}`, '--overwrite', '--threads', threads];
    const files = ['--recon', 'recon.y4m', '--vectors', 'vectors.jsonl'];
    const report = await encodeJson([...line, ...files], setting);
    expect(Buffer.compare(bytesOf(output), bytesOf(`whole.${extension}`))).toBe(0);
    expect(json).toMatchObject({
      frames: report.frames,
      bits: report.bits,
      psnr: report.psnr,
      pictures: report.pictures,
    });
    expect(report.frames).toBe(frames.length);
    const shown = await decodeWithFfmpeg(join(folder, output));
    expectSameFrames(shown, await decodeWithFfmpeg(join(folder, 'recon.y4m')), output);
    const vectors = bytesOf('vectors.jsonl').toString().trim().split('\n');
    const numbers = vectors.map(text => (JSON.parse(text) as { frame: number }).frame);
    expect(numbers.sort((a, b) => a - b)).toEqual(frames.map((_, i) => i));
  });
});

describe('two passes', () => {
  it('go through plan --budgets, and give the bytes of encode --plan', async () => {
    const rate = 150_000;
    await mpegpu('plan', 'clip.y4m', '-o', 'rate.json', '--bitrate', '150k', '--passes', '2', ...CHUNKS, ...FAST);
    await refused(['encode', '-', '--plan', 'rate.json', '-o', 'no.m1v'], /two passes, and - can be read once only/);
    await refused(['encode-chunk', 'rate.json', '0', '-o', 'early'], /no budgets.*first pass/);
    const statistics = await encodeChunks('rate.json', 'pass', '--pass', '1');
    await refused(
      ['plan', '--budgets', 'rate.json', ...statistics.slice(1), '-o', 'r2.json'],
      /chunk 2 of 3 is missing/,
    );
    await refused(
      ['plan', '--budgets', 'rate.json', 'rate.json', '-o', 'r2.json'],
      /rate\.json holds no statistics.*--pass 1 makes/,
    );
    await mpegpu('plan', '--budgets', 'rate.json', ...statistics, '-o', 'rate2.json');
    const chunks = await encodeChunks('rate2.json', 'chunk2');
    await refused(['assemble', 'rate.json', ...chunks, '-o', 'no.m1v'], /chunk2-2 is of another plan/);
    await mpegpu('assemble', 'rate2.json', ...chunks, '-o', 'rate.m1v');
    await mpegpu('encode', 'clip.y4m', '--plan', 'rate.json', '-o', 'rate-whole.m1v');
    await mpegpu('encode', 'clip.y4m', '--plan', 'rate2.json', '-o', 'rate2-whole.m1v');
    expect(Buffer.compare(bytesOf('rate.m1v'), bytesOf('rate-whole.m1v'))).toBe(0);
    expect(Buffer.compare(bytesOf('rate.m1v'), bytesOf('rate2-whole.m1v'))).toBe(0);
    const bits = 8 * bytesOf('rate.m1v').length;
    expect(Math.abs((bits * 25) / frames.length / rate - 1)).toBeLessThan(0.01);
  });
});

describe('a plan', () => {
  it.each([
    ['images', ['--fps', '30'], 30],
    ['images/*.png', [], 25],
    ['clip.yuv', ['--size', '96x80'], 25],
    ['clip.mkv', [], 25],
  ])('of %s is coded from there, from elsewhere and in one go', async (input, flags, fps) => {
    await mpegpu('plan', input, '-o', 'kind.json', '--overwrite', '--q', '9', ...CHUNKS, ...FAST, ...flags);
    const { input: planned, chunks } = planIn('kind.json');
    expect(planned).toMatchObject({ frames: frames.length, frameRate: { numerator: fps } });
    expect(chunks.length).toBeGreaterThan(1);
    const names = await encodeChunks('kind.json', 'kind');
    await mpegpu('assemble', 'kind.json', ...names, '-o', 'kind.m1v', '--overwrite');
    await mpegpu('encode', input, '--plan', 'kind.json', '-o', 'kind-whole.m1v', '--overwrite');
    expect(Buffer.compare(bytesOf('kind.m1v'), bytesOf('kind-whole.m1v'))).toBe(0);
    const there = input.startsWith('images') ? 'images' : input;
    const moved = `moved-${there}`;
    renameSync(join(folder, there), join(folder, moved));
    try {
      await refused(['encode-chunk', 'kind.json', '1', '-o', 'gone'], /no such file|matches no images/);
      await mpegpu('encode-chunk', 'kind.json', '1', '--input', moved, '-o', 'elsewhere', '--overwrite');
    } finally {
      renameSync(join(folder, moved), join(folder, there));
    }
    expect(Buffer.compare(bytesOf('elsewhere'), bytesOf('kind-1'))).toBe(0);
  });

  it('of standard input names no input', async () => {
    const line = ['plan', '-', '-o', 'stdin.json', '--json', '--q', '9', ...CHUNKS, ...FAST];
    const { status, stdout } = await runCli(line, setting, bytesOf('clip.y4m'));
    expect(status).toBe(0);
    const { chunks } = JSON.parse(stdout.toString()) as { chunks: { frames: number }[] };
    expect(chunks.map(({ frames }) => frames)).toEqual([15, 17, 14]);
    await refused(['encode-chunk', 'stdin.json', '0', '-o', 'no'], /the plan names no input: say with --input/);
    const whole = await runCli(['encode', '-', '--plan', 'stdin.json', '-o', '-'], setting, bytesOf('clip.y4m'));
    await mpegpu('encode', 'clip.y4m', '--plan', 'stdin.json', '-o', 'stdin.m1v');
    expect(Buffer.compare(whole.stdout, bytesOf('stdin.m1v'))).toBe(0);
  });

  it('does not depend on threads, kernels or the folder it is made in', async () => {
    await mpegpu('plan', 'clip.y4m', '-o', 'here.json', '--q', '9');
    const { status } = await runCliHere(['plan', '../clip.y4m', '-o', '../there.json', '--q', '9'], {
      cwd: join(folder, 'images'),
    });
    expect(status).toBe(0);
    expect(planIn('there.json').identity).toBe(planIn('here.json').identity);
  });

  it('has the options of encode', async () => {
    writeFileSync(join(folder, 'matrix.txt'), '8 '.repeat(64));
    const flags = ['--quality', '55', '--gop', '15', '--bframes', '2', '--no-open-gop', '--tune', 'ssim'];
    const more = '--tool trellis=none --intra-matrix matrix.txt --estimator cpu-mrmp --frames 40'.split(' ');
    await mpegpu('plan', 'clip.y4m', '-o', 'options.json', ...flags, ...more);
    const { options, input } = planIn('options.json');
    expect(input.frames).toBe(40);
    expect(options).toEqual({
      quality: 55,
      gop: 15,
      bFrames: 2,
      openGop: false,
      tune: 'ssim',
      tools: { trellis: 'none' },
      intraMatrix: Array(64).fill(8),
      estimator: 'cpu-mrmp',
    });
  });
});

describe('refusals', () => {
  it.each([
    [['--bitrate', '300k'], /--bitrate in one pass.*--passes 2.*--quality.*--q/],
    [['--bitrate', '300k', '--passes', '2', '--cbr'], /cbr needs a decoder's buffer.*two passes/],
    [['--bitrate', '300k', '--passes', '2', '--maxrate', '400k'], /maxrate needs a decoder's buffer/],
    [['--bitrate', '300k', '--passes', '2', '--vbv', '40960'], /--vbv needs a decoder's buffer/],
    [['--target', 'vcd'], /vcd needs a decoder's buffer/],
    [['--target', 'vcd', '--passes', '2'], /vcd needs a decoder's buffer/],
    [['--passes', '2'], /--passes 2 needs --bitrate/],
    [['--passes', '3'], /--passes 3 does not exist/],
    [['--matrix', 'tuned', '--bitrate', '300k', '--passes', '2'], /--matrix tuned/],
    [['--estimator', './own.js'], /own\.js.*module/],
    [['--chunk-seconds', '9-3'], /--chunk-seconds is '9-3'; legal: seconds/],
    [['--chunk-seconds', '0'], /--chunk-seconds is '0'/],
    [['another.y4m'], /one input is needed, not 2/],
  ])('of plan: %j', async (flags, words) => {
    await refused(['plan', 'clip.y4m', '-o', 'no.json', ...flags], words);
  });

  it('of an output that cannot be, before anything is read', async () => {
    const words = /output folder does not exist: nowhere/;
    await refused(['plan', 'missing.y4m', '-o', 'nowhere/p.json'], words);
    await refused(['encode-chunk', 'missing.json', '0', '-o', 'nowhere/0'], words);
  });

  it('of flags beside --plan or --budgets that the plan has', async () => {
    await mpegpu('plan', 'clip.y4m', '-o', 'p.json', '--q', '9', '--overwrite', ...CHUNKS, ...FAST);
    await refused(['encode', 'clip.y4m', '--plan', 'p.json', '--q', '5', '-o', 'x.m1v'], /--q is for the plan to say/);
    await refused(
      ['encode', 'clip.y4m', '--plan', 'p.json', '--frames', '5', '-o', 'x.m1v'],
      /--frames is for the plan/,
    );
    await refused(['plan', '--budgets', 'p.json', 'clip.y4m', '--q', '5', '-o', 'x.json'], /--q stands in the plan/);
    await refused(['encode', 'clip.y4m', '--plan', 'p.json', '--json', '-o', '-'], /--json and -o -/);
  });

  it('of plans: none, of another version, changed, of another input', async () => {
    await mpegpu('plan', 'clip.y4m', '-o', 'p.json', '--q', '9', '--overwrite', ...CHUNKS, ...FAST);
    const plan = planIn('p.json');
    const write = (contents: object) => writeFileSync(join(folder, 'odd.json'), JSON.stringify(contents));
    write({ ...plan, version: 2 });
    await refused(['encode-chunk', 'odd.json', '0', '-o', 'x'], /odd\.json has version 2/);
    await refused(['encode', 'clip.y4m', '--plan', 'odd.json', '-o', 'x.m1v'], /odd\.json has version 2/);
    write({ ...plan, options: { ...plan.options, q: 8 } });
    await refused(['encode-chunk', 'odd.json', '0', '-o', 'x'], /odd\.json is not as it was made/);
    write({});
    await refused(['assemble', 'odd.json', 'x', '-o', 'x.m1v'], /odd\.json is no plan/);
    await refused(['assemble', 'clip.y4m', 'x', '-o', 'x.m1v'], /clip\.y4m is not JSON/);
    await refused(['encode-chunk', 'none.json', '0', '-o', 'x'], /none\.json cannot be read/);
    await writeY4m(join(folder, 'other.y4m'), scenes([['rotation', 46]]), 25, () => {});
    await refused(['encode-chunk', 'p.json', '1', '--input', 'other.y4m', '-o', 'x'], /frame 15 .*other\.y4m/);
    await refused(['encode', 'other.y4m', '--plan', 'p.json', '-o', 'x.m1v'], /frame 0 .*other\.y4m/);
    await writeY4m(join(folder, 'large.y4m'), scenes([['pan', 5]], { width: 64, height: 64 }), 25, () => {});
    await refused(['encode', 'large.y4m', '--plan', 'p.json', '-o', 'x.m1v'], /large\.y4m is 64x64.*96x80/);
  });

  it('of encode-chunk: a wrong index, a wrong pass, - for a file', async () => {
    await mpegpu('plan', 'clip.y4m', '-o', 'p.json', '--q', '9', '--overwrite', ...CHUNKS, ...FAST);
    await refused(['encode-chunk', 'p.json', '3', '-o', 'x'], /chunk 3 does not exist: the plan has chunks 0\.\.2/);
    await refused(['encode-chunk', 'p.json', 'one', '-o', 'x'], /index 'one' is not a whole number/);
    await refused(['encode-chunk', 'p.json', '0', '--pass', '3', '-o', 'x'], /--pass 3 does not exist/);
    await refused(['encode-chunk', 'p.json', '0', '--pass', '1', '-o', 'x'], /no bit rate/);
    await refused(['encode-chunk', 'p.json', '0', '-o', '-'], /-o - is not possible/);
    await refused(['encode-chunk', 'p.json', '0', '-o', 'p.json'], /-o and the plan are both/);
    await refused(['encode-chunk', 'p.json', '0', '-o', 'matrix.txt'], /matrix\.txt/);
  });

  it('of an output that is the film of the plan', async () => {
    copyFileSync(join(folder, 'clip.y4m'), join(folder, 'film.m1v'));
    await mpegpu('plan', 'film.m1v', '-o', 'film.json', '--q', '9', ...CHUNKS, ...FAST);
    const chunks = await encodeChunks('film.json', 'film');
    const words = /-o and the input of the plan are both (\.\/)?film\.m1v/;
    const over = ['-o', 'film.m1v', '--overwrite'];
    await refused(['encode-chunk', 'film.json', '0', ...over], words);
    await refused(['encode-chunk', 'film.json', '0', '--input', 'clip.y4m', ...over], words);
    await refused(['assemble', 'film.json', ...chunks, '-o', './film.m1v', '--overwrite'], words);
    await refused(['encode', 'clip.y4m', '--plan', 'film.json', ...over], words);
    await refused(['plan', '--budgets', 'film.json', 'film.json', ...over], words);
    const recon = ['--recon', 'film.m1v', '-o', 'x.m1v', '--overwrite'];
    await refused(['encode', 'clip.y4m', '--plan', 'film.json', ...recon], /--recon and the input of the plan are/);
    expect(Buffer.compare(bytesOf('film.m1v'), bytesOf('clip.y4m'))).toBe(0);
  });

  it('of assemble: missing, twice, another plan, damaged, an existing output', async () => {
    await mpegpu('plan', 'clip.y4m', '-o', 'p.json', '--q', '9', '--overwrite', ...CHUNKS, ...FAST);
    await mpegpu('plan', 'clip.y4m', '-o', 'q.json', '--q', '20', '--overwrite', ...CHUNKS, ...FAST);
    const [c, b, a] = (await encodeChunks('p.json', 'p')) as [string, string, string];
    await mpegpu('encode-chunk', 'q.json', '2', '-o', 'q-2');
    const to = ['-o', 'p.mpg'];
    await refused(['assemble', 'p.json', a, c, ...to], /chunk 1 of 3 is missing/);
    copyFileSync(join(folder, a), join(folder, 'copy'));
    await refused(['assemble', 'p.json', a, b, c, 'copy', ...to], /chunk 0 is there twice: p-0 and copy/);
    await refused(['assemble', 'p.json', a, b, 'q-2', ...to], /q-2 is of another plan/);
    await refused(['assemble', 'p.json', a, b, 'clip.y4m', ...to], /clip\.y4m is no chunk/);
    await refused(['assemble', 'p.json', a, b, 'none', ...to], /none cannot be read/);
    const damaged = bytesOf(b);
    damaged[damaged.length - 50]! ^= 1;
    writeFileSync(join(folder, 'damaged'), damaged);
    await refused(['assemble', 'p.json', a, 'damaged', c, ...to], /damaged is damaged or not whole/);
    await refused(['assemble', 'p.json', a, b, c, '-o', 'p.xyz'], /p\.xyz/);
    await mpegpu('assemble', 'p.json', a, b, c, ...to);
    await refused(['assemble', 'p.json', a, b, c, ...to], /p\.mpg.*overwrite/);
    await mpegpu('plan', 'clip.y4m', '-o', 'j.json', '--target', 'jsmpeg', '--q', '9', ...CHUNKS, ...FAST);
    await refused(['assemble', 'j.json', a, '-o', 'j.mpg'], /jsmpeg is for \.ts/);
    await refused(['encode', 'clip.y4m', '--plan', 'j.json', '-o', 'j.mpg'], /jsmpeg is for \.ts/);
  });
});

describe('an interruption', () => {
  it('of encode --plan keeps the whole chunks, of encode-chunk nothing', async () => {
    const long = scenes([
      ['pan', 30],
      ['snow', 200],
    ]);
    await writeY4m(join(folder, 'long.y4m'), long, 25, () => {});
    await mpegpu('plan', 'long.y4m', '-o', 'long.json', '--q', '4', '--preset', 'smallest', '--chunk-seconds', '1-60');
    expect(planIn('long.json').chunks.map(({ frames }) => frames)).toEqual([30, 200]);
    const line = ['encode', 'long.y4m', '--plan', 'long.json', '--threads', '1'];
    const child = startCli([...line, '--recon', 'shown.y4m', '-o', 'long.m1v'], setting);
    const outcome = outcomeOf(child);
    // Files are written in blocks of 256 KiB: 46 pictures fill two.
    await until(() => listing(folder).some(name => name.includes('shown') && bytesOf(name).length >= 1 << 19));
    child.kill('SIGINT');
    const { status, stderr } = await outcome;
    expect(stderr).toMatch(/interrupted after 30 frames: what was coded is in long\.m1v\.partial/);
    expect(status).toBe(130);
    const kept = await decodeWithFfmpeg(join(folder, 'long.m1v.partial'));
    expect(kept).toHaveLength(30);
    rmSync(join(folder, 'long.m1v.partial'));

    const before = listing(folder);
    const chunk = startCli(['encode-chunk', 'long.json', '1', '-o', 'long.chunk', '--threads', '1'], setting);
    const chunkOutcome = outcomeOf(chunk);
    // By then it codes; nothing shows it from outside.
    await until(() => cpuSeconds(chunk.pid!) > 0.6);
    chunk.kill('SIGINT');
    const ended = await chunkOutcome;
    expect(ended.stderr).toMatch(/interrupted: nothing was kept/);
    expect(ended.status).toBe(130);
    expect(existsSync(join(folder, 'long.chunk'))).toBe(false);
    expect(listing(folder)).toEqual(before);
  });
});

/** The processor time that a process has had; Linux only. */
function cpuSeconds(pid: number): number {
  const [user, system] = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]!.split(' ').slice(11, 13);
  return (Number(user) + Number(system)) / 100;
}

async function until(isTrue: () => boolean): Promise<void> {
  for (let tries = 0; !isTrue(); tries++) {
    if (tries > 600) throw new Error('it did not happen within 60 seconds');
    await new Promise(resolve => setTimeout(resolve, 100));
  }
}
