// The flags of groups of pictures in the streams of `mpegpu encode`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { writeY4m } from '../../../samples/write-frames.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { encodeJson, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
const sample = generateSample({ kind: 'pan', width: 48, height: 32, frames: 14, seed: 3 });

beforeAll(() => writeY4m(join(folder, 'in.y4m'), sample, 25, () => {}));

/** closed_gop of every group of pictures header; ISO/IEC 11172-2 §2.4.2.4. */
function closedGroups(stream: Buffer): boolean[] {
  const closed: boolean[] = [];
  for (let at = stream.indexOf('000001b8', 'hex'); at >= 0; at = stream.indexOf('000001b8', at + 4, 'hex')) {
    closed.push((stream[at + 7]! & 0x40) !== 0);
  }
  return closed;
}

const [OPEN, CLOSED] = [
  [true, false, false],
  [true, true, true],
];

describe('groups of pictures', () => {
  it.each([
    ['by default', [], OPEN, true],
    ['with --open-gop', ['--open-gop'], OPEN, true],
    ['with --no-open-gop', ['--no-open-gop'], CLOSED, true],
    ['without B pictures', ['--bframes', '0'], CLOSED, false],
  ] as const)('%s', async (what, flags, closed, hasB) => {
    const name = `${what.replace(/\W/g, '')}.m1v`;
    const fixed = ['--gop', '6', '--preset', 'fast', '--estimator', 'cpu-log', '--threads', '1'];
    const { pictures } = await encodeJson(['in.y4m', '-o', name, ...fixed, ...flags], { cwd: folder });
    expect(closedGroups(readFileSync(join(folder, name)))).toEqual(closed);
    expect(pictures.some(({ type }) => type === 'B')).toBe(hasB);
  });

  it('--gop-min is a whole number up to --gop', async () => {
    const args = ['in.y4m', '-o', 'apart.m1v', '--gop', '6', '--estimator', 'cpu-log', '--threads', '1'];
    const { pictures } = await encodeJson([...args, '--gop-min', '6'], { cwd: folder });
    expect(pictures.filter(({ type }) => type === 'I').map(({ frame }) => frame)).toEqual([0, 6, 12]);
    const { status, stderr } = await runCliHere(['encode', ...args, '--gop-min', '7', '--overwrite'], { cwd: folder });
    expect(stderr).toMatch(/--gop-min 7 is more than --gop, which is 6; legal: 1\.\.6/);
    expect(status).toBe(2);
  });
});
