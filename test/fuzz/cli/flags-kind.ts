// Mistakes of users, on the command line and in a program: one error that says what would be right.
import fc from 'fast-check';
import { type CliRun, runCli, runCliHere } from '../../cli/run-cli.js';
import { drawFrames } from '../encode/contents.js';
import { checkOddOption, type OddOption, oddOptions } from '../encode/odd-options.js';
import { type FuzzKind, type Outcome, require } from '../runner/fuzz-kind.js';
import { checkErrorLine, checkFiles } from './check-refusal.js';
import { namesIn, writeInput } from './input-files.js';
import { type OddLine, oddLines } from './odd-arguments.js';

const SCENE = { kind: 'text', value: 0, seed: 1, dx: 2, dy: 1, chroma: 'noise', frames: 2 } as const;

export const flagsKind: FuzzKind<OddLine | OddOption> = {
  cases: fc.oneof<fc.MaybeWeightedArbitrary<OddLine | OddOption>[]>(
    { weight: 3, arbitrary: oddLines },
    { weight: 1, arbitrary: oddOptions },
  ),
  percent: 12,
  limitSeconds: 60,
  check: (given, folder) => ('option' in given ? checkOddOption(given) : checkLine(given, folder)),
};

async function checkLine({ command, args, isProcess }: OddLine, folder: string): Promise<Outcome> {
  await writeInput('y4m', drawFrames([SCENE], 20, 18, 2), folder);
  const before = namesIn(folder);
  const line = [...command.split(' '), ...args];
  // Standard input, and what goes to standard output, need a process.
  const needsProcess = isProcess || args.some(text => text === '-' || text === '-o-');
  const run: CliRun = await (needsProcess ? runCli(line, { cwd: folder }) : runCliHere(line, { cwd: folder }));
  if (run.status !== 0) {
    checkErrorLine(run);
    checkFiles(folder, before);
    return 'refused';
  }
  const hidden = namesIn(folder).filter(name => name.startsWith('.') && !args.includes(name));
  require(hidden.length === 0, () => `it leaves hidden files: ${hidden.join(', ')}`);
  return 'right';
}
