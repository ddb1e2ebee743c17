// Tests of measuring VMAF with ffmpeg: what ffmpeg is given, what it answers, and why VMAF is left out.
import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { findVmaf, VmafRun } from '../../src/media/vmaf.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { describeWith } from '../support/requirements.js';

const folder = temporaryFolder();
afterEach(() => void vi.unstubAllEnvs());

const SIZE = { width: 5, height: 3 };
const plane = (value: number) => ({ y: new Uint8Array(15).fill(value) });

/** Takes a program of ours for ffmpeg, which runs `before`, then `work` with all of its standard input in `input`. */
function useFakeFfmpeg(name: string, work: string, before = ''): void {
  const path = join(folder, name);
  const script = `#!${process.execPath}
const args = process.argv.slice(2).join(' ');
${before}
const input = require('node:fs').readFileSync(0);
${work}
`;
  writeFileSync(path, script, { mode: 0o755 });
  vi.stubEnv('FFMPEG_PATH', path);
}

describe.runIf(process.platform !== 'win32')('VMAF', () => {
  it('gives libvmaf each pair in one picture, the original above, and takes its score', async () => {
    useFakeFfmpeg(
      'telling',
      `const header = input.subarray(0, input.indexOf(10)).toString();
      const pictures = (input.length - header.length - 1) / (6 + 90);
      const at = (picture, byte) => input[header.length + 1 + picture * 96 + 6 + byte];
      const pels = [at(0, 0), at(0, 14), at(0, 15), at(0, 29), at(0, 30), at(0, 89), at(1, 0), at(1, 15)];
      require('node:fs').writeFileSync(${JSON.stringify(join(folder, 'told.json'))}, JSON.stringify({ args, header, pictures, pels }));
      console.error('[Parsed_libvmaf_3 @ 0x1] [info] VMAF score: 87.654321');`,
    );
    const run = await VmafRun.start(SIZE);
    const original = plane(10);
    await run.add(original, plane(11));
    original.y.fill(99); // its memory may be used again
    await run.add(plane(20), plane(21));
    expect(await run.finish()).toBe(87.654321);
    await run.stop();
    const { default: told } = await import(join(folder, 'told.json'), { with: { type: 'json' } });
    expect(told).toMatchObject({ header: 'YUV4MPEG2 W5 H6 F25:1 Ip A1:1 C444', pictures: 2 });
    expect(told.pels).toEqual([10, 10, 11, 11, 128, 128, 20, 21]);
    expect(told.args).toMatch(/\[a\]crop=iw:ih\/2:0:ih\/2\[decoded\];\[b\]crop=iw:ih\/2:0:0\[original\];/);
    expect(told.args).toMatch(/\[decoded\]\[original\]libvmaf=n_threads=\d+ /);
  });

  it.each([
    [
      'without',
      'console.error("[AVFilterGraph @ 0x1] [error] No such filter: \'libvmaf\'"); process.exit(1);',
      /^the ffmpeg that was found has no libvmaf$/,
    ],
    [
      'failing',
      "console.error('[Parsed_libvmaf_3 @ 0x1] [error] no model'); process.exit(1);",
      /^libvmaf of ffmpeg fails: no model$/,
    ],
    ['crashing', "process.kill(process.pid, 'SIGSEGV');", /^libvmaf of ffmpeg fails: ffmpeg ended with SIGSEGV/],
    ['silent', "console.error('[info] Input #0');", /^libvmaf of ffmpeg gave no score$/],
  ])('is left out with a reason: %s', async (name, work, reason) => {
    useFakeFfmpeg(name, work);
    expect(await findVmaf(SIZE)).toEqual({ leftOut: expect.stringMatching(reason) });
  });

  it('is left out where ffmpeg ends before it has read the pictures', async () => {
    useFakeFfmpeg('ending', '', "console.error('[x @ 0x1] [error] no model'); process.exit(1);");
    expect(await findVmaf({ width: 640, height: 480 })).toEqual({ leftOut: 'libvmaf of ffmpeg fails: no model' });
  });

  it('is left out where there is no ffmpeg', async () => {
    vi.stubEnv('FFMPEG_PATH', join(folder, 'nowhere'));
    expect(await findVmaf(SIZE)).toEqual({
      leftOut: expect.stringMatching(/nowhere, which is not an executable file/),
    });
  });
});

describeWith('libvmaf', 'VMAF with libvmaf', () => {
  it('is what ffmpeg gives for two files', async () => {
    const [width, height, frames] = [66, 50, 4];
    const lumaOf = (frame: number, noise: number) =>
      Uint8Array.from({ length: width * height }, (_, pel) => {
        const [x, y] = [pel % width, Math.floor(pel / width)];
        return 60 + ((3 * x + 2 * y + 5 * frame) & 127) + ((x * 31 + y * 17 + frame) % 7) * noise;
      });
    const chroma = new Uint8Array((width * height) / 2).fill(128);
    const originals = Array.from({ length: frames }, (_, frame) => lumaOf(frame, 0));
    const decoded = Array.from({ length: frames }, (_, frame) => lumaOf(frame, 9));
    const header = Buffer.from(`YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C420jpeg\n`);
    for (const [name, planes] of [
      ['original.y4m', originals],
      ['decoded.y4m', decoded],
    ] as const) {
      writeFileSync(
        join(folder, name),
        Buffer.concat([header, ...planes.flatMap(y => [Buffer.from('FRAME\n'), y, chroma])]),
      );
    }
    const choice = await findVmaf({ width, height });
    if ('leftOut' in choice) throw new Error(choice.leftOut);
    const run = await choice.open();
    for (const [i, y] of originals.entries()) await run.add({ y }, { y: decoded[i]! });
    const score = await run.finish();
    const { path } = await import('../../src/media/find-ffmpeg.js').then(({ describeFfmpeg }) => describeFfmpeg());
    const files = ['-i', 'decoded.y4m', '-i', 'original.y4m'];
    const args = ['-v', 'info', ...files, '-lavfi', 'libvmaf', '-f', 'null', '-'];
    const said = execFileSync('/bin/sh', ['-c', '"$0" "$@" 2>&1', path, ...args], { cwd: folder, encoding: 'utf8' });
    expect(score).toBe(Number(/VMAF score: ([\d.]+)/.exec(said)![1]));
    expect(score).toBeLessThan(98);
  });
});
