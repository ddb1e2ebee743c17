// Mistakes of the user and lacks of the machine: one line on standard error, the right exit status, no output.
import { execFileSync, spawnSync } from 'node:child_process';
import {
  closeSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  openSync,
  readFileSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { join } from 'node:path';
import { allowedNodeEnvironmentFlags } from 'node:process';
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../samples/write-frames.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { decodeWithFfmpeg, framesFromY4m } from '../support/decoders.js';
import { readWithPackagedFfmpeg, runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { CLI, listing, runCli, runCliHere } from './run-cli.js';

const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);
const sample = (width: number, height: number) => generateSample({ kind: 'pan', width, height, frames: 3, seed: 5 });

beforeAll(async () => {
  await writePngFolder(at('good'), sample(48, 32), () => {});
  await writeY4m(at('good.y4m'), sample(48, 32), 25, () => {});
  await writeY4m(at('slow.y4m'), sample(48, 32), 15, () => {});
  await writePngFolder(at('other'), sample(64, 32), () => {});
  const whole = readFileSync(at('good.y4m'));
  writeFileSync(at('truncated.y4m'), whole.subarray(0, whole.length - 100));
  writeFileSync(at('truncated-at-once.y4m'), whole.subarray(0, 100));
  runPackagedFfmpeg('-stream_loop', '9', '-i', at('good.y4m'), '-c:v', 'ffv1', at('whole.mkv'));
  const video = readFileSync(at('whole.mkv'));
  writeFileSync(at('truncated.mkv'), video.subarray(0, video.length >> 1));
  writeFileSync(at('raw.yuv'), whole.subarray(whole.length - 48 * 32 * 1.5));
  execFileSync('mkfifo', [at('pipe.y4m')]);
  writeFileSync(at('existing.mpg'), 'mine');
  writeFileSync(at('short.txt'), '8 16 19');
  writeFileSync(at('ones.txt'), `8 ${'1 '.repeat(63)}`);
  writeFileSync(at('no-factory.mjs'), 'export const answer = 42;');
  for (const name of ['empty', 'mixed', 'broken', 'text']) mkdirSync(at(name));
  copyFileSync(at('good', 'frame0000.png'), at('mixed', 'a.png'));
  copyFileSync(at('other', 'frame0000.png'), at('mixed', 'b.png'));
  copyFileSync(at('good', 'frame0000.png'), at('broken', 'a.png'));
  writeFileSync(at('broken', 'b.png'), readFileSync(at('good', 'frame0001.png')).subarray(0, 400));
  writeFileSync(at('text', 'notes.png'), 'not a picture');
});

/** Arguments after `encode`, and what the one line must say. */
const MISTAKES: readonly (readonly [title: string, args: string, says: RegExp])[] = [
  ['no such folder', 'nowhere -o out.mpg', /nowhere/],
  ['an empty folder', 'empty -o out.mpg', /empty holds no images/],
  ['mixed sizes', 'mixed -o out.mpg', /b\.png is 64x32.*a\.png is 48x32/],
  ['an undecodable frame', 'broken -o out.mpg', /b\.png cannot be decoded/],
  ['a text file called .png', 'text -o out.mpg', /notes\.png is not an image/],
  ['raw input without --size', 'raw.yuv -o out.mpg', /raw\.yuv.*--size/],
  ['raw input with a wrong --size', 'raw.yuv -o out.mpg --size 50x32', /raw\.yuv.*whole number of 50x32/],
  ['an empty standard input', '- -o out.mpg', /standard input is empty/],
  ['a rate that MPEG-1 lacks', 'slow.y4m -o out.mpg', /slow\.y4m has 15 frames.*--fps.*23\.976.*24, 25.*59\.94.*60/],
  ['an --fps that MPEG-1 lacks', 'good -o out.mpg --fps 15', /--fps is '15'.*23\.976.*24, 25.*59\.94.*60/],
  ['an unknown estimator', 'good -o out.mpg --estimator fast', /'fast'.*cpu-full.*cpu-mrmp.*zero/],
  [
    'an estimator module that is not there',
    'good -o out.mpg --estimator ./none.js',
    /\.\/none\.js of --estimator cannot be loaded: Cannot find module '[^']*none\.js'\n$/,
  ],
  ['an estimator module without a factory', 'good -o out.mpg --estimator ./no-factory.mjs', /exports no factory/],
  ['q 0', 'good -o out.mpg --q 0', /--q 0 .*1 to 31/],
  ['q 32', 'good -o out.mpg --q 32', /--q 32 .*1 to 31/],
  ['a q that is no number', 'good -o out.mpg --q fine', /--q is 'fine'; legal: a whole number from 1 to 31/],
  ['gop 0', 'good -o out.mpg --gop 0', /--gop 0/],
  ['an unknown preset', 'good -o out.mpg --preset quick', /quick.*fastest, fast, balanced, best, smallest/],
  ['an unknown tool', 'good -o out.mpg --tool magic=on', /'magic' does not exist; legal: .*trellis/],
  [
    'too many rounds',
    'good -o out.mpg --tool joint-rounds=99',
    /--tool joint-rounds 99 is not a whole number from 0 to 16/,
  ],
  ['an unknown metric', 'good -o out.mpg --metric ssd', /ssd.*sad, sse/],
  ['a wrong range', 'good -o out.mpg --range wide', /--range is 'wide'.*picture/],
  ['9 candidates', 'good -o out.mpg --candidates 9', /--candidates 9 .*1 to 8/],
  ['0 threads', 'good -o out.mpg --threads 0', /--threads 0 .*1 to 64/],
  ['0 frames', 'good -o out.mpg --frames 0', /--frames 0/],
  ['--size with images', 'good -o out.mpg --size 48x32', /--size is only for raw video.*--scale/],
  ['an unknown matrix', 'good -o out.mpg --matrix round', /round.*standard, flat/],
  [
    'two intra matrices',
    'good -o out.mpg --matrix flat --intra-matrix ones.txt',
    /--intra-matrix and --matrix exclude/,
  ],
  ['a matrix of three weights', 'good -o out.mpg --intra-matrix short.txt', /short\.txt has 3 weights, not 64/],
  ['a matrix file that is not there', 'good -o out.mpg --non-intra-matrix none.txt', /none\.txt cannot be read/],
  ['an output folder that does not exist', 'good -o missing/out.mpg', /folder does not exist: missing/],
  ['the same for a container of ffmpeg', 'good -o missing/out.mp4', /folder does not exist: missing/],
  ['an output that exists', 'good -o existing.mpg', /existing\.mpg exists already.*--overwrite/],
  ['an output without an ending', 'good -o out', /out has no ending.*\.mpg/],
  ['an output of unknown kind', 'good -o out.webm', /\.webm.*\.mpg/],
  ['a --recon folder that does not exist', 'good -o out.mpg --recon missing/r.y4m', /folder does not exist: missing/],
  ['no output', 'good', /--output/],
  ['no input', '-o out.mpg', /input/],
  ['two inputs', 'good good.y4m -o out.mpg', /too many arguments.*[Qq]uote/],
  ['an unknown option', 'good -o out.mpg --crf 3', /unknown option '--crf'/],
  ['--json with a stream on stdout', 'good -o - --json', /--json and -o -/],
  ['a bit rate in words', 'good -o out.mpg --bitrate fast', /--bitrate is 'fast'; legal: .*1\.15M/],
  ['a bit rate beyond MPEG-1', 'good -o out.mpg --bitrate 900M', /--bitrate 900000000 .*104856800 bit\/s/],
  ['--q with --quality', 'good -o out.mpg --quality 50 --q 4', /--q and --quality exclude each other/],
  ['a quality of words', 'good -o out.mpg --quality high', /--quality is 'high'; legal: a number from 0 to 100/],
  ['--q with --bitrate', 'good -o out.mpg --bitrate 1M --q 4', /--q and --bitrate exclude each other/],
  ['--cbr alone', 'good -o out.mpg --cbr', /--cbr needs --bitrate/],
  ['--cbr with --maxrate', 'good -o out.mpg --bitrate 1M --cbr --maxrate 2M', /--maxrate has no meaning beside --cbr/],
  [
    '--maxrate below --bitrate',
    'good -o out.mpg --bitrate 1M --maxrate 500k',
    /--maxrate 500000 is less than --bitrate 1000000/,
  ],
  ['a buffer that is too small', 'good -o out.mpg --bitrate 1M --cbr --vbv 100', /--vbv 100 .*2048/],
  ['three passes', 'good -o out.mpg --bitrate 1M --passes 3', /--passes 3 .*1, 2/],
  ['two passes of nothing', 'good -o out.mpg --passes 2', /--passes 2 needs --bitrate/],
  [
    'two passes of a pipe',
    '- -o out.mpg --bitrate 1M --passes 2',
    /--passes 2 reads the input twice, which - cannot be/,
  ],
  ['two passes of a named pipe', 'pipe.y4m -o out.mpg --bitrate 1M --passes 2', /twice, which pipe\.y4m cannot be/],
  ['a Video CD of another size', 'good -o out.mpg --target vcd', /target vcd needs 352x240/],
  ['JSMpeg in another container', 'good -o out.mpg --target jsmpeg', /jsmpeg is for \.ts/],
  ['an unknown target', 'good -o out.mpg --target dvd', /--target.*vcd, jsmpeg/],
  ['8 B pictures', 'good -o out.mpg --bframes 8', /--bframes 8 .*0 to 7/],
];

