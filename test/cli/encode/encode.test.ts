// `mpegpu encode` as a program: its JSON, inputs, outputs and files.
import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../../samples/write-frames.js';
import { SequenceQuality } from '../../../src/compare/quality/sequence-quality.js';
import { CONTAINER_EXTENSIONS } from '../../../src/media/containers/container.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, everyFfmpeg, framesFromY4m } from '../../support/decoders.js';
import { readWithPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { encodeJson, listing, runCli, runCliHere } from '../run-cli.js';

const WIDTH = 72;
const HEIGHT = 50;
const FRAMES = 8;

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const at = (...parts: string[]) => join(folder, ...parts);
const setting = { cwd: folder };
const framesOf = (path: string) => framesFromY4m(readFileSync(at(path)));
const sample = generateSample({ kind: 'snow', width: WIDTH, height: HEIGHT, frames: FRAMES, seed: 7 });
const CPU = ['--estimator', 'cpu-predictive'];
/** For inputs and containers: a search thread takes longer to start than such a clip to be coded. */
const ONE_THREAD = [...CPU, '--threads', '1'];

beforeAll(() => writeY4m(at('in.y4m'), sample, 25, () => {}));

describe('encode --json', () => {
  it('keeps its contract', async () => {
    const args = [
      'in.y4m',
      '-o',
      'json.m1v',
      '--gop',
      '5',
      '--bframes',
      '0',
      '--q',
      '3',
      '--recon',
      'json.y4m',
      ...CPU,
    ];
    const report = await encodeJson(args, setting);
    const stream = readFileSync(at('json.m1v'));
    expect(report).toMatchObject({ frames: FRAMES, width: WIDTH, height: HEIGHT, bits: stream.length * 8, threads: 1 });
    expect(report.seconds).toBeGreaterThan(0);
    expect(report.fps).toBeCloseTo(FRAMES / report.seconds, 6);
    expect(report.estimator).toBe('cpu-predictive');
    expect(report.device).not.toBe('');
    expect(report.motion.pictures).toBeGreaterThanOrEqual(FRAMES - 2);
    expect(report.motion.waitMs).toBeGreaterThanOrEqual(0);
    expect(report.motion.busyMs).toBeGreaterThan(0);
    expect(report.pictures.map(picture => picture.frame)).toEqual(Array.from({ length: FRAMES }, (_, i) => i));
    expect(report.pictures.map(picture => picture.type).join('')).toBe('IPPPPIPP');
    expect(report.pictures.every(picture => picture.q === 3)).toBe(true);
    const pictureBits = report.pictures.reduce((sum, picture) => sum + picture.bits, 0);
    expect(pictureBits + 32).toBe(report.bits); // sequence_end_code
    const quality = new SequenceQuality();
    framesOf('json.y4m').forEach((frame, index) => {
      const { y } = quality.add(sample.frame(index), frame).psnr;
      expect(report.pictures[index]!.psnrY).toBeCloseTo(y, 6);
    });
    const { y, u, v, all } = quality.psnr();
    for (const [name, value] of Object.entries({ y, u, v, all })) {
      expect(report.psnr[name as keyof typeof report.psnr], name).toBeCloseTo(value, 6);
    }
  });

  it('gives a perfect picture 100 dB, for JSON has no Infinity', async () => {
    const gray = Buffer.alloc(64 * 48 * 1.5, 128);
    writeFileSync(at('gray.yuv'), gray);
    const report = await encodeJson(['gray.yuv', '--size', '64x48', '-o', 'gray.m1v', ...ONE_THREAD], setting);
    expect(report.psnr).toEqual({ y: 100, u: 100, v: 100, all: 100 });
    expect(report.pictures[0]!.psnrY).toBe(100);
  });

  it('says what auto passed over, and why', async () => {
    const report = (await encodeJson(['in.y4m', '-o', 'auto.m1v', '--frames', '2'], setting)) as unknown as {
      estimator: string;
      passedOver: { name: string; reason: string }[];
    };
    expect(['gpu-mrmp', 'cpu-predictive']).toContain(report.estimator);
    expect(report.passedOver.map(({ name }) => name)).toEqual(report.estimator === 'gpu-mrmp' ? [] : ['gpu-mrmp']);
    for (const { reason } of report.passedOver) expect(reason).toMatch(/GPU/);
  });
});

describe('encode', () => {
  it.each(everyFfmpeg())('--recon is what $name decodes, bit for bit', async ({ path }) => {
    await encodeJson(['in.y4m', '-o', 'r.m1v', '--recon', 'r.y4m', '--q', '2', '--overwrite', ...ONE_THREAD], setting);
    expectSameFrames(await decodeWithFfmpeg(at('r.m1v'), path), framesOf('r.y4m'));
  });

  it.each(CONTAINER_EXTENSIONS)('%s holds every frame, unchanged', async extension => {
    const output = `container${extension}`;
    await encodeJson(['in.y4m', '-o', output, '--recon', 'c.y4m', '--overwrite', ...ONE_THREAD], setting);
    expectSameFrames(await decodeWithFfmpeg(at(output)), framesOf('c.y4m'));
    expect(listing(folder).filter(name => name.startsWith('.'))).toEqual([]);
  });

  it('gives the same bytes for any number of threads and any kernels', async () => {
    const variants = [
      ['--threads', '1'],
      ['--threads', '2'],
      ['--threads', '3'],
    ];
    const streams = [];
    for (const [index, variant] of variants.entries()) {
      await encodeJson(['in.y4m', '-o', `threads${index}.m1v`, ...variant, ...CPU], setting);
      streams.push(readFileSync(at(`threads${index}.m1v`)));
    }
    await encodeJson(['in.y4m', '-o', 'reference.m1v', ...CPU], { cwd: folder, env: { MPEGPU_KERNELS: 'reference' } });
    streams.push(readFileSync(at('reference.m1v')));
    for (const stream of streams) expect(stream.equals(streams[0]!)).toBe(true);
  });

  it('writes a line of vectors per picture, in half-pels', async () => {
    const pan = generateSample({ kind: 'pan', width: 128, height: 96, frames: 4, seed: 3 });
    await writeY4m(at('pan.y4m'), pan, 25, () => {});
    await encodeJson(['pan.y4m', '-o', 'v.m1v', '--vectors', 'v.jsonl', '--bframes', '0', '--q', '2', ...CPU], setting);
    const lines = readFileSync(at('v.jsonl'), 'utf8').trimEnd().split('\n');
    const pictures = lines.map(line => JSON.parse(line));
    expect(pictures.map(({ frame, type }) => `${type}${frame}`)).toEqual(['I0', 'P1', 'P2', 'P3']);
    for (const { type, mbWidth, mbHeight, forward, backward } of pictures) {
      expect([mbWidth, mbHeight]).toEqual([8, 6]);
      expect(forward).toHaveLength(48);
      expect(backward).toEqual(Array(48).fill(null));
      if (type === 'I') expect(forward).toEqual(Array(48).fill(null));
    }
    // The camera moves by whole pels: most vectors are twice that; rate and distortion may prefer a neighbour.
    pictures.slice(1).forEach(({ forward }, index) => {
      const { dx, dy, reliable } = pan.trueMotion(index + 1)!;
      const blocks = Array.from(reliable.keys()).filter(block => reliable[block]);
      const right = blocks.filter(
        block => forward[block]?.[0] === 2 * dx[block]! && forward[block][1] === 2 * dy[block]!,
      );
      expect(right.length).toBeGreaterThan(0.8 * blocks.length);
    });
  });

  it('reports B pictures in coded order, with vectors both ways', async () => {
    const args = ['pan.y4m', '-o', 'b.m1v', '--bframes', '2', '--vectors', 'b.jsonl', '--recon', 'b.y4m', ...CPU];
    const { pictures } = await encodeJson(args, setting);
    expect(pictures.map(({ frame, type }) => `${type}${frame}`)).toEqual(['I0', 'P3', 'B1', 'B2']);
    const vectors = readFileSync(at('b.jsonl'), 'utf8')
      .trimEnd()
      .split('\n')
      .map(line => JSON.parse(line));
    expect(vectors.map(({ frame, type }) => `${type}${frame}`)).toEqual(['I0', 'P3', 'B1', 'B2']);
    expect(vectors[2].backward.some((vector: unknown) => vector !== null)).toBe(true);
    expectSameFrames(await decodeWithFfmpeg(at('b.m1v')), framesOf('b.y4m'));
  });

  it('takes frames in natural order', async () => {
    const levels = Array.from({ length: 12 }, (_, i) => 40 + 12 * i);
    mkdirSync(at('numbered'));
    const flat = levels.map(level => ({
      width: 32,
      height: 32,
      y: new Uint8Array(1024).fill(level),
      u: new Uint8Array(256).fill(128),
      v: new Uint8Array(256).fill(128),
    }));
    await writePngFolder(at('flat'), flat, () => {});
    for (let i = 0; i < 12; i++) {
      renameSync(at('flat', `frame${String(i).padStart(4, '0')}.png`), at('numbered', `shot${i + 1}.png`));
    }
    await encodeJson(['numbered', '-o', 'n.m1v', '--recon', 'n.y4m', ...ONE_THREAD], setting);
    const means = framesOf('n.y4m').map(frame => frame.y.reduce((sum, pel) => sum + pel, 0) / 1024);
    expect(means).toHaveLength(12);
    for (const [i, mean] of means.entries()) expect(Math.abs(mean - levels[i]!)).toBeLessThan(4);
  });

  it('reads y4m on standard input, and writes the bare stream on standard output', async () => {
    const y4m = readFileSync(at('in.y4m'));
    await encodeJson(['in.y4m', '-o', 'file.m1v', ...ONE_THREAD], setting);
    const { status, stdout, stderr } = await runCli(['encode', '-', '-o', '-', ...CPU], setting, y4m);
    expect(stderr).toBe('');
    expect(status).toBe(0);
    expect(stdout.equals(readFileSync(at('file.m1v')))).toBe(true);
  });

  it('reads a video at another rate, and raw video', async () => {
    await encodeJson(['in.y4m', '-o', 'half.mkv', '--fps', '25', ...ONE_THREAD], setting);
    const doubled = await encodeJson(['half.mkv', '-o', 'doubled.m1v', '--fps', '50', ...ONE_THREAD], setting);
    expect(doubled.frames).toBeGreaterThanOrEqual(2 * FRAMES - 1);
    const y4m = readFileSync(at('in.y4m'));
    const raw = Buffer.concat([...sample].flatMap(({ y, u, v }) => [y, u, v]));
    writeFileSync(at('raw.yuv'), raw);
    const size = `${WIDTH}x${HEIGHT}`;
    await encodeJson(['raw.yuv', '--size', size, '--fps', '25', '-o', 'raw.m1v', ...ONE_THREAD], setting);
    await encodeJson(['-', '-o', 'y4m.m1v', ...ONE_THREAD], setting, y4m);
    expect(readFileSync(at('raw.m1v')).equals(readFileSync(at('y4m.m1v')))).toBe(true);
  });

  it('passes matrices, slices, search and preset on to the encoder', async () => {
    const flat = `# flat\n8 ${Array(63).fill(16).join(', ')}\n`;
    writeFileSync(at('flat.txt'), flat);
    const options = {
      '--intra-matrix': 'flat.txt',
      '--non-intra-matrix': 'flat.txt',
      '--slices': 'rows',
      '--preset': 'fast',
      '--metric': 'sse',
      '--candidates': '1',
      '--range': '8x4',
      '--motion-reference': 'reconstructed',
      '--bframes': '1',
    };
    const args = Object.entries(options).flat();
    await encodeJson(['in.y4m', '-o', 'opt.m1v', '--recon', 'opt.y4m', ...args, ...CPU], setting);
    const stream = readFileSync(at('opt.m1v'));
    const sliceStarts = Array.from({ length: 4 }, (_, row) => Buffer.from([0, 0, 1, row + 1]));
    for (const start of sliceStarts) expect(count(stream, start)).toBe(FRAMES);
    expectSameFrames(await decodeWithFfmpeg(at('opt.m1v')), framesOf('opt.y4m'));
  });

  it('takes an estimator from a module', async () => {
    const module = `export default async ({ width, height, candidatesPerBlock }) => ({
      traits: { name: 'mine', runsOn: 'js', exhaustive: false },
      device: 'a test',
      async estimate() {
        const blocks = (width / 16) * (height / 16) * candidatesPerBlock;
        return { blockSize: 16, blockColumns: width / 16, blockRows: height / 16, candidatesPerBlock,
          dx: new Int16Array(blocks), dy: new Int16Array(blocks), cost: new Uint32Array(blocks) };
      },
      async close() {},
    });`;
    writeFileSync(at('mine.mjs'), module);
    for (const threads of ['1', '2']) {
      const args = ['in.y4m', '-o', 'mine.m1v', '--estimator', './mine.mjs', '--overwrite', '--threads', threads];
      expect(await encodeJson(args, setting)).toMatchObject({ estimator: 'mine', device: 'a test' });
    }
  });

  it('sums up for people; --quiet says nothing', async () => {
    const loud = await runCliHere(['encode', 'in.y4m', '-o', 'loud.mpg', ...CPU], setting);
    expect(loud.stderr).toBe('');
    const summary = loud.stdout.toString();
    for (const part of [
      /loud\.mpg: 8 frames, 72x50/,
      /bits.*kbit\/s/,
      /PSNR .* dB/,
      /frames\/s/,
      /cpu-predictive \(.+\)/,
      /coding \d+ %/,
    ]) {
      expect(summary).toMatch(part);
    }
    const quiet = await runCliHere(['encode', 'in.y4m', '-o', 'quiet.mpg', '--quiet', ...CPU], setting);
    expect([quiet.status, quiet.stdout.toString(), quiet.stderr]).toEqual([0, '', '']);
  });

  it('replaces an output with --overwrite', async () => {
    writeFileSync(at('old.mpg'), 'old');
    await encodeJson(['in.y4m', '-o', 'old.mpg', '--overwrite', ...CPU], setting);
    expect((await decodeWithFfmpeg(at('old.mpg'))).length).toBe(FRAMES);
  });
});

function count(bytes: Buffer, pattern: Buffer): number {
  let found = 0;
  for (let i = bytes.indexOf(pattern); i >= 0; i = bytes.indexOf(pattern, i + 1)) found++;
  return found;
}
