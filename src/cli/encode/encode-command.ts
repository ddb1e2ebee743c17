// `mpegpu encode`: from flags to a job, from its result to output.
import { counted } from '../../counted.js';
import { checkDependentOptions, TUNED_MATRIX } from '../../encode-files/check-options.js';
import { type EncodeJob, type EncodeResult, runEncode } from '../../encode-files/encode-run.js';
import { soundFile, soundRequest } from '../../encode-files/encode-sound.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import type { PictureReport } from '../../encoder/report/picture-report.js';
import { containerForPath } from '../../media/containers/container.js';
import type { StreamFormat } from '../../media/containers/container-writer.js';
import { refuseOtherFlags } from '../chunks/refuse-flags.js';
import { Interrupted, printWarning } from '../failure.js';
import { encoderOptions } from '../flags/encoder-options.js';
import { asFlag, type FlagsOf } from '../flags/flag-table.js';
import { Interruption } from '../interruption.js';
import { progressDisplay } from '../progress-bar.js';
import { sourceOptions } from '../source-frames.js';
import { checkStandardOutput, writeReport, writeStandardOutput } from '../standard-output.js';
import { Warnings } from '../warnings.js';
import { encodeReport, encodeSummary, type PictureEntry, pictureEntry } from './encode-report.js';
import { optimizeLessLater } from './fewer-optimizations.js';
import { matrixOptions, namingMatrixFile } from './quantizer-matrix-file.js';
import { StdoutWriter } from './stdout-writer.js';

type EncodeFlags = FlagsOf<'encode'>;

/** What the first Ctrl-C says of an encode by a plan. */
const CHUNKS_ARE_KEPT = 'stopping: the chunks that are whole are kept (interrupt again to give up)';

/** The flags that may stand beside --plan. */
const BESIDE_PLAN = [
  'plan',
  'output',
  'overwrite',
  'recon',
  'vectors',
  'json',
  'quiet',
  'progress',
  'threads',
  'audio',
  'audioBitrate',
];

/** Runs `mpegpu encode`. */
export async function encode(input: string, flags: EncodeFlags): Promise<void> {
  if (flags.plan === undefined) await checkDependentOptions(input, flags);
  else refuseOtherFlags(flags, BESIDE_PLAN, 'is for the plan to say: give it to mpegpu plan, not beside --plan');
  checkStandardOutput(flags);
  const { output, recon, vectors, intraMatrix, nonIntraMatrix, plan, json = false } = flags;
  const warnings = new Warnings(flags);
  const sound = soundRequest(flags, { onNote: warnings.add, named: asFlag });
  await requireDifferentFiles({
    inputs: {
      'the input': input,
      '--intra-matrix': intraMatrix,
      '--non-intra-matrix': nonIntraMatrix,
      '--plan': plan,
      '--audio': soundFile(sound),
    },
    outputs: { '-o': output, '--recon': recon, '--vectors': vectors },
    json,
  });
  const pictures: PictureEntry[] = [];
  const playsJsmpeg = flags.target === 'jsmpeg';
  const common = {
    input,
    output,
    overwrite: flags.overwrite ?? false,
    recon,
    vectors,
    sound,
    standardOutput: (format: StreamFormat) =>
      new StdoutWriter(playsJsmpeg ? containerForPath('-.ts', format).writer : undefined),
    onWarning: warnings.add,
    onLeftover: printWarning,
    showProgress: progressDisplay(flags),
    onPicture: json ? (report: PictureReport) => void pictures.push(pictureEntry(report)) : () => {},
  };
  const callOff = optimizeLessLater(flags.threads);
  const result = await Interruption.during(
    async interruption => {
      if (plan !== undefined) {
        const { runEncodeByPlan } = await import('../chunks/encode-by-plan.js'); // loaded here: others start sooner
        return runEncodeByPlan({ ...common, plan, threads: flags.threads }, interruption);
      }
      return runEncode(await encodeJob(common, flags), interruption);
    },
    plan === undefined ? undefined : CHUNKS_ARE_KEPT,
  )
    .catch(error => {
      throw namingMatrixFile(error, flags);
    })
    .finally(callOff);
  if (json) await writeReport(encodeReport(result, warnings.messages), pictures);
  else if (!flags.quiet && output !== '-' && result.output !== undefined) {
    await writeStandardOutput(encodeSummary(result));
  }
  if (result.interrupted) throw new Interrupted(interruptionNote(result));
}

/** The job of an encode without a plan. */
async function encodeJob(
  common: Omit<EncodeJob, 'source' | 'passes' | 'tunesMatrix' | 'encoder'>,
  flags: EncodeFlags,
): Promise<EncodeJob> {
  return {
    ...common,
    source: sourceOptions(flags, common.onWarning),
    passes: flags.passes ?? 1,
    tunesMatrix: flags.matrix === TUNED_MATRIX,
    encoder: { ...encoderOptions(flags), ...(await matrixOptions(flags)), onWarning: common.onWarning },
  };
}

function interruptionNote({ output, statistics }: EncodeResult): string {
  if (output === undefined) return 'interrupted before the first picture: nothing was kept';
  return `interrupted after ${counted(statistics.frames, 'frame')}: what was coded is in ${output}`;
}
