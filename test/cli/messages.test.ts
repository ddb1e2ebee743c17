// What the command line says of mistakes, in the words of its user.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { type FlagRow, flagName } from '../../src/cli/flags/flag-row.js';
import { ENCODER_FLAGS } from '../../src/cli/flags/flag-table.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { runCliHere } from './run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

beforeAll(async () => {
  const frames = generateSample({ kind: 'pan', width: 48, height: 32, frames: 2, seed: 5 });
  await writeY4m(at('clip.y4m'), frames, 25, () => {});
  writeFileSync(at('raw.yuv'), new Uint8Array(48 * 32 * 1.5));
  writeFileSync(at('-raw.yuv'), '');
  writeFileSync(at('zero.mp4'), '');
  writeFileSync(at('nine.txt'), `9 ${'16 '.repeat(63)}`);
  writeFileSync(at('big.txt'), `8 ${'300 '.repeat(63)}`);
  for (const count of [63, 65]) writeFileSync(at(`${count}.txt`), `# ${count}\n8 ${'16, '.repeat(count - 1)}`);
  writeFileSync(at('long.txt'), `8 ${'16 '.repeat(63)}${'#'.repeat(1 << 16)}`);
  writeFileSync(at('half.txt'), `8 ${'16.5 '.repeat(63)}`);
  writeFileSync(at('existing.mpg'), 'mine');
});

const said = async (line: string): Promise<string> => {
  const { status, stderr } = await runCliHere(line.split(' '), { cwd: folder });
  expect(status, stderr).toBe(2);
  expect(stderr).toMatch(/^mpegpu: [^\n]+\n$/);
  return stderr.slice('mpegpu: '.length, -1);
};

/** What stands after `encode clip.y4m -o out.mpg`, and what is said. */
const OF_FLAGS: readonly (readonly [flags: string, message: string | RegExp])[] = [
  // a typo gets the nearest name, whatever its case
  ['--preset fsat', "--preset is 'fsat' (did you mean fast?); legal: fastest, fast, balanced, best, smallest"],
  ['--preset Best', "--preset is 'Best' (did you mean best?); legal: fastest, fast, balanced, best, smallest"],
  ['--preset medium', "--preset is 'medium'; legal: fastest, fast, balanced, best, smallest"],
  ['--target vdc', "--target is 'vdc' (did you mean vcd?); legal: vcd, jsmpeg"],
  ['--matrix falt', "--matrix is 'falt' (did you mean flat?); legal: standard, flat, tuned"],
  ['--tool trellis=chosn', "--tool trellis is 'chosn' (did you mean chosen?); legal: none, chosen, all"],
  ['--range pictur', "--range is 'pictur' (did you mean picture?); legal: N, XxY or picture, such as 16 or 64x32"],
  ['--range 100000', "--range is 100000; legal: whole numbers 0..4095 of pels along x and y, or 'picture'"],
  ['--slices row', "--slices is 'row' (did you mean rows?); legal: a whole number from 1 to 175 or 'rows'"],
  ['--bitrte 1M', "unknown option '--bitrte' (Did you mean --bitrate?)"],
  ['-q 4', "unknown option '-q'; did you mean --q?"],
  ['--xyzzy', "unknown option '--xyzzy'; --help lists the options"],
  // options are named as they are written here
  ['--bframes 8', '--bframes 8 is not a whole number from 0 to 7'],
  ['--aq-strength 5', '--aq-strength 5 is not a number from 0 to 4'],
  ['--tool joint-rounds=99', '--tool joint-rounds 99 is not a whole number from 0 to 16'],
  ['--bitrate 10', '--bitrate 10 is not a number from 1000 to 104856800 bit/s'],
  ['--q 4 --bitrate 1M', '--q and --bitrate exclude each other: choose one'],
  ['--vbv 40960', '--vbv needs --bitrate: give both'],
  ['--size 48x32', '--size is only for raw video (.yuv), which clip.y4m is not: --scale changes the size'],
  ['--crop 64x48+0+0', '--crop 64x48+0+0 does not lie within clip.y4m, which is 48x32'],
  ['--start-timecode 00:00:00:25', '--start-timecode 00:00:00:25 has 25 frames; legal: 0..24'],
  ['--intra-matrix nine.txt', 'nine.txt: --intra-matrix starts with 9: the weight of the intra DC must be 8'],
  ['--intra-matrix big.txt', 'big.txt: --intra-matrix[1] 300 is not a whole number from 1 to 255'],
  ['--non-intra-matrix big.txt', 'big.txt: --non-intra-matrix[1] 300 is not a whole number from 1 to 255'],
  ['--intra-matrix 63.txt', '63.txt has 63 weights, not 64'],
  ['--non-intra-matrix 65.txt', '65.txt has 65 weights, not 64'],
  ['--intra-matrix long.txt', /^long\.txt .*65536/],
  ['--intra-matrix half.txt', "half.txt: '16.5' is not a whole number"],
  [
    '--target vcd',
    '--target vcd needs 352x240 at 23.976 or 29.97, or 352x288 at 25, not 48x32 at 25 frames per second: --scale and --fps change it',
  ],
  ['--audio nnoe', '--audio nnoe cannot be read: there is no such file or folder (ENOENT) (did you mean none?)'],
  ['--audio zero.mp4', '--audio zero.mp4 is empty: it holds no sound'],
  ['--threads 999999999999', /^--threads 999999999999 is not a whole number from 1 to \d+/],
  ['--recon r.yuv', '--recon r.yuv would be y4m: give it a name that ends in .y4m'],
  // numbers that nobody gave say where they come from
  [
    '--bitrate 1M --maxrate 500k',
    '--maxrate 500000 is less than --bitrate 1000000, the mean; legal: 1000000..104856800',
  ],
  ['--gop-min 20', '--gop-min 20 is more than --gop, which is 12; legal: 1..12'],
  [
    '--bitrate 1M --cbr --vbv 3000',
    "the decoder's buffer has 2048 bytes (--vbv 3000, rounded down to a multiple of 2048), and it holds less than what comes in from one picture to the next: give --vbv at least 6144",
  ],
  [
    '--bitrate 1000 --cbr',
    "--bitrate is too low: the decoder's buffer has 109 bytes (what --cbr brings in 0.73 s, the longest delay that MPEG-1 can state, at 1200 bit/s), and an I picture of 48x32 may not fit into it: give at least 8800",
  ],
  [
    '--bitrate 1000 --maxrate 1000',
    '--bitrate is too low for 48x32 with an I picture every 12 pictures (--gop): give at least 8800, or a greater --gop',
  ],
];

