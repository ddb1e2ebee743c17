// What encode makes of an input: the shape of the pels, pictures that are changed, warnings.
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { listing, runCliHere } from '../run-cli.js';

const folder = temporaryFolder();
readWithPackagedFfmpeg();
const at = (name: string) => join(folder, name);
mkdirSync(at('images'));
runPackagedFfmpeg(
  ...['-f', 'lavfi', '-i', 'testsrc2=size=48x32:rate=25,format=yuv420p'],
  ...['-frames:v', '4', '-vf', 'setsar=16/15', at('wide.y4m')],
  ...[
    '-frames:v',
    '4',
    '-vf',
    'setsar=32/27,setfield=tff',
    '-c:v',
    'mpeg2video',
    '-flags',
    '+ildct+ilme',
    at('fields.ts'),
  ],
  ...['-frames:v', '2', '-vf', 'format=rgba,geq=r=255:g=255:b=255:a=0', at('images/%d.png')],
  ...['-frames:v', '2', '-vf', 'scale=352:288,setsar=12/11', at('disc.y4m')],
);

const encode = (...args: string[]) =>
  runCliHere(['encode', ...args, '--estimator', 'zero', '--overwrite'], { cwd: folder });

/** pel_aspect_ratio of an elementary stream: the 4 bits after the two sizes of 12; ISO/IEC 11172-2 §2.4.2.3. */
const shapeCode = (name: string) => readFileSync(at(name))[7]! >> 4;

describe('the shape of the pels', () => {
  it.each([
    ['wide.y4m', '', 8],
    ['wide.y4m', '--aspect sar=1:1', 1],
    ['wide.y4m', '--aspect 4:3', 12],
    ['wide.y4m', '--scale 48x36', 6],
    ['fields.ts', '--deinterlace', 6],
    ['images', '--aspect 16:9', 6],
    ['disc.y4m', '--target vcd', 8],
    ['disc.y4m', '--target vcd --aspect sar=1:1', 1],
  ])('of %s with %j is code %d', async (input, flags, code) => {
    const { status, stderr } = await encode(input, '-o', 'out.m1v', ...flags.split(' ').filter(Boolean));
    expect([status, stderr.match(/\n/g)?.length ?? 0]).toEqual([0, stderr === '' ? 0 : 1]);
    expect(shapeCode('out.m1v')).toBe(code);
  });

  it('is told where MPEG-1 has none that is near', async () => {
    const near = await encode('wide.y4m', '-o', 'out.m1v', '--aspect', 'sar=12:11');
    expect(near.stderr).toBe('');
    const { stderr } = await encode('wide.y4m', '-o', 'out.m1v', '--recon', 'recon.y4m');
    expect(stderr).toBe(
      "mpegpu: wide.y4m has pels of 1.0667:1; MPEG-1's nearest shape is 1.0921:1, so players show the picture 2.4 % wider: " +
        '--scale can make them square\n',
    );
    expect(readFileSync(at('recon.y4m'), 'latin1').split('\n')[0]).toBe('YUV4MPEG2 W48 H32 F25:1 Ip A16:15 C420jpeg');
  });
});

describe('warnings', () => {
  it('are in the report, a line each on standard error, and not there with --quiet', async () => {
    const { status, stdout, stderr } = await encode(
      'fields.ts',
      '-o',
      'out.m1v',
      '--json',
      '--passes',
      '2',
      '--bitrate',
      '1M',
    );
    const { warnings, frames } = JSON.parse(stdout.toString());
    expect([status, frames]).toEqual([0, 4]);
    expect(warnings).toContain(
      'fields.ts is interlaced, top field first, and is taken as it is: --deinterlace makes it progressive',
    );
    expect(stderr).toBe(warnings.map((warning: string) => `mpegpu: ${warning}\n`).join(''));
    const quiet = await encode('fields.ts', '-o', 'out.m1v', '--quiet');
    expect([quiet.status, quiet.stderr, quiet.stdout.toString()]).toEqual([0, '', '']);
    const none = await encode('images', '-o', 'out.m1v', '--json', '--background', 'white');
    expect(JSON.parse(none.stdout.toString()).warnings).toEqual([
      expect.stringMatching(/^images has an alpha channel: .*white/),
    ]);
  });
});

it('the size is that of --crop and --scale', async () => {
  const run = await encode('images', '-o', 'out.m1v', '--crop', '32x16+8+8', '--scale', '64x48', '--json');
  expect(JSON.parse(run.stdout.toString())).toMatchObject({ width: 64, height: 48, frames: 2 });
});

it('--strict refuses y4m and JPEG that are damaged: status 1, and nothing is kept', async () => {
  const bytes = readFileSync(at('wide.y4m'));
  writeFileSync(at('cut.y4m'), bytes.subarray(0, bytes.length - 9));
  runPackagedFfmpeg('-i', at('disc.y4m'), '-frames:v', '1', at('cut.jpg'));
  const jpeg = readFileSync(at('cut.jpg'));
  writeFileSync(at('cut.jpg'), Buffer.concat([jpeg.subarray(0, -900), jpeg.subarray(-2)]));
  const before = listing(folder);
  for (const input of ['cut.y4m', 'cut.jpg']) {
    const { status, stderr } = await encode(input, '-o', 'strict.m1v', '--strict', '--aspect', 'sar=1:1');
    expect(stderr).toMatch(/^mpegpu: cut\.[^\n]*; --strict: nothing was kept\n$/);
    expect(status).toBe(1);
  }
  expect(listing(folder)).toEqual(before);
});
