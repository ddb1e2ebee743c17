// Runs a comparison: reads the frames, compares the estimators, writes the report.
import { type Comparison, compareEstimators } from '../../compare/comparison/compare-estimators.js';
import type { ComparedRates } from '../../compare/comparison/compared-rates.js';
import { type ComparedEncoderOptions, type ComparisonJob, comparisonFrames } from '../../compare/comparison/job.js';
import type { BdMethod } from '../../compare/quality/bd-rate.js';
import type { ReportFile } from '../../compare/report/report-origin.js';
import type { ReportPictures } from '../../compare/report/viewer/report-pictures.js';
import { openInput, streamRate } from '../../encode-files/open-input.js';
import { OutputSet } from '../../encode-files/output-set.js';
import type { ShowProgress } from '../../encode-files/progress.js';
import { InputError } from '../../errors.js';
import type { FrameSource, FrameSourceOptions } from '../../media/frames/frame-source.js';
import { encodeWebp } from '../../media/images/webp-encoder.js';
import { OutputFile } from '../../media/output/output-file.js';
import { findVmaf } from '../../media/vmaf.js';
import { type Frame, i420Bytes } from '../../picture/frame.js';
import { describeGpu } from '../devices/describe-gpu.js';
import { Interrupted, printWarning } from '../failure.js';
import type { Interruption } from '../interruption.js';
import type { Warnings } from '../warnings.js';
import { compareJson } from './compare-report.js';
import type { CompareResult } from './compare-result.js';
import { encodesCsv, picturesCsv } from './comparison-csv.js';
import { defaultEstimators } from './default-estimators.js';
import { reportDate, reportOrigin } from './report-origin.js';

/** Decoded frames take at most so many bytes of memory. The rest of a longer clip is left out. */
const MAX_FRAME_BYTES = 2 ** 30;

/** One comparison, from input to report. */
export interface CompareJob {
  /** The input, as `openFrameSource` takes it. */
  readonly input: string;
  readonly source: FrameSourceOptions;
  /** Undefined for those of `defaultEstimators`. */
  readonly estimators: readonly string[] | undefined;
  readonly settings: ComparedRates;
  /** How BD-rates are interpolated; undefined for the usual way. */
  readonly bdMethod: BdMethod | undefined;
  /** False: VMAF is left out. */
  readonly vmaf: boolean;
  readonly runs: number;
  readonly encoder: ComparedEncoderOptions;
  /** Name of the HTML report; undefined for none. */
  readonly report: string | undefined;
  /** Name of the table of pictures; undefined for none. */
  readonly csv: string | undefined;
  readonly overwrite: boolean;
  /** Version of mpegpu, and the arguments after its name: for the report. */
  readonly version: string;
  readonly args: readonly string[];
  readonly showProgress: ShowProgress;
  readonly warnings: Warnings;
}

/**
 * Reads the frames, compares the estimators and writes the report. After a first interruption the comparison ends, and
 * what is finished is kept, the report included. After a second one nothing is kept.
 */
export async function runCompare(job: CompareJob, interruption: Interruption): Promise<CompareResult> {
  const date = reportDate();
  // Opened first: if an output cannot be written, the user learns it before the work.
  const outputs = new OutputSet(interruption.stop);
  try {
    const report = await openOutput(outputs, 'report', job, interruption);
    const csv = await openOutput(outputs, 'csv', job, interruption);
    const describing = describeGpu();
    const [{ gpu }, origin, { frames, frameRate }] = await Promise.all([
      describing,
      reportOrigin({ ...job, date, gpu: describing.then(answer => answer.gpu) }),
      readFrames(job, interruption),
    ]);
    const comparing: ComparisonJob = {
      frames,
      frameRate,
      estimators: job.estimators ?? defaultEstimators(gpu),
      settings: job.settings,
      ...(job.bdMethod && { bdMethod: job.bdMethod }),
      vmaf: job.vmaf ? await findVmaf(frames[0]!) : { leftOut: '--no-vmaf says so' },
      runs: job.runs,
      encoder: job.encoder,
      signal: interruption.stop,
      onWarning: job.warnings.add,
    };
    const pictures = report && (await newReportPictures(comparing));
    const comparison = await compare(job, comparing, pictures);
    const measured = comparison.rows.some(({ encodes }) => encodes.length > 0);
    const written = measured ? { report: job.report, csv: job.csv } : { report: undefined, csv: undefined };
    const result = { input: job.input, comparison, encoder: job.encoder, origin, ...written };
    if (measured) {
      if (report && pictures) await writeText(report, await pageOf(result, pictures, job.warnings), interruption);
      if (csv) await writeText(csv, picturesCsv(comparison), interruption);
      await outputs.finish();
    }
    return result;
  } finally {
    await outputs.discard();
  }
}

