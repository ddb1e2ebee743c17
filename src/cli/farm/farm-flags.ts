// The flags of `mpegpu farm`.
import type { FlagRows } from '../flags/flag-row.js';
import { anyText, type FlagValues } from '../flags/flag-values.js';

/** A flag that may be given more than once. */
const BUCKETS: FlagValues<readonly string[]> = {
  placeholder: 'bucket[/prefix]',
  legal: 'the name of a bucket, or of a part of it',
  parse: (text, earlier) => [...((earlier as readonly string[] | undefined) ?? []), text],
};

const MAX_SECONDS = 86_400;
const SECONDS = numberFrom(1, MAX_SECONDS, 'seconds');
const PORT = numberFrom(0, 65_535, 'port');

export const FARM_FLAGS = {
  output: {
    letter: 'o',
    values: anyText('file'),
    isRequired: true,
    meaning: 'the video: a file below --root, or a URL: file:PATH or s3://BUCKET/KEY',
    commands: ['farm submit'],
  },
  url: {
    values: anyText('url'),
    default: 'MPEGPU_FARM_URL, else that of farm up in this folder',
    meaning: 'the queue: redis://HOST:PORT or postgres://USER:PASSWORD@HOST/DATABASE',
    commands: ['farm submit', 'farm worker', 'farm status', 'farm cancel'],
  },
  queue: {
    values: anyText('name'),
    default: 'mpegpu',
    meaning: 'name of the queue; a worker takes only jobs of the queue that it names',
    commands: ['farm submit', 'farm worker', 'farm status', 'farm cancel'],
  },
  root: {
    values: anyText('folder'),
    default: 'this folder',
    meaning: 'the folder that file: URLs are relative to on this machine; workers read and write nothing outside',
    commands: ['farm submit', 'farm worker', 'farm up'],
  },
  s3: {
    values: BUCKETS,
    default: 'none',
    meaning: 'a bucket that s3: URLs may name; may be repeated',
    commands: ['farm worker', 'farm up'],
  },
  store: {
    values: anyText('url'),
    default: 'file:mpegpu-chunks',
    meaning: 'URL of the folder for plans, chunks and sound',
    commands: ['farm submit'],
  },
  wait: {
    meaning: 'wait until the job is over, and show its progress meanwhile',
    commands: ['farm submit'],
  },
  gpu: {
    meaning: 'search on the GPU where the plan names an estimator that has a twin there: the bytes are the same',
    commands: ['farm worker'],
  },
  metrics: {
    values: PORT,
    default: 'none',
    meaning: 'serve figures for Prometheus at this port; 0 takes a free one',
    commands: ['farm worker'],
  },
  grace: {
    values: numberFrom(0, MAX_SECONDS, 'seconds'),
    default: '20',
    meaning: 'how long the step that runs may go on after SIGTERM or Ctrl-C; then it is given back',
    commands: ['farm worker'],
  },
  leaseSeconds: {
    values: SECONDS,
    default: '30',
    meaning: 'a worker that the queue has not heard of for this time loses its step',
    commands: ['farm worker'],
  },
  stallSeconds: {
    values: SECONDS,
    default: '300',
    meaning: 'a step without progress for this time is ended and tried again',
    commands: ['farm worker'],
  },
  folder: {
    values: anyText('folder'),
    default: '.mpegpu-farm',
    meaning: 'where the queue keeps its data and its URL',
    commands: ['farm up'],
  },
  port: {
    values: PORT,
    default: '0: a free one',
    meaning: 'where the queue listens, on this machine alone',
    commands: ['farm up'],
  },
  workers: {
    values: numberFrom(0, 256, 'n'),
    default: '1',
    meaning: 'number of workers that run beside the queue',
    commands: ['farm up'],
  },
} as const satisfies FlagRows;

/** A whole number from `min` to `max`. */
function numberFrom(min: number, max: number, placeholder: string): FlagValues<number> {
  return {
    placeholder,
    legal: `whole numbers ${min}..${max}`,
    parse: text => (/^\d{1,5}$/.test(text) && Number(text) >= min && Number(text) <= max ? Number(text) : undefined),
  };
}
