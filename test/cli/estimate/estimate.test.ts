// `mpegpu estimate` as a program: its JSON, its files, truth and mistakes.
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../../samples/write-frames.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { decodeImage } from '../../../src/media/images/image-decoder.js';
import { decodeFlo, encodeFlo } from '../../../src/media/maps/flo-format.js';
import { allFrames } from '../../media/test-frames.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { listing, outcomeOf, runCliHere, startCli } from '../run-cli.js';

const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);
const THREE_VECTORS = join(import.meta.dirname, '..', '..', 'motion', 'fixtures', 'three-vectors-estimator.mjs');

const FIXTURES = join(import.meta.dirname, '..', '..', 'compare', 'fixtures');
/** The name of a module whose estimator notes when it is closed. */
const noted = (name: string) => join(FIXTURES, `in-turn-${name}.mjs`);

/** What scripts rely on. */
interface Summary {
  readonly blocks: number;
  readonly msPerPair: number;
  readonly agreement: number | null;
  readonly sadBefore: number;
  readonly sadAfter: number;
  readonly psnrBefore: number;
  readonly psnrAfter: number;
}
interface EstimateJson extends Summary {
  readonly pairs: number;
  readonly estimator: string;
  readonly device: string;
  readonly perPair: readonly (Summary & { readonly frame: number; readonly referenceFrame: number })[];
  readonly endpointError?: { readonly mean: number; readonly median: number; readonly pels: number };
  readonly badPixels?: { readonly above1: number; readonly above2: number; readonly pels: number };
  readonly [key: string]: unknown;
}

async function estimate(...args: string[]): Promise<EstimateJson> {
  const { status, stdout, stderr } = await runCliHere(['estimate', ...args, '--json'], { cwd: folder });
  if (status !== 0) throw new Error(`mpegpu estimate ${args.join(' ')}: status ${status}: ${stderr}`);
  const lines = stdout.toString().split('\n');
  expect(lines).toHaveLength(2);
  expect(lines[1]).toBe('');
  return JSON.parse(lines[0]) as EstimateJson;
}

const PAN = { kind: 'pan', width: 88, height: 72, frames: 4, seed: 13 } as const;

beforeAll(async () => {
  const pan = generateSample(PAN);
  await writeY4m(at('pan.y4m'), pan, 24, () => {});
  await writePngFolder(at('pan'), pan, () => {});
  await writePngFolder(at('one'), generateSample({ ...PAN, frames: 1 }), () => {});
  await writePngFolder(at('stereo'), generateSample({ ...PAN, kind: 'stereo', frames: 2, seed: 7 }), () => {});
});

