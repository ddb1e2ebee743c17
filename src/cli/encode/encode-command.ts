// `mpegpu encode`: from flags to a job, from its result to output.
import type { Command } from 'commander';
import type { EncoderOptions } from '../../encoder/options.js';
import { InputError, OptionError } from '../../errors.js';
import { Interrupted, printWarning } from '../failure.js';
import { addCommand } from '../flags/add-flags.js';
import { TUNED_MATRIX } from '../flags/coding-flags.js';
import { encoderOptions } from '../flags/encoder-options.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { requireDifferentFiles } from '../output-names.js';
import { progressDisplay } from '../progress-bar.js';
import { sourceOptions } from '../source-frames.js';
import { writeStandardOutput } from '../standard-output.js';
import { checkFlags } from './check-flags.js';
import { encodeReport, encodeSummary, type PictureEntry, pictureEntry } from './encode-report.js';
import { type EncodeJob, type EncodeResult, runEncode } from './encode-run.js';
import { readQuantizerMatrix } from './quantizer-matrix-file.js';

type EncodeFlags = FlagsOf<'encode'>;

/** Adds `mpegpu encode` to the program. */
export function addEncodeCommand(program: Command): void {
  addCommand(program, 'encode').action((input: string, flags: EncodeFlags) => encode(input, flags));
}

async function encode(input: string, flags: EncodeFlags): Promise<void> {
  checkFlags(input, flags);
  const { output, recon, vectors, intraMatrix, nonIntraMatrix, json = false } = flags;
  await requireDifferentFiles({
    inputs: { 'the input': input, '--intra-matrix': intraMatrix, '--non-intra-matrix': nonIntraMatrix },
    outputs: { '-o': output, '--recon': recon, '--vectors': vectors },
    json,
  });
  const pictures: PictureEntry[] = [];
  const job: EncodeJob = {
    input,
    source: sourceOptions(flags),
    output: flags.output,
    overwrite: flags.overwrite ?? false,
    recon: flags.recon,
    vectors: flags.vectors,
    passes: flags.passes ?? 1,
    tunesMatrix: flags.matrix === TUNED_MATRIX,
    encoder: { ...encoderOptions(flags), ...(await matrixOptions(flags)), onWarning: printWarning },
    showProgress: progressDisplay(flags),
    onPicture: flags.json ? report => pictures.push(pictureEntry(report)) : () => {},
  };
  const result = await Interruption.during(interruption => runEncode(job, interruption)).catch(error => {
    throw namingMatrixFile(error, flags);
  });
  if (flags.json) await writeStandardOutput(`${JSON.stringify(encodeReport(result, pictures))}\n`);
  else if (!flags.quiet && flags.output !== '-' && result.output !== undefined) {
    await writeStandardOutput(encodeSummary(result));
  }
  if (result.interrupted) throw new Interrupted(interruptionNote(result));
}

/** The matrices that the flags name or whose files they name. */
async function matrixOptions({
  matrix,
  intraMatrix,
  nonIntraMatrix,
}: EncodeFlags): Promise<Pick<EncoderOptions, 'matrix' | 'intraMatrix' | 'nonIntraMatrix'>> {
  return {
    ...(matrix !== undefined && matrix !== TUNED_MATRIX && { matrix }),
    ...(intraMatrix !== undefined && { intraMatrix: await readQuantizerMatrix(intraMatrix) }),
    ...(nonIntraMatrix !== undefined && { nonIntraMatrix: await readQuantizerMatrix(nonIntraMatrix) }),
  };
}

/** An error about the weights of a matrix, with the name of the file that they are from; other errors as they are. */
function namingMatrixFile(error: unknown, { intraMatrix, nonIntraMatrix }: EncodeFlags): unknown {
  if (!(error instanceof OptionError)) return error;
  const [option] = error.option.split('[');
  const file = { intraMatrix, nonIntraMatrix }[option as 'intraMatrix'];
  return file === undefined ? error : new InputError(`${file}: ${error.message}`);
}

function interruptionNote({ output, statistics }: EncodeResult): string {
  if (output === undefined) return 'interrupted before the first picture: nothing was kept';
  return `interrupted after ${statistics.frames} frames: what was coded is in ${output}`;
}
