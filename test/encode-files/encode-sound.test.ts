// Tests of the choice of the sound while the run is being stopped: Ctrl-C in a terminal ends ffmpeg, too.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { chooseSound, soundRequest } from '../../src/encode-files/encode-sound.js';
import { asProperty } from '../../src/errors.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';

const folder = temporaryFolder();
const path = join(folder, 'notes.txt');
writeFileSync(path, 'no sound\n');

const INTERRUPTED = { name: 'Interrupted', message: 'interrupted while the sound was opened: nothing was kept' };

it.each([
  ['a file that is named', path, { name: 'InputError', message: expect.stringMatching(/^audio .*notes\.txt/) }],
  ['the input', 'auto', undefined],
] as const)('of %s: its failure after a signal is the interruption', async (_, audio, failure) => {
  const notes: string[] = [];
  const choose = (stop: AbortSignal) => {
    const request = soundRequest({ audio, output: 'out.mpg' }, undefined, note => notes.push(note), asProperty);
    return chooseSound(request, { input: path, soundTracks: 1, output: 'out.mpg' }, { stop, abort: stop });
  };
  if (failure) await expect(choose(new AbortController().signal)).rejects.toMatchObject(failure);
  else expect(await choose(new AbortController().signal)).toMatchObject({ reason: expect.stringMatching(/cannot be/) });
  expect(notes).toHaveLength(failure ? 0 : 1);
  await expect(choose(AbortSignal.abort())).rejects.toMatchObject(INTERRUPTED);
  expect(notes).toHaveLength(failure ? 0 : 1);
});
