import { type Command, Option } from 'commander';
import type { EncoderOptions } from '../../encoder/options.js';
import { TUNE_NAMES } from '../../encoder/quantizer/adaptive-quantization.js';
import { MATRIX_NAMES } from '../../encoder/quantizer/quantizer-set.js';
import { PRESET_NAMES } from '../../encoder/settings/presets.js';
import { OptionError } from '../../errors.js';
import { CONTAINER_EXTENSIONS } from '../../media/containers/container.js';
import { Interrupted, printWarning } from '../failure.js';
import {
  addInputOptions,
  addReportOptions,
  addSearchOptions,
  decimalNumber,
  type InputFlags,
  parseSlices,
  type ReportFlags,
  type SearchFlags,
  wholeNumber,
} from '../flags/option-parsing.js';
import { addRateOptions, checkRateFlags, type RateFlags } from '../flags/rate-flags.js';
import { addToolOption, type ToolFlags } from '../flags/tool-flags.js';
import { Interruption } from '../interruption.js';
import { NO_PROGRESS, showProgress } from '../progress-bar.js';
import { encodeReport, encodeSummary, type PictureEntry, pictureEntry } from './encode-report.js';
import { type EncodeJob, type EncodeResult, runEncode } from './encode-run.js';
import { readQuantizerMatrix } from './quantizer-matrix-file.js';

/** The value of --matrix that no encoder knows: two passes find the matrix. */
const TUNED_MATRIX = 'tuned';

/** Flags that are options of the encoder under the same name. */
const ENCODER_FLAGS = [
  ...(['q', 'quality', 'gop', 'gopMin', 'openGop', 'preset', 'tune', 'slices', 'threads', 'motionReference'] as const),
  ...(['bitrate', 'cbr', 'maxrate', 'target'] as const),
  ...(['estimator', 'range', 'metric', 'candidates'] as const),
];

interface EncodeFlags
  extends InputFlags,
    SearchFlags,
    ReportFlags,
    RateFlags,
    ToolFlags,
    Pick<
      EncoderOptions,
      | 'q'
      | 'quality'
      | 'gop'
      | 'gopMin'
      | 'openGop'
      | 'preset'
      | 'tune'
      | 'matrix'
      | 'slices'
      | 'threads'
      | 'motionReference'
    > {
  readonly output: string;
  readonly overwrite?: boolean;
  readonly recon?: string;
  readonly vectors?: string;
  readonly intraMatrix?: string;
  readonly nonIntraMatrix?: string;
  readonly bframes?: number;
  readonly aqStrength?: number;
}

/** Adds `mpegpu encode` to the program. */
export function addEncodeCommand(program: Command): void {
  const command = program
    .command('encode')
    .description('encode frames to an MPEG-1 video')
    .argument('<input>', 'a folder of images, a quoted printf or glob pattern, a video, .y4m, .yuv, or - (y4m)')
    .requiredOption('-o, --output <file>', `${CONTAINER_EXTENSIONS.join(', ')}; - is the bare stream on stdout`)
    .option('--q <1..31>', 'constant quantizer_scale, 1 is the finest (default: 4)', wholeNumber('q'))
    .option('--quality <0..100>', 'constant quality in fine steps instead of --q', decimalNumber('quality'))
    .option('--gop <n>', 'pictures from one I picture to the next (default: 12)', wholeNumber('gop'))
    .option('--gop-min <n>', 'fewest pictures from one I picture to the next (default: 1)', wholeNumber('gop-min'))
    .option('--bframes <0..7>', 'B pictures between two anchors (default: by preset)', wholeNumber('bframes'))
    .option('--open-gop', 'let B pictures before an I picture use the group before it (default)')
    .option('--no-open-gop', 'close every group: none needs another')
    .addOption(
      new Option('--preset <name>', 'speed against compression (default: balanced)').choices([...PRESET_NAMES]),
    )
    .addOption(
      new Option('--tune <name>', 'what the pictures are to be good by (default: psnr)').choices([...TUNE_NAMES]),
    )
    .option(
      '--aq-strength <0..4>',
      'adaptive quantization: busy macroblocks coarser, calm ones finer (default: 1 with --tune ssim, else 0)',
      decimalNumber('aq-strength'),
    )
    .option('--slices <n|rows>', 'slices per picture, rows is one per macroblock row (default: 1)', parseSlices)
    .addOption(
      new Option(
        '--matrix <name>',
        'weights of intra blocks: for the eye, for PSNR, or tuned to the first of two passes (default: flat, with --tune ssim standard)',
      ).choices([...MATRIX_NAMES, TUNED_MATRIX]),
    )
    .option('--intra-matrix <file>', '64 quantizer weights of intra blocks, as text')
    .option('--non-intra-matrix <file>', '64 quantizer weights of other blocks, as text')
    .addOption(
      new Option('--motion-reference <which>', 'what motion is searched on (default: source)').choices([
        'source',
        'reconstructed',
      ]),
    )
    .option(
      '--threads <n>',
      'threads, from 2 on motion is searched beside the coding (default: 2)',
      wholeNumber('threads'),
    )
    .option('--recon <file.y4m>', "write the encoder's reconstruction, which a decoder shows bit for bit")
    .option('--vectors <file.jsonl>', 'write the vectors, a line of JSON per picture, in half-pels')
    .option('--overwrite', 'replace existing output files');
  addToolOption(command);
  addRateOptions(command);
  addInputOptions(command);
  addSearchOptions(command);
  addReportOptions(command);
  command.action((input: string, flags: EncodeFlags) => encode(input, flags));
}

