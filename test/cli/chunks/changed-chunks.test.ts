// A plan holds how its pictures are changed: chunks, and encode --plan, change them the same way.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const at = (name: string) => join(folder, name);
const source = 'testsrc2=size=48x32:rate=25,setfield=tff,setsar=16/15';
runPackagedFfmpeg('-f', 'lavfi', '-i', source, '-frames:v', '40', '-c:v', 'libx264', '-g', '9', at('clip.mkv'));

async function mpegpu(...args: string[]): Promise<void> {
  const { status, stderr } = await runCliHere([...args, '--quiet'], { cwd: folder });
  expect([status, stderr]).toEqual([0, '']);
}

it.each([
  ['deinterlaced pictures', ['--deinterlace', '--aspect', '16:9', '--background', 'red'], 6],
  ['parts of pictures', ['--crop', '40x24+3+5', '--scale', '32x32'], 2],
])('%s are the same from a plan and from its chunks', async (_, changes, shape) => {
  const planning = ['--chunk-seconds', '0.4-0.8', '--preset', 'fast', '--overwrite'];
  await mpegpu('plan', 'clip.mkv', '-o', 'plan.json', ...changes, ...planning);
  const plan = JSON.parse(readFileSync(at('plan.json'), 'utf8'));
  const chunks: string[] = [];
  for (const { index } of plan.chunks) chunks.unshift(`chunk-${index}`);
  expect(chunks.length).toBeGreaterThan(1);
  for (const chunk of chunks) {
    await mpegpu('encode-chunk', 'plan.json', chunk.slice('chunk-'.length), '-o', chunk, '--overwrite');
  }
  await mpegpu('assemble', 'plan.json', ...chunks, '-o', 'parts.m1v', '--overwrite');
  await mpegpu('encode', 'clip.mkv', '--plan', 'plan.json', '-o', 'whole.m1v', '--overwrite');
  const parts = readFileSync(at('parts.m1v'));
  expect(parts.equals(readFileSync(at('whole.m1v')))).toBe(true);
  expect(parts[7]! >> 4).toBe(shape); // pel_aspect_ratio
});

it('what a plan says is refused beside it', async () => {
  const args = ['encode', 'clip.mkv', '--plan', 'plan.json', '-o', 'no.m1v', '--scale', '16x16'];
  const { status, stderr } = await runCliHere(args, { cwd: folder });
  expect(stderr).toMatch(/^mpegpu: --scale is for the plan to say[^\n]*\n$/);
  expect(status).toBe(2);
});