/** Whole command lines. */
const OF_INPUTS: readonly (readonly [line: string, message: string | RegExp])[] = [
  ['encode clip.y4n -o out.mpg', 'no such file or folder: clip.y4n (did you mean clip.y4m?)'],
  ['encode -raw.yuv -o out.mpg', "unknown option '-raw.yuv'; for the file of this name, write ./-raw.yuv"],
  [
    'encode https://example.org/?a.mp4 -o out.mpg',
    'https://example.org/?a.mp4 is a URL, and inputs are files of this machine: download it first',
  ],
  ['estimate clip.y4m --frames 1', '--frames 1 leaves a single frame: motion takes two or more'],
  ['compare clip.y4m --frames 1', '--frames 1 leaves one frame: 2 are needed'],
  ['devices gpu', "too many arguments for 'devices'. Expected 0 arguments but got 1."],
  ['encode zero.mp4 -o out.mpg', 'zero.mp4 is empty: it holds no frames'],
  [
    'encode raw.yuv -o out.mpg',
    'raw.yuv is raw video, which does not say its size: give it with --size, as in 352x288',
  ],
  ['encode clip.y4m -o out.mgp', /^output out\.mgp ends in \.mgp \(did you mean \.mpg\?\): use one of /],
  ['encode clip.y4m -o existing.mpg', 'output existing.mpg exists already: choose another name, or use --overwrite'],
  ['encode clip.y4m', "required option '-o, --output <file>' not specified"],
  [
    'plan clip.y4m -o plan.json --latency low',
    '--latency is for live pictures, and a plan is made when all frames are there: leave it out',
  ],
  [
    'plan clip.y4m -o plan.json --intra-refresh columns',
    '--intra-refresh is for live pictures, and a plan is made when all frames are there: leave it out',
  ],
  ['encode -o out.mpg', "missing required argument 'input': see --help"],
  ['encod clip.y4m', /^unknown command 'encod' \(Did you mean encode\?\); legal: encode, plan, /],
  ['estimate clip.y4m --against zreo', /^--against 'zreo' does not exist \(did you mean zero\?\); legal: auto, /],
  ['compare clip.y4m --estimators zero,cpu-ful', /^--estimators 'cpu-ful' does not exist \(did you mean cpu-full\?\)/],
  ['compare clip.y4m --estimators zero --repeat 0', '--repeat 0 is not a whole number from 1 to 1000'],
  [
    'plan clip.y4m -o plan.json --target vcd',
    /^--target vcd needs a decoder's buffer.*keep to --q, to --quality, or to /,
  ],
  ['farm submit clip.y4m -o out.m1v --audio a.wav', /^--audio a\.wav: out\.m1v takes the bare video stream.*; use /],
  ['farm submit clip.y4m -o out.mpg --audio-bitrate 5', /^--audio-bitrate 5 is not a rate of MPEG-1 Layer II; legal: /],
];