async function encode(input: string, flags: EncodeFlags): Promise<void> {
  checkFlags(input, flags);
  const pictures: PictureEntry[] = [];
  const job: EncodeJob = {
    input,
    source: {
      ...(flags.size && { size: flags.size }),
      ...(flags.fps && { frameRate: flags.fps }),
      ...(flags.frames !== undefined && { frames: flags.frames }),
    },
    output: flags.output,
    overwrite: flags.overwrite ?? false,
    recon: flags.recon,
    vectors: flags.vectors,
    passes: flags.passes ?? 1,
    tunesMatrix: flags.matrix === TUNED_MATRIX,
    encoder: { ...encoderFlags(flags), ...(await quantizerMatrices(flags)), onWarning: printWarning },
    showProgress: flags.quiet ? () => NO_PROGRESS : showProgress,
    onPicture: flags.json ? report => pictures.push(pictureEntry(report)) : () => {},
  };
  const interruption = Interruption.listen();
  let result: EncodeResult;
  try {
    result = await runEncode(job, interruption);
  } finally {
    interruption.release();
  }
  if (flags.json) process.stdout.write(`${JSON.stringify(encodeReport(result, pictures))}\n`);
  else if (!flags.quiet && flags.output !== '-' && result.output !== undefined) {
    process.stdout.write(encodeSummary(result));
  }
  if (result.interrupted) throw new Interrupted(interruptionNote(result));
}

function checkFlags(input: string, flags: EncodeFlags): void {
  const { json, output } = flags;
  checkRateFlags(input, output, flags);
  checkMatrixFlags(flags);
  if (json && output === '-') throw new OptionError('json', '--json and -o - both want standard output: choose one');
}

function checkMatrixFlags({ matrix, intraMatrix, passes, tune }: EncodeFlags): void {
  if (matrix !== TUNED_MATRIX) return;
  if (intraMatrix !== undefined) {
    throw new OptionError('matrix', '--matrix and --intra-matrix exclude each other: choose one');
  }
  if (passes !== 2) throw new OptionError('matrix', '--matrix tuned needs --passes 2');
  if (tune === 'ssim') throw new OptionError('matrix', '--matrix tuned is tuned by PSNR: leave out --tune ssim');
}

function encoderFlags(
  flags: EncodeFlags,
): Pick<EncoderOptions, (typeof ENCODER_FLAGS)[number] | 'matrix' | 'bFrames' | 'vbvBytes' | 'aq' | 'tools'> {
  return {
    ...Object.fromEntries(ENCODER_FLAGS.filter(name => name in flags).map(name => [name, flags[name]])),
    ...(flags.matrix !== undefined && flags.matrix !== TUNED_MATRIX && { matrix: flags.matrix }),
    ...(flags.bframes !== undefined && { bFrames: flags.bframes }),
    ...(flags.vbv !== undefined && { vbvBytes: flags.vbv }),
    ...(flags.aqStrength !== undefined && { aq: flags.aqStrength }),
    ...(flags.tool && { tools: flags.tool }),
  };
}

async function quantizerMatrices({
  intraMatrix,
  nonIntraMatrix,
}: EncodeFlags): Promise<Pick<EncoderOptions, 'intraMatrix' | 'nonIntraMatrix'>> {
  return {
    ...(intraMatrix !== undefined && { intraMatrix: await readQuantizerMatrix(intraMatrix) }),
    ...(nonIntraMatrix !== undefined && { nonIntraMatrix: await readQuantizerMatrix(nonIntraMatrix) }),
  };
}

function interruptionNote({ output, statistics }: EncodeResult): string {
  if (output === undefined) return 'interrupted before the first picture: nothing was kept';
  return `interrupted after ${statistics.frames} frames: what was coded is in ${output}`;
}