describe('mpegpu estimate', () => {
  it('reports in JSON what the design promises, for all pairs and for each', async () => {
    const report = await estimate('pan.y4m', '--estimator', 'cpu-full', '--range', '16');
    expect(report).toMatchObject({ pairs: 3, blocks: 3 * 6 * 5, estimator: 'cpu-full', agreement: null });
    expect(report).toMatchObject({ width: 88, height: 72, block: 16, range: { x: 16, y: 16 }, metric: 'sad' });
    expect(report).toMatchObject({ reference: 'previous', gray: false, against: null, interrupted: false });
    expect(report.device).toMatch(/CPU/);
    const { perPair } = report;
    expect(perPair.map(pair => [pair.frame, pair.referenceFrame, pair.blocks])).toEqual([
      [1, 0, 30],
      [2, 1, 30],
      [3, 2, 30],
    ]);
    const times = perPair.map(pair => pair.msPerPair).sort((a, b) => a - b);
    expect(report.msPerPair).toBe(times[1]);
    expect(times[0]).toBeGreaterThan(0);
    for (const name of ['sadBefore', 'sadAfter'] as const) {
      expect(report[name]).toBeCloseTo(perPair.reduce((sum, pair) => sum + pair[name], 0) / 3, 6);
    }
    for (const pair of perPair) {
      expect(pair.sadAfter).toBeLessThan(pair.sadBefore);
      expect(pair.psnrAfter).toBeGreaterThan(pair.psnrBefore);
      expect(pair.agreement).toBeNull();
    }
    expect(report.psnrAfter).toBeGreaterThan(report.psnrBefore);
  });

  it('measures luma alone with --gray, and the difference itself with the estimator zero', async () => {
    const frames = await allFrames(await openFrameSource(at('pan.y4m')));
    const sad = (plane: 'y' | 'u' | 'v') =>
      frames[0][plane].reduce((sum, pel, i) => sum + Math.abs(pel - frames[1][plane][i]), 0);
    const gray = await estimate('pan.y4m', '--estimator', 'zero', '--gray', '--frames', '2');
    expect(gray).toMatchObject({ pairs: 1, sadBefore: sad('y'), sadAfter: sad('y'), psnrAfter: gray.psnrBefore });
    const colour = await estimate('pan.y4m', '--estimator', 'zero', '--frames', '2');
    expect(colour.sadBefore).toBe(sad('y') + sad('u') + sad('v'));
  });

  it('counts the vectors that another estimator agrees with', async () => {
    const same = await estimate('pan.y4m', '--estimator', 'cpu-full', '--against', 'cpu-full', '--block', '8');
    expect(same).toMatchObject({ agreement: 1, blocks: 3 * 11 * 9, against: 'cpu-full', block: 8 });
    const other = await estimate('pan.y4m', '--estimator', 'zero', '--against', 'cpu-full');
    expect(other.agreement).toBeLessThan(0.5);
    expect(other.perPair.every(pair => pair.agreement !== null)).toBe(true);
  });

  it('takes an estimator module like a built-in one', async () => {
    const report = await estimate('pan.y4m', '--estimator', THREE_VECTORS, '--against', 'zero', '--metric', 'sse');
    expect(report).toMatchObject({ pairs: 3, metric: 'sse', candidates: 1 });
    expect(report.agreement).toBeGreaterThanOrEqual(0);
  });

  it('closes both estimators', async () => {
    const closed: string[] = [];
    Object.assign(globalThis, { closedEstimators: closed });
    await estimate('pan.y4m', '--estimator', noted('a'), '--against', noted('b'), '--frames', '2');
    expect(closed).toEqual(['a', 'b']);
  });

  it('says the same of the same frames, however they come', async () => {
    const measured = ({ perPair }: EstimateJson) => perPair.map(({ msPerPair: _, ...rest }) => rest);
    const folderReport = await estimate('pan', '--estimator', 'cpu-mrmp');
    const again = await estimate('pan/frame%04d.png', '--estimator', 'cpu-mrmp');
    expect(measured(again)).toEqual(measured(folderReport));
  });

  it('prints a summary for people', async () => {
    const { status, stdout, stderr } = await runCliHere(
      ['estimate', 'pan.y4m', '--estimator', 'cpu-log', '--against', 'cpu-full'],
      { cwd: folder },
    );
    expect([status, stderr]).toEqual([0, '']);
    expect(stdout.toString()).toMatch(/^pan\.y4m: 3 pairs of 88x72[\s\S]*cpu-log[\s\S]* -> [\s\S]* % of the vectors/);
    const quiet = await runCliHere(['estimate', 'pan.y4m', '--estimator', 'zero', '--quiet'], { cwd: folder });
    expect([quiet.status, quiet.stdout.length, quiet.stderr]).toEqual([0, 0, '']);
  });
});

