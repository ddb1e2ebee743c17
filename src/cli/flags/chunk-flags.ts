// The flags for encodes in chunks: those of `plan`, and those of what follows a plan.
import { wholeNumbers } from '../../encoder/settings/option-values.js';
import type { FlagRows } from './flag-row.js';
import { anyText, type FlagValues, plain } from './flag-values.js';

/** `5-20`: the shortest and the longest chunk, in seconds. `5` alone means `5-20`: the longest is 4 times as long. */
const CHUNK_SECONDS: FlagValues<{ readonly min: number; readonly max: number }> = {
  placeholder: 'min[-max]',
  legal: 'seconds more than 0, such as 5 or 5-20',
  parse: text => {
    const match = /^(\d{1,6}(?:\.\d{1,6})?)(?:-(\d{1,6}(?:\.\d{1,6})?))?$/.exec(text);
    const min = Number(match?.[1]);
    const max = Number(match?.[2] ?? 4 * min);
    return min > 0 && max >= min ? { min, max } : undefined;
  },
};

export const PLAN_FLAGS = {
  output: {
    letter: 'o',
    values: anyText('plan.json'),
    isRequired: true,
    meaning: 'write the plan',
    commands: ['plan'],
  },
  chunkSeconds: {
    values: CHUNK_SECONDS,
    default: '5-20',
    meaning: 'shortest and longest chunk in seconds; chunks end at scene cuts where they can',
    commands: ['plan', 'farm submit'],
  },
  budgets: {
    values: anyText('plan.json'),
    meaning: 'make the plan of the second pass from this plan and the files of its first pass, one of each chunk',
    commands: ['plan'],
  },
} as const satisfies FlagRows;

export const CHUNK_FLAGS = {
  output: {
    letter: 'o',
    values: anyText('file'),
    isRequired: true,
    meaning: 'write the chunk; with --pass 1 its statistics',
    commands: ['encode-chunk'],
  },
  input: {
    values: anyText('input'),
    default: 'where the plan was made from',
    meaning: 'where the input of the plan is here',
    commands: ['encode-chunk'],
  },
  pass: {
    values: plain(wholeNumbers(1, 2)),
    default: '2',
    meaning: '1: the first of two passes, which finds what plan --budgets needs',
    commands: ['encode-chunk'],
  },
  plan: {
    values: anyText('plan.json'),
    meaning: 'encode the chunks of this plan one after another, with its options: the bytes are those of assemble',
    commands: ['encode'],
  },
} as const satisfies FlagRows;
