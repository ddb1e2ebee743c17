// What `mpegpu estimate` reads and writes for researchers' programs: KITTI's flow, tables, pictures.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { canvasOfFrame } from '../../../src/compare/overlay/frame-canvas.js';
import { drawResidual } from '../../../src/compare/overlay/residual.js';
import { drawVectors } from '../../../src/compare/overlay/vectors.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { decodeImage } from '../../../src/media/images/image-decoder.js';
import { encodePng16 } from '../../../src/media/images/png16.js';
import { decodeFlo } from '../../../src/media/maps/flo-format.js';
import { UNKNOWN_FLOW } from '../../../src/media/maps/flow.js';
import { decodeKittiFlow, encodeKittiFlow } from '../../../src/media/maps/kitti-flow.js';
import { handMadeField } from '../../compare/hand-made-field.js';
import { allFrames } from '../../media/test-frames.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { listing, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);
const SIZE = { width: 72, height: 40 };
const PAN = { kind: 'pan', ...SIZE, frames: 3, seed: 13 } as const;

/** What the tests read of the JSON. */
interface EstimateJson {
  readonly perPair: readonly Readonly<Record<string, number>>[];
  readonly endpointError: Readonly<Record<string, number>>;
}

async function estimate(...args: string[]): Promise<{ readonly json: EstimateJson; readonly text: string }> {
  const run = (more: string[]) =>
    runCliHere(['estimate', 'pan.y4m', '--estimator', 'cpu-full', '--range', '16', ...args, ...more], { cwd: folder });
  const asJson = await run(['--json']);
  expect([asJson.status, asJson.stderr]).toEqual([0, '']);
  const asText = await run(['--overwrite']);
  return { json: JSON.parse(asJson.stdout.toString()), text: asText.stdout.toString() };
}

beforeAll(async () => {
  await writeY4m(at('pan.y4m'), generateSample(PAN), 25, () => {});
  const wide = generateSample({ kind: 'pan', width: 528, height: 16, frames: 2, seed: 1 });
  await writeY4m(at('wide.y4m'), wide, 25, () => {});
  const tall = generateSample({ kind: 'pan', width: 16, height: 2768, frames: 2, seed: 1 });
  await writeY4m(at('tall.y4m'), tall, 10, () => {});
  mkdirSync(at('out'));
});

describe("KITTI's flow PNG", () => {
  it('has the vectors of .flo', async () => {
    await estimate('--kitti', 'fields', '--flo', 'fields', '--range', '600x600'); // no picture is as large
    const pairs = ['pair0000', 'pair0001'];
    expect(listing(at('fields'))).toEqual(pairs.flatMap(pair => [`${pair}-flow.png`, `${pair}.flo`]));
    for (const pair of pairs) {
      const flow = decodeFlo('flo', readFileSync(at('fields', `${pair}.flo`)));
      expect(await decodeKittiFlow('png', readFileSync(at('fields', `${pair}-flow.png`)))).toEqual(flow);
    }
  });

  it('takes any range where no vector can be too long for it', async () => {
    const args = ['--crop', '512x16+0+0', '--range', 'picture', '--estimator', 'zero', '--kitti', 'narrow', '--quiet'];
    const { status, stderr } = await runCliHere(['estimate', 'wide.y4m', ...args], { cwd: folder });
    expect([status, stderr]).toEqual([0, '']);
  });

  it('is a truth, with Fl-all beside the endpoint error', async () => {
    // Nothing moves to where the zero vector points: the error is the length of the truth, which is 4 or 2.5 pels.
    const u = new Float32Array(SIZE.width * SIZE.height).fill(UNKNOWN_FLOW);
    const v = new Float32Array(u.length);
    u.fill(0, 0, 30);
    v.fill(-4, 0, 30);
    u.fill(2.5, 30, 40);
    writeFileSync(at('truth.png'), await encodeKittiFlow({ ...SIZE, u, v }));
    const { json, text } = await estimate('--estimator', 'zero', '--truth', 'truth.png');
    expect(json.endpointError).toEqual({ mean: 3.625, median: 4, above1: 1, above3: 0.75, flAll: 0.75, pels: 40 });
    expect(text).toMatch(/endpoint {2}mean 3\.625, .* above 3 75\.00 %; Fl-all 75\.00 %/);
  });
});

