// Garbled command lines: wrong values, missing ones, flags twice, unknown flags, outputs that cannot be.
import fc from 'fast-check';
import { COMMANDS } from '../../../src/cli/flags/command-table.js';
import type { CommandName } from '../../../src/cli/flags/flag-row.js';
import { flagsOf } from '../../../src/cli/flags/flag-table.js';

/** A command line that is probably wrong. */
export interface OddLine {
  readonly command: string;
  readonly args: readonly string[];
  /** Whether it runs in a process of its own. */
  readonly isProcess: boolean;
}

/** The sound input in the folder of a case. */
export const SOUND_INPUT = 'in.y4m';

const MAX_ARGUMENTS = 20;
/** `farm up` runs until it is stopped. */
const COMMAND_NAMES = (Object.keys(COMMANDS) as CommandName[]).filter(name => name !== 'farm up');
/** No queue is here: what is right so far ends with that. */
const NO_QUEUE = ['--url', 'redis://127.0.0.1:1'];
const WORDS = [
  ...['', ' ', '-', '--', 'NaN', 'Infinity', 'null', 'true', 'on', 'off', '__proto__', '1,2,3', 'zero', 'cpu-full'],
  ...['0', '-1', '1', '2', '5', '31', '32', '1e3', '0x10', '1.5', '999999999', '1e400', '100k', '9M', '1.15G', '5%'],
  ...['16x16', '0x0', '99999x99999', '8x', '25/0', '0/1', '30000/1001', 'picture', 'a=b', 'trellis=none', 'trellis='],
  ...['%d', '%05d.png', '*', '[', '=', 'ü', 'a\nb', '\t', '🎞', 'a'.repeat(300)],
];
const PATHS = [
  ...[SOUND_INPUT, 'nowhere.y4m', 'out.mpg', 'out.m1v', 'out.mp4', 'out', '.mpg', ' .ts', '', '.', './', '-'],
  ...['nowhere/out.mpg', 'out.mpg/', 'out.y4m', 'OUT.MPG', `${'n'.repeat(245)}.mpg`, `${'n'.repeat(300)}.mpg`],
  ...['/dev/null', '/dev/full', '/dev/full.mpg', '%d.mpg', 'a:b.mpg', 'new\nline.mpg', '../../../../proc/version'],
];
const UNKNOWN = [
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
];
/** What a command needs beside its input, and what keeps it short. */
const REQUIRED: Readonly<Record<CommandName, readonly string[]>> = {
  encode: ['-o', 'out.mpg'],
  plan: ['-o', 'out.json'],
  'encode-chunk': ['0', '-o', 'out.chunk'],
  assemble: ['chunk', '-o', 'out.mpg'],
  'farm submit': ['-o', 'out.mpg', ...NO_QUEUE],
  'farm worker': NO_QUEUE,
  'farm status': NO_QUEUE,
  'farm cancel': NO_QUEUE,
  'farm up': [],
  estimate: [],
  locate: [SOUND_INPUT, '--frames', '1', '--device', 'cpu'],
  disparity: ['in.y4m', '-o', 'out.png'],
  devices: [],
  compare: ['--estimators', 'zero', '--repeat', '1', '--qs', '8'],
};

const oddTexts = fc.oneof(
  { weight: 6, arbitrary: fc.constantFrom(...WORDS) },
  { weight: 1, arbitrary: fc.constantFrom(...PATHS) },
  { weight: 1, arbitrary: fc.string({ maxLength: 8 }) },
  { weight: 2, arbitrary: fc.integer({ min: -5, max: 200 }).map(String) },
);
const oddPaths = fc.oneof({ weight: 9, arbitrary: fc.constantFrom(...PATHS) }, oddTexts);

/** One flag with a value, or without the one it needs, or with one that it does not take. */
function oddFlag(command: CommandName): fc.Arbitrary<readonly string[]> {
  const flags = flagsOf(command).flatMap(({ flags }) => flags);
  const isPath = (placeholder = '') => /file|folder/.test(placeholder);
  const withValue = (list: typeof flags) =>
    fc.constantFrom(...list).chain(({ name, values, letter, negation }) => {
      const spelled = [`--${name}`, ...(letter ? [`-${letter}`] : []), ...(negation ? [`--no-${name}`] : [])];
      const text = isPath(values?.placeholder) ? oddPaths : oddTexts;
      const none = fc.constant<string[]>([]);
      const value = values ? fc.oneof({ weight: 12, arbitrary: text.map(value => [value]) }, none) : none;
      return fc.tuple(fc.constantFrom(...spelled), value).map(([flag, rest]) => [flag, ...rest]);
    });
  const files = flags.filter(({ values }) => isPath(values?.placeholder));
  return fc.oneof(
    { weight: 6, arbitrary: withValue(flags) },
    ...(files.length === 0 ? [] : [{ weight: 3, arbitrary: withValue(files) }]),
    { weight: 1, arbitrary: fc.constantFrom(...UNKNOWN).map(flag => [flag]) },
    { weight: 1, arbitrary: oddTexts.map(text => [text]) },
    { weight: 1, arbitrary: fc.constant(['--overwrite']) },
  );
}

/** Random command lines. A zero byte cannot be part of one. */
export const oddLines: fc.Arbitrary<OddLine> = fc
  .constantFrom<CommandName[]>('encode', 'encode', 'encode', ...COMMAND_NAMES)
  .chain(command => {
    const name = fc.constantFrom<string[]>('', 'decode', '-', '--encode');
    return fc.record({
      command: fc.oneof({ weight: 40, arbitrary: fc.constant<string>(command) }, name),
      args: fc
        .tuple(fc.integer({ min: 0, max: 4 }), fc.array(oddFlag(command), { minLength: 1, maxLength: 4 }))
        .map(([isBare, odd]) => {
          const input = isBare !== 1 && COMMANDS[command].arguments.length > 0 ? [SOUND_INPUT] : [];
          const required = isBare === 1 ? [] : REQUIRED[command];
          const given = odd.flat().slice(0, MAX_ARGUMENTS);
          // Of a flag that is given twice the later one counts.
          const args = [...input, ...(command === 'compare' ? [given, required] : [required, given]).flat()];
          return args.map(text => text.replaceAll('\u0000', ''));
        }),
      isProcess: fc.integer({ min: 0, max: 24 }).map(n => n === 24),
    });
  });
