import { type Command, Option } from 'commander';
import type { EncoderOptions } from '../../encoder/options.js';
import { TARGET_NAMES } from '../../encoder/settings/stream-target.js';
import { OptionError } from '../../errors.js';
import { wholeNumber } from './option-parsing.js';

/** What `addRateOptions` leaves behind. */
export interface RateFlags extends Pick<EncoderOptions, 'bitrate' | 'cbr' | 'maxrate' | 'target'> {
  readonly vbv?: number;
  readonly passes?: number;
}

/** The options about the rate of a stream, and those that are made for one kind of player. */
export function addRateOptions(command: Command): Command {
  return command
    .option(
      '--bitrate <rate>',
      'bits per second in the mean instead of --q: 1150000, 1150k, 1.15M',
      parseRate('bitrate'),
    )
    .option(
      '--passes <1|2>',
      'read the input once, or twice to spend the bits where they are needed',
      wholeNumber('passes'),
    )
    .option('--cbr', 'keep to --bitrate at every moment, within --vbv; gaps are stuffed')
    .option(
      '--maxrate <rate>',
      'most bits per second that --vbv takes in (default: 1.5 times --bitrate)',
      parseRate('maxrate'),
    )
    .option('--vbv <bytes>', "the decoder's buffer (default: half a second, at least 40960)", wholeNumber('vbv'))
    .addOption(new Option('--target <name>', 'what Video CD or JSMpeg (.ts) needs').choices([...TARGET_NAMES]));
}

/** Throws OptionError where the options about the rate do not fit the input or the output. */
export function checkRateFlags(input: string, output: string, { passes, bitrate, target }: RateFlags): void {
  if (target === 'jsmpeg' && !/\.ts$/i.test(output)) {
    throw new OptionError('target', `--target jsmpeg is for .ts, which JSMpeg plays, not for ${output}`);
  }
  if (passes === undefined || passes === 1) return;
  if (passes !== 2) throw new OptionError('passes', `--passes ${passes} does not exist; legal: 1, 2`);
  if (bitrate === undefined && target !== 'vcd') throw new OptionError('passes', '--passes 2 needs --bitrate');
  if (input === '-') throw new OptionError('passes', '--passes 2 reads the input twice, which - cannot be: use a file');
}

/** A parser of rates in bit/s: whole, or with k or M. */
function parseRate(flag: string): (text: string) => number {
  return text => {
    const match = /^(\d{1,9}(?:\.\d{1,6})?)([kM]?)$/i.exec(text);
    if (!match)
      throw new OptionError(flag, `--${flag} is '${text}'; legal: bits per second, such as 1150000, 1150k or 1.15M`);
    const factor = { '': 1, k: 1000, m: 1_000_000 }[match[2]!.toLowerCase()]!;
    return Math.round(Number(match[1]) * factor);
  };
}