describe('what mpegpu estimate writes', () => {
  const files = ['--vectors', 'out.jsonl', '--flo', 'pictures', '--overlay', 'pictures', '--residuals', 'pictures'];
  const all = [...files, '--predicted', 'pictures', '--overlay-video', 'overlay.m1v'];

  it('vectors, flow, pictures and a video of every pair', async () => {
    const args = ['pan.y4m', '--estimator', 'cpu-full', '--range', '16', '--candidates', '2'];
    expect(await estimate(...args, ...all)).toMatchObject({ candidates: 2 });
    const kinds = ['-predicted.png', '-residual-after.png', '-residual-before.png', '-vectors.png', '.flo'];
    expect(listing(at('pictures'))).toEqual(
      ['pair0000', 'pair0001', 'pair0002'].flatMap(pair => kinds.map(kind => `${pair}${kind}`)),
    );

    const lines = readFileSync(at('out.jsonl'), 'utf8').trimEnd().split('\n');
    expect(lines).toHaveLength(3);
    const truth = generateSample(PAN).trueMotion(2)!;
    const line = JSON.parse(lines[1]);
    expect(line).toMatchObject({ frame: 2, reference: 1, blockSize: 16, blockColumns: 6, blockRows: 5 });
    const reliable = [...truth.reliable.keys()].filter(block => truth.reliable[block]);
    expect(reliable.length).toBeGreaterThan(8);
    for (const block of reliable) expect(line.vectors[block]).toEqual([truth.dx[block], truth.dy[block]]);
    expect(line.candidates.map((vectors: unknown[]) => vectors[0])).toEqual(line.vectors);
    expect(line.candidates.every((vectors: unknown[]) => vectors.length === 2)).toBe(true);
    expect(line.costs).toHaveLength(30);
    // The search is by pels alone: the cost of a block that lies within the picture is its difference.
    const frames = await allFrames(await openFrameSource(at('pan.y4m')));
    const [x, y] = line.vectors[7];
    let sad = 0;
    for (let i = 0; i < 256; i++) {
      const pel = (16 + (i >> 4)) * 88 + 16 + (i & 15);
      sad += Math.abs(frames[2]!.y[pel]! - frames[1]!.y[pel + y * 88 + x]!);
    }
    expect([x, y]).not.toEqual([0, 0]);
    expect(line.costs[7]).toBe(sad);

    const flow = decodeFlo('flow', readFileSync(at('pictures', 'pair0001.flo')));
    expect([flow.width, flow.height]).toEqual([88, 72]);
    const [block] = reliable;
    const corner = Math.floor(block / 6) * 16 * 88 + (block % 6) * 16;
    expect([flow.u[corner], flow.v[corner]]).toEqual(line.vectors[block]);

    const sizeOf = async (name: string) => {
      const { width, height } = await decodeImage(at('pictures', name));
      return [width, height];
    };
    expect(await sizeOf('pair0000-vectors.png')).toEqual([352, 288 + 56]);
    expect(await sizeOf('pair0000-predicted.png')).toEqual([88, 72]);
    const spread = async (name: string) => {
      const { pels } = await decodeImage(at('pictures', name));
      return pels.reduce((sum, pel) => sum + Math.abs(pel - 127), 0);
    };
    expect(await spread('pair0000-residual-after.png')).toBeLessThan(
      0.7 * (await spread('pair0000-residual-before.png')),
    );

    const video = await allFrames(await openFrameSource(at('overlay.m1v')));
    expect(video.map(({ width, height }) => [width, height])).toEqual([
      [352, 344],
      [352, 344],
      [352, 344],
    ]);
    expect((await openFrameSource(at('overlay.m1v'))).frameRate).toEqual({ numerator: 24, denominator: 1 });
  });

  it('gray residuals with --gray', async () => {
    await estimate('pan.y4m', '--estimator', 'zero', '--frames', '2', '--gray', '--residuals', 'gray');
    for (const when of ['before', 'after']) {
      const { pels } = await decodeImage(at('gray', `pair0000-residual-${when}.png`));
      expect(pels.every((pel, i) => pel === pels[i - (i % 3)])).toBe(true);
    }
  });

  it('replaces nothing unasked, and everything when asked', async () => {
    const before = readFileSync(at('out.jsonl'));
    for (const [option, path] of [
      ['--vectors', 'out.jsonl'],
      ['--overlay', 'pictures'],
      ['--overlay-video', 'overlay.m1v'],
    ]) {
      const run = await runCliHere(['estimate', 'pan.y4m', '--estimator', 'zero', option, path], { cwd: folder });
      expect([run.status, run.stderr]).toEqual([2, expect.stringMatching(/^mpegpu: output .* exists already.*\n$/)]);
    }
    expect(readFileSync(at('out.jsonl'))).toEqual(before);
    await estimate('pan.y4m', '--estimator', 'zero', '--overwrite', ...all);
    expect(readFileSync(at('out.jsonl'))).not.toEqual(before);
  });
});

