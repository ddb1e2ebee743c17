// The commands of `mpegpu` and their input.
import type { CommandName } from './flag-row.js';

/** What stands after the name of a command. */
export interface CommandArgument {
  /** As commander spells it: `<index>`, `<chunk...>`. */
  readonly term: string;
  readonly meaning: string;
}

/** A command: what it does, and what stands after its name. */
export interface CommandRow {
  /** One sentence in lower case, without a full stop. */
  readonly meaning: string;
  readonly arguments: readonly CommandArgument[];
}

const PLAN: CommandArgument = { term: '<plan>', meaning: 'the plan, a file that mpegpu plan makes' };

/** What `<input>` may be. */
const INPUT_MEANING =
  'a folder of images, a printf or glob pattern in quotes, a video, .y4m, .yuv, or - (y4m on standard input)';

const INPUT: CommandArgument = { term: '<input>', meaning: INPUT_MEANING };

export const COMMANDS: Readonly<Record<CommandName, CommandRow>> = {
  encode: { meaning: 'encode frames to an MPEG-1 video', arguments: [INPUT] },
  plan: {
    meaning: 'plan an encode in chunks, which can be coded on several machines',
    arguments: [{ term: '<input...>', meaning: `${INPUT_MEANING}; with --budgets the files of the first pass` }],
  },
  'encode-chunk': {
    meaning: 'encode one chunk of a plan',
    arguments: [PLAN, { term: '<index>', meaning: "the chunk's index in the plan; the first is 0" }],
  },
  assemble: {
    meaning: 'make the video of a plan from its chunks',
    arguments: [PLAN, { term: '<chunk...>', meaning: 'the files that mpegpu encode-chunk made, in any order' }],
  },
  'farm submit': {
    meaning: 'have the machines of a farm encode frames to an MPEG-1 video',
    arguments: [
      { term: '<input>', meaning: 'an input as for encode, below --root; or a URL: file:PATH or s3://BUCKET/KEY' },
    ],
  },
  'farm worker': { meaning: 'take steps of jobs from the queue of a farm until it is stopped', arguments: [] },
  'farm status': {
    meaning: 'show the newest jobs of a farm, or one of its jobs',
    arguments: [{ term: '[job]', meaning: 'name of a job, as farm submit prints it' }],
  },
  'farm cancel': {
    meaning: 'end a job',
    arguments: [{ term: '<job>', meaning: 'name of a job, as farm submit prints it' }],
  },
  'farm up': { meaning: 'run a farm of one machine: a queue in a folder, and workers', arguments: [] },
  estimate: { meaning: 'search motion between neighbouring frames, show it and measure it', arguments: [INPUT] },
  locate: {
    meaning: 'find every place of pictures where a pattern occurs',
    arguments: [
      { term: '<pattern>', meaning: 'an image of 1x1 to 64x64 pels; what is transparent in it does not count' },
      { term: '<input...>', meaning: INPUT_MEANING },
    ],
  },
  compare: {
    meaning: 'encode the same frames with several motion estimators; compare speed and compression',
    arguments: [INPUT],
  },
  disparity: {
    meaning: 'find the disparities of a rectified stereo pair, show them and measure them',
    arguments: [
      { term: '<left>', meaning: 'the left picture, an image' },
      { term: '<right>', meaning: 'the right picture, of the same size' },
    ],
  },
  devices: { meaning: 'show what this machine offers, and which estimator auto chooses here', arguments: [] },
};

/** The commands that have others below them, and what they do. */
export const COMMAND_GROUPS: Readonly<Record<string, string>> = {
  farm: 'encode on more than one machine, by way of a queue in Redis or PostgreSQL',
};