describe('--csv', () => {
  it('has a row for each pair, with the figures of the JSON', async () => {
    const truth = { ...SIZE, u: new Float32Array(72 * 40).fill(1), v: new Float32Array(72 * 40) };
    writeFileSync(at('ones.png'), await encodeKittiFlow(truth));
    const args = ['--truth', 'ones.png', '--against', 'zero', '--csv', 'pairs.csv'];
    const { status, stdout } = await runCliHere(['estimate', 'pan.y4m', ...args, '--json'], { cwd: folder });
    expect(status).toBe(0);
    const json = JSON.parse(stdout.toString()) as EstimateJson;
    const lines = readFileSync(at('pairs.csv'), 'utf8').split('\r\n');
    expect(lines).toHaveLength(4);
    expect(lines[3]).toBe('');
    const names = lines[0]!.split(',');
    const rows = lines.slice(1, 3).map(line => Object.fromEntries(line.split(',').map((cell, i) => [names[i], cell])));
    expect(rows).toHaveLength(json.perPair.length);
    for (const [i, row] of rows.entries()) {
      const { frame, referenceFrame, blocks, msPerPair, agreement, sadBefore, sadAfter, psnrBefore, psnrAfter } =
        json.perPair[i]!;
      const error = i === 0 ? json.endpointError : {};
      const cell = (value: number | undefined) => (value === undefined ? '' : String(value));
      expect(row).toEqual({
        frame: cell(frame),
        reference_frame: cell(referenceFrame),
        blocks: cell(blocks),
        search_ms: cell(msPerPair),
        agreement_share: cell(agreement),
        sad_before: cell(sadBefore),
        sad_after: cell(sadAfter),
        psnr_before_db: cell(psnrBefore),
        psnr_after_db: cell(psnrAfter),
        endpoint_error_mean_pels: cell(error.mean),
        endpoint_error_median_pels: cell(error.median),
        endpoint_error_above_1_pel_share: cell(error.above1),
        endpoint_error_above_3_pels_share: cell(error.above3),
        endpoint_error_fl_all_share: cell(error.flAll),
        disparity_above_1_pel_share: '',
        disparity_above_2_pels_share: '',
        disparity_mean_error_pels: '',
      });
    }
    expect(Number(rows[0]!.agreement_share)).toBeLessThan(1);
  });
});

describe('--pictures', () => {
  it('writes four pictures of each pair', async () => {
    const { status } = await runCliHere(
      ['estimate', 'pan.y4m', '--estimator', 'zero', '--frames', '2', '--pictures', 'pictures'],
      { cwd: folder },
    );
    expect(status).toBe(0);
    const kinds = ['difference-origin-target', 'difference-prediction-target', 'vector-grid', 'vectors-over-origin'];
    expect(listing(at('pictures'))).toEqual(kinds.map(kind => `pair0000-${kind}.png`));
    // Without motion both differences are that of the frames.
    const frames = await allFrames(await openFrameSource(at('pan.y4m')));
    const shades = frames[0]!.y.map((pel, i) => Math.round(255 * (Math.abs(pel - frames[1]!.y[i]!) / 255) ** (2 / 3)));
    for (const kind of kinds.slice(0, 2)) {
      const { pels } = await decodeImage(at('pictures', `pair0000-${kind}.png`));
      expect([...pels.filter((_, i) => i % 3 === 0)]).toEqual([...shades]);
    }
  });
});

describe('--overlay', () => {
  it('says beside the arrows which frames they are of, and what they give', async () => {
    const outputs = ['--overlay', 'gray', '--residuals', 'gray', '--predicted', 'gray'];
    const args = ['estimate', 'pan.y4m', '--estimator', 'zero', '--frames', '2', '--gray', '--json', ...outputs];
    const { status, stdout } = await runCliHere(args, { cwd: folder });
    expect(status).toBe(0);
    const [pair] = (JSON.parse(stdout.toString()) as EstimateJson).perPair;
    const [reference, current] = await allFrames(await openFrameSource(at('pan.y4m')));
    const shown = async (what: string) => Uint8Array.from((await decodeImage(at('gray', `pair0000-${what}.png`))).pels);
    const db = pair!.psnrBefore!.toFixed(2);
    const caption = [
      'frame 1 from 0  zero  block 16  range 128x128',
      `PSNR ${db} -> ${db} dB  SAD ${pair!.sadBefore} -> ${pair!.sadAfter}`,
    ];
    const field = handMadeField(SIZE, 16, () => [0, 0]);
    expect(await shown('vectors')).toEqual(drawVectors(current!, field, { caption }).pels);
    // Without motion the prediction is the reference, and both residuals are the difference of the frames.
    expect(await shown('predicted')).toEqual(canvasOfFrame(reference!, { gray: true }).pels);
    const residual = drawResidual(current!, reference!, { gray: true }).pels;
    expect([await shown('residual-before'), await shown('residual-after')]).toEqual([residual, residual]);
  });

  it('has no words in a video that would be higher with them than MPEG-1 allows, and a rate that it has', async () => {
    const args = ['estimate', 'tall.y4m', '--estimator', 'zero', '--overlay-video', 'tall.m1v', '--quiet'];
    const { status, stderr } = await runCliHere(args, { cwd: folder });
    expect([status, stderr]).toEqual([0, '']);
    const header = readFileSync(at('tall.m1v'));
    expect([header.readUIntBE(4, 3), header[7]! & 15]).toEqual([(16 << 12) + 2768, 3]); // frame_rate_code 3: 25 Hz
  });
});