describe('a mistake is told as the user wrote it', () => {
  it.each(OF_FLAGS)('%s', async (flags, message) => {
    const told = await said(`encode clip.y4m -o out.mpg ${flags}`);
    if (typeof message === 'string') expect(told).toBe(message);
    else expect(told).toMatch(message);
  });

  it.each(OF_INPUTS)('%s', async (line, message) => {
    if (typeof message === 'string') expect(await said(line)).toBe(message);
    else expect(await said(line)).toMatch(message);
  });

  it('names reach the terminal without their control characters', async () => {
    const name = 'red\x1bM\x07\x7f\x9b.m1v';
    const shown = 'red?M???.m1v';
    const run = (...line: string[]) => runCliHere(line, { cwd: folder });
    expect((await run('encode', name, '-o', 'x.mpg')).stderr).toBe(`mpegpu: no such file or folder: ${shown}\n`);
    const { stdout } = await run('encode', 'clip.y4m', '-o', name);
    expect(stdout.toString().split('\n')[0]).toBe(`${shown}: 2 frames, 48x32, 25 frames/s`);
    const planned = await run('plan', 'clip.y4m', '-o', 'a\nb.json');
    expect(planned.stdout.toString().split('\n')[0]).toBe('a?b.json: 2 frames, 48x32');
  });

  it.each([
    [1, ''],
    [2, ' (100 %: one thread all the time)'],
  ])('the summary says of what the shares of %i threads are', async (threads, ofWhat) => {
    const line = `encode clip.y4m -o shares${threads}.m1v --threads ${threads}`;
    const { stdout } = await runCliHere(line.split(' '), { cwd: folder });
    const [time] = /^ {2}time .*$/m.exec(stdout.toString())!;
    expect(time.replace(/^.* \d+ %/, '')).toBe(ofWhat);
  });

  it('the least values that messages name are enough', async () => {
    for (const flags of ['--bitrate 1M --cbr --vbv 6144', '--bitrate 8800 --cbr', '--bitrate 8800 --maxrate 8800']) {
      const { status, stderr } = await runCliHere(`encode clip.y4m -o enough.m1v --overwrite ${flags}`.split(' '), {
        cwd: folder,
      });
      expect(status, stderr).toBe(0);
    }
  });
});

describe('every flag with named values', () => {
  const named = Object.entries(ENCODER_FLAGS).flatMap(([name, { values }]: [string, FlagRow]) =>
    (values?.names ?? []).map(legal => [flagName(name), legal] as const),
  );

  it.each(named)('--%s knows %s by a typo and in upper case', async (flag, legal) => {
    const typo = legal.length > 3 ? `${legal.slice(0, -2)}${legal.at(-1)}${legal.at(-2)}` : legal;
    for (const word of [typo === legal ? `${legal}x` : typo, legal.toUpperCase()]) {
      const message = await said(`encode clip.y4m -o out.mpg --${flag} ${word}`);
      expect(message.startsWith(`--${flag} is '${word}' (did you mean ${legal}?); legal: `), message).toBe(true);
    }
  });
});