describe('mpegpu estimate against the truth', () => {
  it('gives the endpoint error of the first pair, seen from the first frame', async () => {
    // Flow from frame 0 to frame 1 is the camera's motion the other way round; unknown where a block has no match.
    const motion = generateSample(PAN).trueMotion(1)!;
    const known = (x: number, y: number) => x >= 16 && y >= 16 && x < 64 && y < 48;
    const plane = (value: number) =>
      Float32Array.from({ length: 88 * 72 }, (_, pel) => (known(pel % 88, Math.floor(pel / 88)) ? value : 1e10));
    const truth = encodeFlo({ width: 88, height: 72, u: plane(-motion.dx[0]), v: plane(-motion.dy[0]) });
    writeFileSync(at('truth.flo'), truth);
    const report = await estimate('pan.y4m', '--estimator', 'cpu-full', '--range', '16', '--truth', 'truth.flo');
    expect(report).toMatchObject({ pairs: 3, reference: 'next', perPair: [{ frame: 0, referenceFrame: 1 }, {}, {}] });
    expect(report.endpointError).toEqual({ mean: 0, median: 0, above1: 0, above3: 0, flAll: 0, pels: 48 * 32 });
    const still = await estimate('pan.y4m', '--estimator', 'zero', '--truth', 'truth.flo');
    const length = Math.sqrt(motion.dx[0] ** 2 + motion.dy[0] ** 2);
    expect(still.endpointError?.mean).toBeCloseTo(length, 5);
    expect(length).toBeGreaterThan(1);
  });

  it('gives the bad pixels of a stereo pair, searched along rows', async () => {
    const disparity = new Uint8Array(88 * 72).fill(4 * 2);
    const gray = { raw: { width: 88, height: 72, channels: 1 } } as const;
    await sharp(disparity, gray).toColourspace('b-w').png().toFile(at('disparity.png'));
    await sharp(new Uint8Array(88 * 72).fill(255, 88 * 36), gray)
      .toColourspace('b-w')
      .png()
      .toFile(at('mask.png'));
    const args = ['--disparity', 'disparity.png', '--disparity-scale', '4', '--mask', 'mask.png'];
    writeFileSync(at('stereo', 'other.mp4'), '');
    const still = await estimate('stereo', '--estimator', 'zero', '--truth', 'truth.flo', ...args);
    expect(still).toMatchObject({ reference: 'next', range: { x: 128, y: 0 }, endpointError: { pels: 48 * 32 } });
    expect(still.warnings).toEqual([expect.stringContaining('other.mp4')]);
    expect(still.badPixels).toEqual({ above1: 1, above2: 0, meanError: 2, pels: 88 * 36 });
    const whole = await estimate('stereo', '--estimator', 'zero', '--range', 'picture', ...args.slice(0, 2));
    expect(whole).toMatchObject({ range: { x: 4095, y: 0 }, badPixels: { meanError: 8, pels: 88 * 72 } });
    const searched = await estimate('stereo', '--estimator', 'cpu-full', '--range', '16', ...args);
    expect(searched).toMatchObject({ range: { x: 16, y: 0 } });
    // The far background is 2 pels apart, the objects before it more.
    expect(searched.badPixels?.above1).toBeLessThan(1);
  });
});

