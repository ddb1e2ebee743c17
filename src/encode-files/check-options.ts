// Checks options of an encode that depend on each other, on the input or on the output.
import { OptionError } from '../errors.js';
import { isRawVideo, isReadOnce } from '../media/input-kind.js';

/** The value of the option `matrix` that the encoder does not know: the first of two passes finds the matrix. */
export const TUNED_MATRIX = 'tuned';

/** The options that are checked, on the command line or in a program. */
export interface DependentOptions {
  readonly output: string;
  readonly passes?: number | undefined;
  readonly bitrate?: number | undefined;
  readonly target?: string | undefined;
  readonly matrix?: string | undefined;
  readonly intraMatrix?: unknown;
  readonly tune?: string | undefined;
  readonly latency?: string | undefined;
  readonly recon?: string | undefined;
}

/** Throws an OptionError for options that exclude each other, or that do not fit the input or the output. */
export async function checkDependentOptions(input: string, options: DependentOptions): Promise<void> {
  checkTarget(options.target, options.output);
  await checkPasses(input, options);
  if (options.matrix === TUNED_MATRIX) checkTunedMatrix(options);
  const { recon = '' } = options;
  if (!isRawVideo(recon)) return;
  const advice = `${recon} would be y4m: give it a name that ends in .y4m`;
  throw new OptionError('recon', named => `${named('recon')} ${advice}`);
}

/** Throws an OptionError for an output that the target's player does not play. */
export function checkTarget(target: string | undefined, output: string): void {
  if (target !== 'jsmpeg' || output === '-' || /\.ts$/i.test(output)) return;
  throw new OptionError(
    'target',
    named => `${named('target')} jsmpeg is for .ts, which JSMpeg plays, not for ${output}`,
  );
}

async function checkPasses(input: string, { passes = 1, bitrate, target, latency }: DependentOptions): Promise<void> {
  if (passes === 1) return;
  const wrong = (problem: string, right = '') =>
    new OptionError('passes', named => `${named('passes')} ${passes} ${problem}${right && named(right)}`);
  if (passes !== 2) throw wrong('does not exist; legal: 1, 2');
  if (latency === 'low') {
    throw new OptionError(
      'passes',
      named =>
        `${named('passes')} 2 reads all frames before it codes the first: use ${named('passes')} 1, or leave out ${named('latency')} low`,
    );
  }
  if (bitrate === undefined && target !== 'vcd') throw wrong('needs ', 'bitrate');
  if (await isReadOnce(input)) throw wrong(`reads the input twice, which ${input} cannot be: use a file`);
}

function checkTunedMatrix({ intraMatrix, passes, tune }: DependentOptions): void {
  if (intraMatrix !== undefined) {
    throw new OptionError(
      'matrix',
      named => `${named('matrix')} and ${named('intraMatrix')} exclude each other: choose one`,
    );
  }
  if (passes !== 2) throw new OptionError('matrix', named => `${named('matrix')} tuned needs ${named('passes')} 2`);
  if (tune !== 'ssim') return;
  throw new OptionError(
    'matrix',
    named => `${named('matrix')} tuned is tuned by PSNR: leave out ${named('tune')} ssim`,
  );
}
