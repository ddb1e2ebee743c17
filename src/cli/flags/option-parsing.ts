import { type Command, Option } from 'commander';
import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { OptionError } from '../../errors.js';
import type { Metric, SearchRange } from '../../motion/estimator.js';
import { ESTIMATOR_NAMES } from '../../motion/registry.js';

/** What `addInputOptions` leaves behind. */
export interface InputFlags {
  readonly frames?: number;
  readonly size?: { readonly width: number; readonly height: number };
  readonly fps?: FrameRate;
}

/** What `addSearchOptions` leaves behind. */
export interface SearchFlags extends FieldFlags {
  readonly estimator?: string;
}

/** What `addFieldOptions` leaves behind. */
export interface FieldFlags {
  readonly range?: SearchRange;
  readonly metric?: Metric;
  readonly candidates?: number;
}

/** What `addReportOptions` leaves behind. */
export interface ReportFlags {
  readonly json?: boolean;
  readonly quiet?: boolean;
}

/** The options of every command that reads frames. */
export function addInputOptions(command: Command): Command {
  return command
    .option('--frames <n>', 'take at most n frames', wholeNumber('frames'))
    .option('--size <WxH>', 'size of raw .yuv input', parseSize)
    .option('--fps <rate>', 'frames per second, one of the eight rates of MPEG-1: 25, 29.97, 30000/1001', parseFps);
}

/** The options of every command that estimates motion with one estimator. */
export function addSearchOptions(command: Command): Command {
  command.option('--estimator <name|path>', `${ESTIMATOR_NAMES.join(', ')}, or a module (default: auto)`);
  return addFieldOptions(command);
}

/** What an estimator of whatever name is asked for. */
export function addFieldOptions(command: Command): Command {
  return command
    .option('--range <N|XxY|picture>', 'search range in pels per axis (default: 64x32)', parseRange)
    .addOption(new Option('--metric <name>', 'what blocks are compared by (default: sad)').choices(['sad', 'sse']))
    .option('--candidates <k>', 'vectors per block asked of the estimator, 1..8', wholeNumber('candidates'));
}

/** The options of every command that reports. */
export function addReportOptions(command: Command): Command {
  return command
    .option('--json', 'print one JSON object on standard output, and nothing else there')
    .option('--quiet', 'no progress and no summary');
}

/** A parser of whole numbers for `--flag`; their range is checked where they are used. */
export function wholeNumber(flag: string): (text: string) => number {
  return text => {
    if (/^-?\d{1,9}$/.test(text)) return Number(text);
    throw new OptionError(flag, `--${flag} is '${text}': a whole number is needed`);
  };
}

/** A parser of decimal numbers for `--flag`; their range is checked where they are used. */
export function decimalNumber(flag: string): (text: string) => number {
  return text => {
    if (/^-?\d{1,9}(\.\d{1,9})?$/.test(text)) return Number(text);
    throw new OptionError(flag, `--${flag} is '${text}': a number is needed`);
  };
}

/** `WxH` in pels. */
export function parseSize(text: string): { width: number; height: number } {
  const match = /^(\d{1,5})x(\d{1,5})$/i.exec(text);
  if (!match) throw new OptionError('size', `--size is '${text}'; legal: WIDTHxHEIGHT, such as 640x480`);
  return { width: Number(match[1]), height: Number(match[2]) };
}

/** `25`, `29.97` or `30000/1001` as the exact rate of MPEG-1 that is meant. */
export function parseFps(text: string): FrameRate {
  const match = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text);
  const rate = { numerator: Number(match?.[1]), denominator: Number(match?.[2] ?? 1) };
  const code = match ? pictureRateCode(rate) : undefined;
  if (code === undefined) {
    throw new OptionError('fps', `--fps is '${text}', which MPEG-1 does not have; legal: ${FRAME_RATE_NAMES}`);
  }
  return FRAME_RATES[code - 1]!;
}

/** `N`, `XxY` or `picture`. */
export function parseRange(text: string): SearchRange {
  if (text === 'picture') return text;
  const match = /^(\d{1,5})(?:x(\d{1,5}))?$/i.exec(text);
  if (!match) throw new OptionError('range', `--range is '${text}'; legal: N, XxY or picture, such as 16 or 64x32`);
  return { x: Number(match[1]), y: Number(match[2] ?? match[1]) };
}

/** A number of slices, or `rows`. */
export function parseSlices(text: string): number | 'rows' {
  return text === 'rows' ? text : wholeNumber('slices')(text);
}
