// Outputs that would lose each other or the input, and outputs without a name: refused before anything is read.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, linkSync, mkdirSync, openSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, expect, it } from 'vitest';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { CLI, listing, runCliHere } from './run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

beforeAll(() => {
  // No y4m: whoever reads it says so.
  for (const name of ['in.y4m', 'in.html', 'cut.m1v.partial']) writeFileSync(at(name), 'unread');
  for (const name of ['old.m1v', 'old.mpg']) writeFileSync(at(name), 'old');
  mkdirSync(at('sub'));
  symlinkSync('old.m1v', at('link'));
  symlinkSync('new.m1v', at('early'));
  symlinkSync('.', at('here'));
  linkSync(at('old.m1v'), at('second'));
  mkdirSync(at('frames'));
  for (const name of ['0.png', '1.png', 'notes.txt']) writeFileSync(at(join('frames', name)), 'unread');
});

it.each([
  ['the same name', 'encode in.y4m -o a.m1v --recon a.m1v', /--recon and -o are both a\.m1v/],
  ['another spelling', 'encode in.y4m -o a.m1v --recon ./sub/../a.m1v', /--recon and -o are both/],
  ['an absolute name', 'encode in.y4m -o a.m1v --vectors FOLDER/a.m1v', /--vectors and -o are both/],
  ['through a link to the folder', 'encode in.y4m -o a.m1v --vectors here/a.m1v', /--vectors and -o are both/],
  ['both beside -o', 'encode in.y4m -o a.m1v --recon r --vectors r', /--vectors and --recon are both r/],
  ['a link to the other', 'encode in.y4m -o old.m1v --recon link --overwrite', /--recon and -o are both link/],
  ['a link to what will be', 'encode in.y4m -o new.m1v --recon early --overwrite', /--recon and -o are both early/],
  [
    'a second name of the other',
    'encode in.y4m -o old.m1v --recon second --overwrite',
    /--recon and -o are both second/,
  ],
  ['the input', 'encode in.y4m -o a.m1v --recon in.y4m --overwrite', /--recon and the input are both in\.y4m/],
  [
    'the input under the name that a part would have',
    'encode cut.m1v.partial -o cut.m1v',
    /-o cut\.m1v would be kept as cut\.m1v\.partial after an interruption, which is the input: choose/,
  ],
  [
    'an output with that name',
    'encode in.y4m -o a.m1v --vectors a.m1v.partial',
    /-o a\.m1v would be kept as a\.m1v\.partial after an interruption, which is --vectors: choose/,
  ],
  [
    'a matrix',
    'encode in.y4m -o old.m1v --intra-matrix old.m1v --overwrite',
    /-o and --intra-matrix are both old\.m1v/,
  ],
  [
    'a matrix of predicted blocks',
    'encode in.y4m -o old.m1v --non-intra-matrix old.m1v --overwrite',
    /-o and --non-intra-matrix are both old\.m1v/,
  ],
  ['the sound', 'encode in.y4m -o old.mpg --audio old.mpg --overwrite', /-o and --audio are both old\.mpg/],
  ['the plan', 'encode in.y4m -o old.mpg --plan old.mpg --overwrite', /-o and --plan are both old\.mpg/],
  [
    'the input of a chunk',
    'encode-chunk p.json 0 --input in.y4m -o in.y4m --overwrite',
    /-o and --input are both in\.y4m/,
  ],
  ['the plan of the first pass', 'plan pass-0 --budgets old.mpg -o sub/../old.mpg', /-o and --budgets are both/],
  ['a file of the first pass', 'plan pass-0 old.mpg --budgets p.json -o old.mpg', /-o and input 2 are both/],
  ['a chunk', 'assemble p.json c-0 old.mpg -o old.mpg', /-o and the chunk old\.mpg are both old\.mpg/],
  ['the sound of chunks', 'assemble p.json c-0 -o old.mpg --audio old.mpg', /-o and --audio are both old\.mpg/],
  ['standard output twice', 'encode in.y4m -o - --recon /dev/stdout', /--recon and -o are both standard output/],
  [
    'standard output by its other name',
    'encode in.y4m -o - --recon /proc/self/fd/1',
    /--recon and -o are both standard/,
  ],
  [
    'standard output beside JSON',
    'encode in.y4m -o a.m1v --recon /dev/fd/1 --json',
    /--recon and --json are both stand/,
  ],
  [
    'standard output of compare',
    'compare in.y4m --csv /dev/stdout --json',
    /--csv and --json are both standard output/,
  ],
  [
    'standard output of estimate',
    'estimate in.y4m --vectors /dev/stdout --json',
    /--vectors and --json are both stand/,
  ],
  [
    'a mask',
    'estimate in.y4m --disparity in.html --mask old.mpg --csv old.mpg --overwrite',
    /--csv and --mask are both/,
  ],
  ['no name for a reconstruction', 'encode in.y4m -o a.m1v --recon EMPTY', /--recon is empty/],
  [
    '- for a reconstruction',
    'encode in.y4m -o a.m1v --recon -',
    /--recon - is not possible, only -o writes to standard/,
  ],
  ['- for vectors', 'estimate in.y4m --vectors -', /--vectors - is not possible: use a file/],
  [
    'a picture of a folder',
    'estimate frames --csv frames/0.png --overwrite',
    /--csv frames\/0\.png is a picture of the input: choose another file/,
  ],
  [
    'a picture of a pattern',
    'compare frames/%d.png --estimators zero --csv here/frames/1.png --overwrite',
    /--csv here\/frames\/1\.png is a picture of the input/,
  ],
  [
    'the folder of the input',
    'estimate frames --predicted here/frames --overwrite',
    /--predicted here\/frames is the folder of the input: choose another folder/,
  ],
  ['the folder of a glob of any name', 'estimate frames/*.png --overlay frames', /--overlay frames is the folder of/],
  ['the folder of a glob', 'locate 0.png frames/*.png -o frames --outline', /-o frames is the folder of input 1: /],
  ['no name for a folder', 'estimate in.y4m --overlay EMPTY', /--overlay is empty/],
  [
    'two outputs of estimate',
    'estimate in.y4m --vectors a.mpg --overlay-video a.mpg',
    /--overlay-video and --vectors are/,
  ],
  [
    'the name of a file for a folder',
    'estimate in.y4m --csv a.csv --residuals a.csv',
    /--residuals a\.csv needs a folder where --csv is a file: choose another name/,
  ],
  [
    'a folder in a file',
    'estimate in.y4m --overlay-video a.ts --flo ./a.ts/b',
    /--flo .* where --overlay-video is a file/,
  ],
  ['- for a report', 'compare in.y4m --estimators zero --report -', /--report -: .* must end in \.html/],
  ['the input as the report', 'compare in.html --estimators zero --report in.html', /--report and the input are both/],
])('%s', async (_, args, says) => {
  const before = listing(folder);
  const words = args.split(' ').map(word => (word === 'EMPTY' ? '' : word.replace('FOLDER', folder)));
  const { status, stdout, stderr } = await runCliHere(words, { cwd: folder });
  expect(stderr).toMatch(/^mpegpu: [^\n]+\n$/);
  expect(stderr).toMatch(says);
  expect(stdout.toString()).toBe('');
  expect(status).toBe(2);
  expect(listing(folder)).toEqual(before);
});