async function openOutput(
  outputs: OutputSet,
  option: 'report' | 'csv',
  { overwrite, [option]: path }: CompareJob,
  { abort: signal }: Interruption,
): Promise<OutputFile | undefined> {
  if (path === undefined) return undefined;
  return outputs.addOpening(option, OutputFile.open(path, { overwrite, signal, onLeftover: printWarning }));
}

async function writeText(file: OutputFile, text: string, { abort }: Interruption): Promise<void> {
  abort.throwIfAborted();
  await file.write(new TextEncoder().encode(text));
}

/** Compares; the pictures of the report are taken as they come. */
function compare(
  { showProgress }: CompareJob,
  comparing: ComparisonJob,
  pictures: ReportPictures | undefined,
): Promise<Comparison> {
  const progress = showProgress(comparisonFrames(comparing), { label: 'all encodes' });
  return compareEstimators({
    ...comparing,
    onProgress: done => progress.update(done),
    ...(pictures && { onPicture: picture => pictures.add(picture), searchedFieldsAt: pictures.value }),
  }).finally(() => progress.stop());
}

/** The page of the report, from which its reader can save the tables and what `--json` prints. */
async function pageOf(result: CompareResult, pictures: ReportPictures, warnings: Warnings): Promise<string> {
  const { reportPage } = await import('../../compare/report/page.js');
  const { packText } = await import('../../compare/report/viewer/macroblock-data.js');
  const { input, comparison, encoder, origin } = result;
  const files: ReportFile[] = [];
  for (const [label, name, mediaType, text] of [
    ['JSON', 'comparison.json', 'application/json', compareJson(result, warnings)],
    ['CSV of encodes', 'encodes.csv', 'text/csv', encodesCsv(comparison)],
    ['CSV of pictures', 'pictures.csv', 'text/csv', picturesCsv(comparison)],
  ] as const) {
    files.push({ label, name, mediaType, packed: await packText(text) });
  }
  return reportPage({ title: input, comparison, encoder, origin, files, viewer: await pictures.finish(files) });
}

/** The pictures of the report. Their library is loaded only if a report is asked for. */
async function newReportPictures({ frames, estimators, settings }: ComparisonJob): Promise<ReportPictures> {
  const { ReportPictures } = await import('../../compare/report/viewer/report-pictures.js');
  const { width, height } = frames[0]!;
  return new ReportPictures({ width, height, frames: frames.length, estimators, settings, encodeImage: encodeWebp });
}

async function readFrames(job: CompareJob, interruption: Interruption) {
  const source = await openInput(job.input, job.source, interruption);
  try {
    const frameRate = streamRate(source);
    const frames = await framesInMemory(source, interruption.stop, job.warnings.add);
    if (frames.length < 2) {
      const count = frames.length === 1 ? 'one frame' : 'no frames';
      throw new InputError(
        `${job.source.frames === 1 ? '--frames 1 leaves' : `${source.name} has`} ${count}: 2 are needed`,
      );
    }
    return { frames, frameRate };
  } finally {
    await source.close();
  }
}

async function framesInMemory(
  source: FrameSource,
  stop: AbortSignal,
  onWarning: (message: string) => void,
): Promise<Frame[]> {
  const maxFrames = Math.max(2, Math.floor(MAX_FRAME_BYTES / i420Bytes(source.width, source.height)));
  const frames: Frame[] = [];
  try {
    for await (const frame of source.frames(stop)) {
      if (frames.length === maxFrames) {
        onWarning(
          `${source.name}: only the first ${maxFrames} frames are compared, those that fit into 1 GiB of memory`,
        );
        break;
      }
      frames.push(frame);
    }
  } catch (error) {
    if (stop.aborted) throw new Interrupted('interrupted while reading the frames: there is nothing to show');
    throw error;
  }
  return frames;
}
