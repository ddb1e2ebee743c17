// Flags of `mpegpu encode` give the same stream as options of the library.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { encodeJson } from '../run-cli.js';

const folder = temporaryFolder();
const size = { width: 64, height: 48 };
const sample = generateSample({ kind: 'cut', ...size, frames: 9, seed: 3 });

const [INTRA, OTHER] = [20, 30].map(first => Array.from({ length: 64 }, (_, i) => (i === 0 ? 8 : first + i)));

beforeAll(async () => {
  await writeY4m(join(folder, 'in.y4m'), sample, 25, () => {});
  const comment = `# ${'weights '.repeat(80)}\r\n`;
  const rows = Array.from({ length: 8 }, (_, row) => ` ${INTRA!.slice(8 * row, 8 * row + 8).join(', ')} ${comment}`);
  writeFileSync(join(folder, 'intra.txt'), comment + rows.join(''));
  writeFileSync(join(folder, 'other.txt'), OTHER!.join(' '));
});

const CASES: readonly (readonly [flags: string, options: Partial<EncoderOptions>])[] = [
  ['--quality 61.5', { quality: 61.5 }],
  ['--tune ssim', { tune: 'ssim' }],
  ['--tune psnr --q 6', { tune: 'psnr', q: 6 }],
  ['--aq-strength 0.5', { aq: 0.5 }],
  ['--matrix standard', { matrix: 'standard' }],
  ['--intra-matrix intra.txt --non-intra-matrix other.txt', { intraMatrix: INTRA!, nonIntraMatrix: OTHER! }],
  ['--gop-min 8', { gopMin: 8 }],
  ['--tool trellis=none --tool neighbour-vectors=off', { tools: { trellis: 'none', neighbourVectors: false } }],
];

describe('what the pictures are to be good by', () => {
  it.each(CASES)('%s is the option of the library', async (flags, options) => {
    const name = `${flags.replace(/\W/g, '')}.m1v`;
    const args = ['in.y4m', '-o', name, ...flags.split(' '), '--estimator', 'cpu-predictive', '--threads', '1'];
    await encodeJson(args, { cwd: folder });
    const { stream } = await encodeFrames(sample, { ...size, ...options });
    expect(Buffer.compare(readFileSync(join(folder, name)), stream)).toBe(0);
    const { stream: plain } = await encodeFrames(sample, size);
    expect(Buffer.compare(plain, stream)).not.toBe(0);
  });
});