it.each([
  ['standard input', '- -o in.y4m', ['in.y4m', 'pipe'], /^mpegpu: -o and the input are both in\.y4m: choose another/],
  ['standard output', 'in.y4m -o old.m1v', ['ignore', 'old.m1v'], /^mpegpu: -o and standard output are both old\.m1v/],
] as const)('a file that is %s', async (_, args, ends, says) => {
  const stdio = ends.map(end => (end.includes('.') ? openSync(at(end), 'r+') : (end as 'pipe')));
  const words = [CLI, 'encode', ...args.split(' '), '--overwrite'];
  const child = spawn(process.execPath, words, { cwd: folder, stdio: [...stdio, 'pipe'] });
  for (const end of stdio) if (typeof end === 'number') closeSync(end);
  const [text] = await once(child.stderr!, 'data');
  expect(String(text)).toMatch(says);
  expect(readFileSync(at('old.m1v'), 'latin1')).toBe('old');
});

it('files beside the pictures of a folder may be replaced', async () => {
  const line = ['estimate', 'frames', '--csv', 'frames/notes.txt', '--overwrite'];
  const { stderr } = await runCliHere(line, { cwd: folder });
  expect(stderr).toMatch(/frames\/0\.png is not an image/);
});

it('drawings may lie beside an image that is read by its name', async () => {
  const line = ['locate', 'frames/0.png', 'frames/1.png', '-o', 'frames', '--outline'];
  const { stderr } = await runCliHere(line, { cwd: folder });
  expect(stderr).toMatch(/frames\/0\.png is not an image/);
});

it.each(['frames/%d.png --overlay frames', 'frames/[0-9].png --residuals frames', 'frames --flo frames'])(
  'a folder to which an input loses nothing may be named: estimate %s',
  async args => {
    const { stderr } = await runCliHere(['estimate', ...args.split(' ')], { cwd: folder });
    expect(stderr).toMatch(/frames\/0\.png is not an image/);
  },
);

it('devices and different files may be named', async () => {
  const { stderr } = await runCliHere(
    ['encode', 'in.y4m', '-o', 'a.m1v', '--recon', '/dev/null', '--vectors', '/dev/null'],
    { cwd: folder },
  );
  expect(stderr).toMatch(/in\.y4m is not a y4m|in\.y4m.*y4m/);
});