/** A process starts for each of these, which end in a place of their own; the others run in this process. */
const IN_A_PROCESS = /^no such|^no output|^an empty standard input|to a container of ffmpeg|on stdout$|of a pipe$/;

describe('a mistake of the user', () => {
  it.each(MISTAKES)('%s: one line, status 2, no output', async (title, args, says) => {
    const before = listing(folder);
    const words = args.split(' ');
    const estimator = args.includes('--estimator') ? [] : ['--estimator', 'zero'];
    const run = IN_A_PROCESS.test(title) ? runCli : runCliHere;
    const { status, stdout, stderr } = await run(['encode', ...words, ...estimator], { cwd: folder });
    expect(stderr).toMatch(/^mpegpu: [^\n]+\n$/);
    expect(stderr).toMatch(says);
    expect(stdout.toString()).toBe('');
    expect(status).toBe(2);
    expect(listing(folder)).toEqual(before);
  });

  it('leaves an existing output alone', () => {
    expect(readFileSync(at('existing.mpg'), 'utf8')).toBe('mine');
  });

  it.each([
    [['transcode', 'good'], runCli],
    [[], runCliHere],
    [['--nothing'], runCliHere],
  ])('%j is no command: status 2', async (args, run) => {
    const { status, stderr } = await run(args, { cwd: folder });
    expect(stderr).toMatch(/^mpegpu: [^\n]+\n$/);
    expect(status).toBe(2);
  });
});

