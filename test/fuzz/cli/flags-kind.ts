// Garbled command lines, and options of the library with odd values: one error that says what would be right.
import fc from 'fast-check';
import { COMMANDS } from '../../../src/cli/flags/command-table.js';
import type { CommandName } from '../../../src/cli/flags/flag-row.js';
import { flagsOf } from '../../../src/cli/flags/flag-table.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import { ENCODER_OPTIONS } from '../../../src/encoder/settings/option-table.js';
import { OptionError } from '../../../src/errors.js';
import { runCli, runCliHere } from '../../cli/run-cli.js';
import { drawFrames } from '../encode/contents.js';
import { type FuzzKind, fail, type Outcome } from '../runner/fuzz-kind.js';
import { oddValues, revived } from '../runner/special-values.js';
import { checkErrorLine, checkFiles } from './check-refusal.js';
import { namesIn, writeInput } from './input-files.js';

/** A command line, or an option of the library, that is probably wrong. */
export type FlagsCase =
  | { readonly command: string; readonly args: readonly string[]; readonly isProcess: boolean }
  | { readonly option: string; readonly value: unknown };

const SCENE = { kind: 'text', value: 0, seed: 1, dx: 2, dy: 1, chroma: 'noise', frames: 2 } as const;
/** Names in the folder of a case, and what is there under them. */
const INPUT = 'in.y4m';
/** Status 0 is right for a command line that has turned out well. */
const COMMAND_NAMES = Object.keys(COMMANDS) as CommandName[];

const int = (min: number, max: number) => fc.integer({ min, max });
const flags = (command: CommandName) => flagsOf(command).flatMap(({ flags }) => flags);

/** Texts that a value may be mistyped as. */
const oddTexts = fc.oneof(
  fc.constantFrom('', ' ', '-', '--', '0', '-1', '1', '2', '5', '31', '32', '1e3', '0x10', '1.5', '999999999', '1e400'),
  fc.constantFrom('NaN', 'Infinity', 'null', 'true', 'on', 'off', '__proto__', '1,2,3'),
  fc.constantFrom('16x16', '0x0', '99999x99999', '8x', '25/0', '0/1', '30000/1001', 'picture', '100k', '9M', '1.15G'),
  fc.constantFrom('%d', '%05d.png', '*', '[', 'a=b', 'trellis=none', 'trellis=', '=', 'ü\u0000', 'a\nb', '\t', '🎞'),
  fc.constantFrom(
    INPUT,
    'nowhere.y4m',
    'out.mpg',
    'out.mp4',
    'out',
    '.mpg',
    'sub/out.mpg',
    'out.mpg/',
    '.',
    'a'.repeat(300),
  ),
  fc.string({ maxLength: 8 }),
  int(-5, 200).map(String),
);

/** One flag, whole or not. */
function oddFlag(command: CommandName): fc.Arbitrary<readonly string[]> {
  const known = fc.constantFrom(...flags(command)).chain(({ name, values, letter, negation }) => {
    const spelled = fc.constantFrom(
      ...[`--${name}`, `--${name}`, ...(letter ? [`-${letter}`] : []), ...(negation ? [`--no-${name}`] : [])],
    );
    const value = values
      ? fc.oneof({ weight: 9, arbitrary: oddTexts.map(text => [text]) }, fc.constant([]))
      : fc.constant([]);
    return fc.tuple(spelled, value).map(([flag, rest]) => [flag, ...rest]);
  });
  const unknown = fc.constantFrom(
    '--crf',
    '-z',
    '--Q',
    '--q=5',
    '--q=',
    '--no-q',
    '--tool=x',
    '--help',
    '--version',
    '-V',
    '---',
    '-o-',
  );
  return fc.oneof(
    { weight: 8, arbitrary: known },
    { weight: 1, arbitrary: unknown.map(flag => [flag]) },
    oddTexts.map(text => [text]),
  );
}

const commandLines = fc.constantFrom<CommandName[]>('encode', 'encode', 'encode', ...COMMAND_NAMES).chain(command => {
  const required = { encode: ['-o', 'out.mpg'], compare: ['--estimators', 'zero', '--repeat', '1', '--qs', '8'] };
  return fc.record({
    command: fc.oneof(
      { weight: 30, arbitrary: fc.constant<string>(command) },
      fc.constantFrom('', 'decode', '-', '--encode'),
    ),
    args: fc.tuple(fc.boolean(), fc.array(oddFlag(command), { minLength: 1, maxLength: 4 })).map(([isWhole, odd]) => {
      const input = isWhole && COMMANDS[command].hasInput ? [INPUT] : [];
      const rest = isWhole ? (required[command as keyof typeof required] ?? []) : [];
      return [...input, ...rest, ...odd.flat()].slice(0, 20);
    }),
    isProcess: int(0, 24).map(n => n === 24),
  });
});

const libraryOptions = fc.record({
  option: fc.constantFrom(
    ...Object.keys(ENCODER_OPTIONS),
    'frameRate',
    'tools',
    'kernels',
    'signal',
    'firstPass',
    'oops',
  ),
  value: oddValues,
});

export const flagsKind: FuzzKind<FlagsCase> = {
  cases: fc.oneof({ weight: 3, arbitrary: commandLines }, { weight: 1, arbitrary: libraryOptions }),
  percent: 12,
  limitSeconds: 60,
  check: (given, folder) => ('option' in given ? checkOption(given) : checkCommandLine(given, folder)),
};

async function checkCommandLine(given: Extract<FlagsCase, { command: string }>, folder: string): Promise<Outcome> {
  await writeInput('y4m', drawFrames([SCENE], 20, 18, 2), folder);
  const before = namesIn(folder);
  const line = [given.command, ...given.args];
  const isStdin = given.args.some(text => text === '-' || text === '-o-');
  // An argument with a zero byte cannot be given to a process.
  const canBeProcess = !line.some(text => text.includes('\u0000'));
  if (isStdin && !canBeProcess) return 'refused';
  const isProcess = isStdin || (given.isProcess && canBeProcess);
  const run = await (isProcess ? runCli(line, { cwd: folder }) : runCliHere(line, { cwd: folder }));
  if (run.status === 0) return 'right';
  checkErrorLine(run);
  checkFiles(folder, before);
  return 'refused';
}

/** An option is taken, or refused by an error that names it, by the constructor. */
function checkOption({ option, value }: Extract<FlagsCase, { option: string }>): Promise<Outcome> {
  try {
    new Encoder({ width: 32, height: 32, frameRate: 25, [option]: revived(value) });
    return Promise.resolve('right');
  } catch (error) {
    if (error instanceof OptionError && error.message.length < 400) return Promise.resolve('refused');
    return fail(`${option} is refused with ${error}`);
  }
}
