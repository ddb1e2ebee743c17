// Damaged inputs: a right encode of what is left, or one error that names the file; no crash, no hang, no flood.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { runCliHere } from '../../cli/run-cli.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, framesFromY4m } from '../../support/decoders.js';
import { checkErrorLine, checkFiles } from '../cli/check-refusal.js';
import { type FuzzKind, require } from '../runner/fuzz-kind.js';
import { type Mutation, mutate, mutations } from './mutations.js';
import { makeSeedFiles, SEED_FILES, type SeedName, type Use } from './seed-files.js';

/** A damaged file. */
export interface InputCase {
  readonly file: SeedName;
  readonly mutations: readonly Mutation[];
}

/** Made by the first case of a process. */
const seeds: { files?: ReturnType<typeof makeSeedFiles> } = {};
const MAX_FRAMES = '12';

export const inputsKind: FuzzKind<InputCase> = {
  cases: fc.record({ file: fc.constantFrom(...(Object.keys(SEED_FILES) as SeedName[])), mutations }),
  percent: 12,
  limitSeconds: 60,

  async check({ file, mutations }, folder) {
    seeds.files ??= makeSeedFiles();
    const files = await seeds.files;
    writeFileSync(join(folder, file), mutate(files.get(file)!, mutations));
    const use: Use = SEED_FILES[file];
    const other = use === 'input' ? [] : ['in.y4m'];
    for (const name of other) writeFileSync(join(folder, name), files.get('in.y4m')!);
    const [command, ...input] = use === 'input' ? ['encode', file] : [use.command, 'in.y4m', use.flag, file];
    const output = command === 'encode' ? ['-o', 'out.m1v', '--recon', 'recon.y4m', '--preset', 'fast'] : [];
    const line = [command!, ...input, ...output, '--frames', MAX_FRAMES, '--estimator', 'zero', '--quiet'];
    if (command === 'encode') line.push('--threads', '1');
    const run = await runCliHere(line, { cwd: folder });
    if (run.status !== 0) {
      checkErrorLine(run);
      require(run.stderr.includes(file), () => `the error does not name ${file}: ${run.stderr}`);
      const isKept = run.stderr.includes('.partial');
      checkFiles(folder, [file, ...other, ...(isKept ? ['out.m1v.partial', 'recon.y4m.partial'] : [])]);
      if (isKept) await checkEncode(folder, '.partial');
      return 'refused';
    }
    if (command === 'encode') await checkEncode(folder);
    return 'right';
  },
};

/** What could be read is encoded rightly. */
async function checkEncode(folder: string, ending = ''): Promise<void> {
  const recon = framesFromY4m(readFileSync(join(folder, `recon.y4m${ending}`)));
  require(recon.length > 0, () => 'no frame was encoded');
  expectSameFrames(await decodeWithFfmpeg(join(folder, `out.m1v${ending}`)), recon, 'as ffmpeg shows it');
}