describe('mistakes', () => {
  beforeAll(async () => {
    const numbers = (channels: 1 | 3) => new Uint16Array(SIZE.width * SIZE.height * channels);
    const raw = { raw: { ...SIZE, channels: 3 } } as const;
    await sharp(new Uint8Array(SIZE.width * SIZE.height * 3), raw)
      .png()
      .toFile(at('eight.png'));
    writeFileSync(at('gray.png'), await encodePng16({ ...SIZE, channels: 1, samples: numbers(1) }));
    writeFileSync(at('unknown.png'), await encodePng16({ ...SIZE, channels: 3, samples: numbers(3) }));
    writeFileSync(
      at('small.png'),
      await encodePng16({ width: 1, height: 1, channels: 3, samples: Uint16Array.of(1, 1, 1) }),
    );
    writeFileSync(at('text.png'), 'no picture');
    writeFileSync(at('flow.tif'), '');
  });

  it.each<[string, string, RegExp]>([
    [
      '8 bits',
      'pan.y4m --truth eight.png',
      /^mpegpu: eight\.png is a PNG of 8 bits and 3 channels; one of 16 bits and 3 channels is needed\n$/,
    ],
    ['one channel', 'pan.y4m --truth gray.png', /^mpegpu: gray\.png is a PNG of 16 bits and 1 channel; one of 16/],
    ['nothing known', 'pan.y4m --truth unknown.png', /^mpegpu: unknown\.png knows the motion of no pel\n$/],
    ['another size', 'pan.y4m --truth small.png', /^mpegpu: small\.png is 1x1, but the frames are 72x40\n$/],
    ['a text', 'pan.y4m --truth text.png', /^mpegpu: text\.png cannot be decoded: [^\n]+\n$/],
    [
      'an unknown format',
      'pan.y4m --truth flow.tif',
      /^mpegpu: flow\.tif is not a \.flo file: it does not start with PIEH; KITTI's flow is read from \.png\n$/,
    ],
    [
      'vectors that do not fit',
      'wide.y4m --range picture',
      /^mpegpu: --kitti holds vectors of up to 511 pels, --range is picture: use --flo instead\n$/,
    ],
    [
      'vectors that may not fit',
      'wide.y4m --range 600x8',
      /^mpegpu: --kitti holds vectors of up to 511 pels, --range is 600x8: use/,
    ],
    [
      'high vectors',
      'tall.y4m --range 8x600',
      /^mpegpu: --kitti holds vectors of up to 511 pels, --range is 8x600: use/,
    ],
    [
      'one file twice',
      'pan.y4m --vectors out/a.csv',
      /^mpegpu: --csv and --vectors are both out\/a\.csv|^mpegpu: --vectors and --csv are both out\/a\.csv/,
    ],
  ])('%s: one line, status 2, no file', async (_, args, says) => {
    const outputs = ['--csv', 'out/a.csv', '--kitti', 'out', '--pictures', 'out'];
    const run = await runCliHere(['estimate', ...args.split(' '), '--estimator', 'zero', ...outputs], { cwd: folder });
    expect(run.stderr).toMatch(says);
    expect([run.status, run.stdout.length, listing(at('out'))]).toEqual([2, 0, []]);
  });

  it('replaces no table and no picture unasked', async () => {
    for (const outputs of [
      ['--csv', 'pairs.csv'],
      ['--pictures', 'pictures'],
      ['--kitti', 'fields'],
    ]) {
      const run = await runCliHere(['estimate', 'pan.y4m', '--estimator', 'zero', ...outputs], { cwd: folder });
      expect([run.status, run.stderr]).toEqual([2, expect.stringMatching(/^mpegpu: output .* exists already.*\n$/)]);
    }
  });
});
