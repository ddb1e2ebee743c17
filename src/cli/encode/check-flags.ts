// Checks flags of `encode` that depend on each other, on the input or on the output.
import { OptionError } from '../../errors.js';
import { TUNED_MATRIX } from '../flags/coding-flags.js';
import type { FlagsOf } from '../flags/flag-table.js';

type EncodeFlags = FlagsOf<'encode'>;

/** Throws an OptionError for flags that exclude each other, or that do not fit the input or the output. */
export function checkFlags(input: string, flags: EncodeFlags): void {
  checkTarget(flags.target, flags.output);
  checkPasses(input, flags);
  if (flags.matrix === TUNED_MATRIX) checkTunedMatrix(flags);
  checkStandardOutput(flags);
}

/** Throws an OptionError for an output that the target's player does not play. */
export function checkTarget(target: string | undefined, output: string): void {
  if (target !== 'jsmpeg' || /\.ts$/i.test(output)) return;
  throw new OptionError('target', `--target jsmpeg is for .ts, which JSMpeg plays, not for ${output}`);
}

/** Throws an OptionError if the video and the report both go to standard output. */
export function checkStandardOutput({ json, output }: Pick<EncodeFlags, 'json' | 'output'>): void {
  if (json && output === '-') throw new OptionError('json', '--json and -o - both want standard output: choose one');
}

function checkPasses(input: string, { passes = 1, bitrate, target }: EncodeFlags): void {
  if (passes === 1) return;
  if (passes !== 2) throw new OptionError('passes', `--passes ${passes} does not exist; legal: 1, 2`);
  if (bitrate === undefined && target !== 'vcd') throw new OptionError('passes', '--passes 2 needs --bitrate');
  if (input === '-') throw new OptionError('passes', '--passes 2 reads the input twice, which - cannot be: use a file');
}

function checkTunedMatrix({ intraMatrix, passes, tune }: EncodeFlags): void {
  if (intraMatrix !== undefined) {
    throw new OptionError('matrix', '--matrix and --intra-matrix exclude each other: choose one');
  }
  if (passes !== 2) throw new OptionError('matrix', '--matrix tuned needs --passes 2');
  if (tune === 'ssim') throw new OptionError('matrix', '--matrix tuned is tuned by PSNR: leave out --tune ssim');
}