describe('an input that ends early', () => {
  it.each([
    ['truncated.y4m', 'cut.mpg', /^truncated\.y4m is truncated: frame 2 .*; what was read is in cut\.mpg\.partial$/],
    ['truncated-at-once.y4m', 'none.mpg', /^truncated-at-once\.y4m is truncated: frame 0 .*; nothing was kept$/],
  ])('%s: one line, status 2, the pictures before it as .partial', async (input, output, says) => {
    const before = listing(folder);
    const args = ['encode', input, '-o', output, '--recon', `${output}.y4m`, '--estimator', 'zero'];
    const { status, stdout, stderr } = await runCliHere(args, { cwd: folder });
    expect(stderr.replace(/^mpegpu: (.*)\n$/, '$1')).toMatch(says);
    expect([status, stdout.toString()]).toEqual([2, '']);
    const kept = listing(folder).filter(name => !before.includes(name));
    if (output === 'none.mpg') {
      expect(kept).toEqual([]);
    } else {
      expect(kept).toEqual([`${output}.partial`, `${output}.y4m.partial`]);
      const decoded = await decodeWithFfmpeg(at(`${output}.partial`));
      expect(decoded.length).toBeGreaterThanOrEqual(2);
      expectSameFrames(decoded, framesFromY4m(readFileSync(at(`${output}.y4m.partial`))));
    }
  });
});

