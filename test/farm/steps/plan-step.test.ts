// What planning refuses before it reads a frame: the output is made in the last step, when everything is coded.
import { existsSync, linkSync, mkdirSync, readdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { FarmRequest } from '../../../src/farm/jobs/farm-request.js';
import { makePlanOf } from '../../../src/farm/steps/plan-step.js';
import { StepContext } from '../../../src/farm/steps/step-context.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const root = temporaryFolder();
const at = (name: string) => join(root, name);
const context = new StepContext(
  { roots: { file: root, s3: ['films'] }, scratch: at('scratch') },
  { onProgress: () => {}, onWarning: () => {} },
);
const places = { input: 'file:film.y4m', output: 'file:out.mpg', store: 'file:store' };
const given = { ...places, reading: {}, options: { q: 4 }, sound: { audio: 'none' }, overwrite: true };

beforeAll(() => {
  const frame = `FRAME\n${'x'.repeat(384)}`;
  writeFileSync(at('film.y4m'), `YUV4MPEG2 W16 H16 F25:1 Ip A1:1 C420jpeg\n${frame}${frame}`);
  writeFileSync(at('tone.wav'), 'unread');
  for (const name of ['frames', 'folder.mpg']) mkdirSync(at(name));
  writeFileSync(at('frames/0.png'), 'unread');
  symlinkSync('.', at('here'));
  symlinkSync('film.y4m', at('link.mpg'));
  linkSync(at('film.y4m'), at('second.mpg'));
  linkSync(at('tone.wav'), at('tone.mpg'));
  linkSync(at('frames/0.png'), at('picture.mpg'));
});
afterEach(() => context.close());

/** Plans a request, as the first step of a job does. */
function plan(request: Partial<FarmRequest>) {
  const asked = { ...given, ...request };
  return makePlanOf(asked, context);
}

it.each<[string, Partial<FarmRequest>, RegExp]>([
  ['a link to the input', { output: 'file:link.mpg' }, /^output and the input are both .*link\.mpg: choose another/],
  ['a second name of the input', { output: 'file:second.mpg' }, /^output and the input are both .*second\.mpg/],
  ['the input by way of a link', { output: 'file:here/second.mpg' }, /^output and the input are both .*here\/second/],
  [
    'the sound',
    { output: 'file:tone.mpg', sound: { audio: 'file:here/tone.wav' } },
    /^output and audio are both .*tone/,
  ],
  [
    'a picture of the input',
    { output: 'file:picture.mpg', input: 'file:frames' },
    /^output .* is a picture of the inp/,
  ],
  ['an unknown ending', { output: 'file:out.mp5' }, /^output out\.mp5 ends in \.mp5 .*: use one of \.m1v, /],
  ['an unknown ending in a bucket', { output: 's3://films/out' }, /^output out has no ending that names a container/],
  [
    'what JSMpeg does not play',
    { options: { q: 4, target: 'jsmpeg' } },
    /^target jsmpeg is for \.ts, .*not for out\.mpg/,
  ],
  ['a file in no folder', { output: 'file:no/out.mpg' }, /^output folder does not exist: .*no \(for .*; make it first/],
  ['a folder', { output: 'file:folder.mpg' }, /^output .*folder\.mpg is a folder: a file name is needed/],
  ['a name that is too long', { output: `file:${'n'.repeat(252)}.mpg` }, /n\.mpg cannot be written: ENAMETOO/],
  ['a file that is there', { output: 'file:tone.mpg', overwrite: false }, /tone\.mpg exists already: .*use overwrite/],
])('refuses as the output %s', async (_, request, message) => {
  await expect(plan(request)).rejects.toMatchObject({ name: 'OptionError', message: expect.stringMatching(message) });
  expect(existsSync(at('store'))).toBe(false);
});

it('takes an output of its own, and leaves what is there alone', async () => {
  writeFileSync(at('out.mpg'), 'old');
  const before = readdirSync(root);
  expect(await plan({})).toMatchObject({ frames: 2, chunks: 1 });
  expect(readdirSync(root).filter(name => name !== 'store')).toEqual(before);
  expect(readFileSync(at('out.mpg'), 'latin1')).toBe('old');
});