describe('mistakes', () => {
  beforeAll(async () => {
    const small = { raw: { width: 2, height: 1, channels: 1 } } as const;
    await sharp(new Uint8Array(2), small).toColourspace('b-w').png().toFile(at('small.png'));
    writeFileSync(at('small.flo'), encodeFlo({ width: 2, height: 1, u: new Float32Array(2), v: new Float32Array(2) }));
    writeFileSync(at('text.flo'), 'no flow');
    writeFileSync(at('a-file'), '');
    mkdirSync(at('out'));
  });

  it.each<[string, string, RegExp]>([
    ['no such input', 'nowhere', /nowhere/],
    [
      'a single frame',
      'one --estimator zero --vectors out/v.jsonl --overlay-video out/o.mpg --csv out/p.csv',
      /one has a single frame: motion takes two or more/,
    ],
    ['an unknown estimator', 'pan --estimator fast', /'fast'.*cpu-full.*zero/],
    ['an unknown estimator to agree with', 'pan --against fast', /'fast'.*cpu-full.*zero/],
    ['a block of 4', 'pan --block 4', /'4'.*8, 16/],
    ['65 candidates', 'pan --candidates 65', /candidates.* 65; legal: whole numbers 1\.\.64/],
    ['a wrong range', 'pan --range far', /--range is 'far'/],
    ['a reference that is none', 'pan --reference last', /'last'.*previous, next/],
    ['flow of another size', 'pan --truth small.flo', /small\.flo is 2x1, but the frames are 88x72/],
    ['a .flo that is none', 'pan --truth text.flo', /text\.flo is not a \.flo file/],
    ['a truth that is not there', 'pan --truth none.flo', /none\.flo cannot be read/],
    ['flow seen from the wrong frame', 'pan --truth small.flo --reference previous', /--truth.*--reference next/],
    ['disparity seen from it', 'pan --disparity small.png --reference previous', /--disparity.*--reference next/],
    ['a mask without disparity', 'pan --mask mask.png', /--mask goes with --disparity/],
    ['a scale without disparity', 'pan --disparity-scale 2', /--disparity-scale goes with --disparity/],
    ['disparity of another size', 'pan --disparity small.png', /small\.png is 2x1, but the frames are 88x72/],
    [
      'a mask of another size',
      'pan --disparity mask.png --mask small.png',
      /small\.png is 2x1, but the frames are 88x72/,
    ],
    [
      'a disparity scale of 0',
      'pan --disparity mask.png --disparity-scale 0',
      /--disparity-scale is '0'; legal: a finite number above 0/,
    ],
    [
      'a scale that is no number',
      'pan --disparity mask.png --disparity-scale x',
      /--disparity-scale is 'x'; legal: a finite number above 0/,
    ],
    ['a disparity map that is not there', 'pan --disparity none.png', /none\.png cannot be read/],
    ['a folder that is a file', 'pan --overlay a-file', /a-file is a file: a folder is needed/],
    ['a folder whose parent is not there', 'pan --overlay nowhere/pictures', /no such folder: nowhere/],
    ['vectors into a folder that is not there', 'pan --vectors nowhere/v.jsonl', /folder does not exist: nowhere/],
    [
      'a video of an unknown kind',
      'pan --vectors out/v.jsonl --overlay-video out/o.gif',
      /out\/o\.gif ends in \.gif: use one of \.m1v/,
    ],
  ])('%s', async (_, args, says) => {
    const run = await runCliHere(['estimate', ...args.split(' '), '--json'], { cwd: folder });
    expect(run.stderr).toMatch(/^mpegpu: [^\n]+\n$/);
    expect(run.stderr).toMatch(says);
    expect([run.status, run.stdout.length, listing(at('out'))]).toEqual([2, 0, []]);
  });

  it('keeps what is finished when it is interrupted', async () => {
    // y4m on standard input that does not end: the third frame never comes.
    const whole = readFileSync(at('pan.y4m'));
    const frameBytes = 6 + 88 * 72 * 1.5;
    const outputs = ['--vectors', 'cut.jsonl', '--predicted', 'cut'];
    const child = startCli(['estimate', '-', '--estimator', 'cpu-full', ...outputs, '--json'], { cwd: folder });
    const ended = outcomeOf(child);
    child.stdin.on('error', () => {});
    child.stdin.write(whole.subarray(0, whole.length - 2 * frameBytes));
    while (!existsSync(at('cut', 'pair0000-predicted.png'))) await new Promise(wake => setTimeout(wake, 20));
    child.kill('SIGINT');
    const { status, stdout, stderr } = await ended;
    expect(status).toBe(130);
    expect(stderr).toMatch(/interrupted after 1 pair; what was finished is in .*cut\.jsonl\.partial/);
    expect(JSON.parse(stdout.toString())).toMatchObject({ pairs: 1, interrupted: true });
    expect(readFileSync(at('cut.jsonl.partial'), 'utf8').trimEnd().split('\n')).toHaveLength(1);
    expect(existsSync(at('cut.jsonl'))).toBe(false);
  });
});
