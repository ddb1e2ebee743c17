// What low latency sets, and what it excludes.
import { OptionError } from '../../errors.js';
import type { EncoderOptions } from '../options.js';

/** An option that has no meaning at low latency: which values contradict it, and why. */
interface Conflict {
  readonly option: keyof EncoderOptions;
  readonly isWrong: (value: never) => boolean;
  /** What is wrong, after the option and its value; and what is right. */
  readonly why: string;
}

const CONFLICTS: readonly Conflict[] = [
  {
    option: 'target',
    isWrong: (target: string) => target === 'vcd',
    why: 'needs B pictures, which wait for later ones: leave out one of the two',
  },
  {
    option: 'bFrames',
    isWrong: (bFrames: number) => bFrames > 0,
    why: 'means B pictures, which wait for later ones: 0, or leave it out',
  },
  { option: 'adaptiveTypes', isWrong: Boolean, why: 'needs a lookahead: false, or leave it out' },
  { option: 'openGop', isWrong: Boolean, why: 'is for B pictures: leave it out' },
  {
    option: 'gopMin',
    isWrong: (gopMin: number) => gopMin > 1,
    why: 'is for a lookahead that finds scenes: leave it out',
  },
  { option: 'firstPass', isWrong: () => true, why: 'needs frames that can be read twice: leave it out' },
  { option: 'isFirstPass', isWrong: Boolean, why: 'needs frames that can be read twice: leave it out' },
];

/**
 * The options with what low latency sets: no B pictures, no lookahead, one thread. Throws an OptionError for an option
 * that contradicts it.
 */
export function optionsForLatency(options: EncoderOptions): EncoderOptions {
  if (options.latency !== 'low') {
    if ((options.intraRefresh ?? 'none') === 'none') return options;
    throw new OptionError('intraRefresh', named => {
      return `${named('intraRefresh')} ${options.intraRefresh} needs ${named('latency')} low: give both`;
    });
  }
  for (const { option, isWrong, why } of CONFLICTS) {
    const value = options[option];
    if (value === undefined || !isWrong(value as never)) continue;
    const shown = typeof value === 'object' || value === true ? '' : ` ${String(value)}`;
    throw new OptionError(
      option,
      named => `${named(option)}${shown} does not go with ${named('latency')} low: it ${why}`,
    );
  }
  requireBufferOfConstantRate(options);
  return { ...options, bFrames: 0, openGop: false, adaptiveTypes: false, threads: 1 };
}

/** At a constant rate the buffer is the delay: nobody but the caller knows how long it may be. */
function requireBufferOfConstantRate({ cbr, vbvBytes }: EncoderOptions): void {
  if (!cbr || vbvBytes !== undefined) return;
  throw new OptionError('cbr', named => {
    const why = "fills the decoder's buffer, whose length is delay";
    return `${named('cbr')} with ${named('latency')} low ${why}: give its size with ${named('vbvBytes')}`;
  });
}