describe('a video that ffmpeg decodes with faults', () => {
  readWithPackagedFfmpeg(); // damaged-video.test.ts reads such videos with either
  const says = /^mpegpu: truncated\.mkv is damaged or ends early: ffmpeg (says|reports)[^\n]+ \(after \d+ pictures\)/;
  const encode = (...args: string[]) =>
    runCliHere(['encode', 'truncated.mkv', '--estimator', 'zero', ...args], { cwd: folder });

  it('is encoded as far as it goes, and one line says so, which the report repeats', async () => {
    const { status, stdout, stderr } = await encode('-o', 'cut.m1v', '--json');
    expect(stderr).toMatch(says);
    expect(stderr.match(/\n/g)).toHaveLength(1);
    const { frames, warnings } = JSON.parse(stdout.toString());
    expect(warnings).toEqual([stderr.slice('mpegpu: '.length, -1)]);
    expect(status).toBe(0);
    expect(frames).toBeGreaterThan(10);
    expect(frames).toBeLessThan(30);
    expect(await decodeWithFfmpeg(at('cut.m1v'))).toHaveLength(frames);
  });

  it('is told once although two passes read it twice, and not with --quiet', async () => {
    const twice = await encode('-o', 'twice.m1v', '--passes', '2', '--bitrate', '300k');
    expect([twice.status, twice.stderr.match(/damaged/g)?.length]).toEqual([0, 1]);
    const quiet = await encode('-o', 'quiet.m1v', '--quiet');
    expect([quiet.status, quiet.stderr]).toEqual([0, '']);
  });

  it('fails with --strict: one line, status 1, and nothing is kept', async () => {
    const before = listing(folder);
    const { status, stdout, stderr } = await encode('-o', 'strict.m1v', '--recon', 'strict.y4m', '--strict');
    expect(stderr).toMatch(says);
    expect(stderr).toMatch(/; --strict: nothing was kept\n$/);
    expect([status, stdout.toString()]).toEqual([1, '']);
    expect(listing(folder)).toEqual(before);
  });
});

describe('something this machine lacks', () => {
  afterEach(() => void vi.unstubAllEnvs());

  it('is one line and status 1, before any work is done', async () => {
    vi.stubEnv('FFMPEG_PATH', at('no-ffmpeg'));
    const args = ['encode', 'good', '-o', 'out.mp4', '--estimator', 'zero'];
    const { status, stderr } = await runCliHere(args, { cwd: folder });
    expect(stderr).toMatch(/^mpegpu: FFMPEG_PATH is [^\n]+\n$/);
    expect(status).toBe(1);
    expect(listing(folder)).not.toContain('out.mp4');
  });

  it.each([
    ['good', /^mpegpu: PNG, JPEG, TIFF and WebP need sharp, which Node loads with --allow-addons only\n$/],
    ['whole.mkv', /^mpegpu: ffmpeg is needed, which Node starts with --allow-child-process only\n$/],
  ])("what Node's permission model keeps from reading %s is named", async (input, message) => {
    const flag = ['--permission', '--experimental-permission'].find(name => allowedNodeEnvironmentFlags.has(name))!;
    const nodeArgs = ['--no-warnings', flag, '--allow-fs-read=*'];
    const { status, stderr } = await runCli(['encode', input, '-o', 'out.mpg'], { cwd: folder, nodeArgs });
    expect(stderr).toMatch(message);
    expect(status).toBe(1);
  });

  it('shows a stack only with MPEGPU_DEBUG=1', async () => {
    const args = ['encode', 'nowhere', '-o', 'out.mpg'];
    vi.stubEnv('MPEGPU_DEBUG', '1');
    const { stderr } = await runCliHere(args, { cwd: folder });
    expect(stderr).toMatch(/\n {4}at /);
  });

  it('an unknown kernel set is a mistake', async () => {
    const args = ['encode', 'good', '-o', 'out.mpg', '--estimator', 'zero'];
    const { status, stderr } = await runCli(args, { cwd: folder, env: { MPEGPU_KERNELS: 'turbo' } });
    expect(stderr).toMatch(/^mpegpu: MPEGPU_KERNELS 'turbo' does not exist; legal: simd, reference\n$/);
    expect(status).toBe(2);
  });
});

it.runIf(process.platform !== 'win32')('a folder as standard input is named as such', () => {
  const stdin = openSync(folder, 'r');
  const args = [CLI, 'encode', '-', '-o', 'out.mpg', '--estimator', 'zero'];
  const { status, stderr } = spawnSync(process.execPath, args, { cwd: folder, stdio: [stdin, 'ignore', 'pipe'] });
  closeSync(stdin);
  expect(stderr.toString()).toBe('mpegpu: standard input is a folder: a y4m stream is needed\n');
  expect(status).toBe(2);
});

it.runIf(existsSync('/dev/full'))('a full disk is no mistake of the user: exit status 1', async () => {
  symlinkSync('/dev/full', at('full.m1v'));
  const args = ['encode', 'good', '-o', 'full.m1v', '--estimator', 'zero'];
  const { status, stderr } = await runCliHere(args, { cwd: folder });
  expect(stderr).toMatch(/^mpegpu: full\.m1v cannot be written: ENOSPC.*\n$/);
  expect(status).toBe(1);
});
