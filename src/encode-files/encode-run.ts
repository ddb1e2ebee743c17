// Runs an encode: reads the frames, encodes them in one or two passes, writes the files.
import type { AccessUnit } from '../bitstream/access-unit.js';
import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import { Encoder } from '../encoder/encoder.js';
import type { EncoderOptions } from '../encoder/options.js';
import type { PictureReport, VectorReport } from '../encoder/report/picture-report.js';
import type { EncoderStatistics } from '../encoder/report/statistics.js';
import { callsNoEncoder } from '../encoder/settings/calls-no-encoder.js';
import { ENCODER_OPTIONS } from '../encoder/settings/option-table.js';
import { FrameSample } from '../encoder/tuning/frame-sample.js';
import { tuneIntraMatrix } from '../encoder/tuning/matrix-tuning.js';
import { InputError, messageOf, OutputError } from '../errors.js';
import type { StreamFormat } from '../media/containers/container-writer.js';
import { DamagedInput } from '../media/frames/damaged-input.js';
import type { FrameSource, FrameSourceOptions } from '../media/frames/frame-source.js';
import { VideoWriter } from '../media/output/video-writer.js';
import { Y4mWriter } from '../media/output/y4m-writer.js';
import type { Frame } from '../picture/frame.js';
import { KeptThreads } from '../threads/node/kept-threads.js';
import {
  type ChosenSound,
  chooseSound,
  type SoundPlace,
  type SoundReport,
  type SoundRequest,
  soundReport,
} from './encode-sound.js';
import { runFirstPass } from './first-pass.js';
import { JsonLinesFile } from './json-lines-file.js';
import { askDriversMeanwhile, framesUntilStopped, openInput, streamRate } from './open-input.js';
import { OutputSet, type PendingOutput } from './output-set.js';
import { NO_PROGRESS, type Progress, type ShowProgress } from './progress.js';
import { Interrupted, type Stops } from './stops.js';
import { pelAspectOption } from './stream-shape.js';

/** One encode. */
export interface EncodeJob {
  /** The input, as `openFrameSource` takes it. */
  readonly input: string;
  readonly source: FrameSourceOptions;
  /** The output file, or `-`: the stream goes to `standardOutput`. */
  readonly output: string;
  readonly standardOutput?: (format: StreamFormat) => VideoOutput;
  readonly overwrite: boolean;
  readonly sound: SoundRequest;
  /** Files for the reconstruction and the vectors; undefined for none. */
  readonly recon: string | undefined;
  readonly vectors: string | undefined;
  /** 1, or 2: the first pass reads the input for the rate control of the second. */
  readonly passes: number;
  /** Whether the intra matrix is tuned to the frames of the first pass. */
  readonly tunesMatrix: boolean;
  /** The options of the encoder that do not follow from the input. */
  readonly encoder: Omit<EncoderOptions, 'width' | 'height' | 'frameRate'>;
  /** Called with what the user should know of the input. */
  readonly onWarning: (message: string) => void;
  /** Called with a line about hidden files of a killed run that were removed. */
  readonly onLeftover: (message: string) => void;
  readonly showProgress: ShowProgress;
  /** Called with the report of each picture, in coded order. */
  readonly onPicture: (report: PictureReport) => void | Promise<void>;
}

/** The outcome of an encode. */
export interface EncodeResult extends SoundReport {
  /** Name of the output, with `.partial` after an interruption; undefined if nothing was kept. */
  readonly output: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  readonly statistics: EncoderStatistics;
  /** Wall time from opening the input to the finished output. */
  readonly seconds: number;
  readonly interrupted: boolean;
}

/** Where the video goes. */
export interface VideoOutput extends PendingOutput {
  /** Frames of sound that have been written. */
  readonly soundFrames: number;
  write(unit: AccessUnit): Promise<void>;
}

/**
 * Encodes. After a first interruption no more frames are read, and what was coded is kept as `.partial`. After a second
 * one, or a failure, nothing is left behind, and the reason is thrown; but outputs that cannot have their names are
 * kept as parts (`publish`). Of an input that ends early or is damaged, what could be read is coded and kept as
 * `.partial`, and an InputError is thrown.
 */
export async function runEncode(job: EncodeJob, interruption: Stops): Promise<EncodeResult> {
  const start = performance.now();
  const forget = askDriversMeanwhile(job.encoder);
  try {
    const source = await openInput(job.input, job.source, interruption);
    try {
      return await encodeSource(job, source, interruption, start);
    } finally {
      await source.close();
    }
  } finally {
    forget();
  }
}

async function encodeSource(
  job: EncodeJob,
  source: FrameSource,
  interruption: Stops,
  start: number,
): Promise<EncodeResult> {
  const { width, height } = source;
  const frameRate = streamRate(source);
  const outputs = new OutputSet(interruption.stop);
  const failure = new AbortController();
  let progress = NO_PROGRESS;
  interruption.abort.addEventListener('abort', () => {
    failure.abort(interruption.abort.reason);
    progress.stop();
  });
  let coded = 0;
  let files: OutputFiles | undefined;
  // Both passes use them.
  const ownThreads = job.passes === 2 && !job.encoder.keptThreads ? new KeptThreads() : undefined;
  const settings = {
    ...encoderSettings(job, source),
    ...(ownThreads && { keptThreads: ownThreads }),
    signal: failure.signal,
  };
  const callbacks = callbacksOf(job, {
    files: () => files,
    onCoded: report => progress.update(++coded, report),
  });
  let encoder = new Encoder({ ...settings, ...callbacks });
  let frameSource = source;
  let writing: Promise<void> | undefined;
  try {
    files = await openOutputs(job, source, outputs, interruption);
    const { video, chosen } = files;
    if (job.passes === 2) {
      // Only the second pass warns.
      const { onWarning: _, ...silent } = settings;
      const learned = await runLearningPass(job, source, interruption, silent);
      await source.close();
      frameSource = await openInput(job.input, job.source, interruption);
      encoder = new Encoder({ ...settings, ...callbacks, ...learned });
    }
    const label = job.passes === 2 ? 'pass 2 of 2' : undefined;
    progress = job.showProgress(frameSource.frameCount, { label, frameRate });
    writing = writeUnits(encoder, video);
    writing.catch(error => failure.abort(error));
    const frames = framesUntilStopped(frameSource, interruption.stop, failure.signal, encoder);
    const damage = await encodeUntilDamage(frames, encoder);
    await encoder.finish();
    await writing;
    const interrupted = interruption.stop.aborted;
    const isPartial = interrupted || damage !== undefined;
    const output = isPartial ? await keepPartial(job, outputs, encoder) : job.output;
    if (damage) throw new InputError(`${damage.message}; ${whatWasKept(output)}`, { cause: damage });
    if (!interrupted) await outputs.finish();
    const seconds = (performance.now() - start) / 1000;
    const audio = soundReport(chosen, { frames: video.soundFrames, interrupted }, job.sound);
    return { output, width, height, frameRate, statistics: encoder.statistics, seconds, interrupted, ...audio };
  } catch (error) {
    failure.abort(error);
    await encoder.finish().catch(() => {}); // it throws the error that is being handled
    await writing?.catch(() => {});
    throw runError(error, interruption);
  } finally {
    progress.stop();
    await frameSource.close();
    await outputs.discard();
    await files?.chosen.sound?.close();
    await ownThreads?.close();
  }
}

/** What the callbacks of an encoder need of a run. */
interface CodedPictures {
  /** The outputs; undefined until they are open. */
  readonly files: () => OutputFiles | undefined;
  /** Called with the report of each picture after it has been written. */
  readonly onCoded: (report: PictureReport) => void;
}

/** What the encoder calls: these functions write the files beside the video. */
function callbacksOf(
  job: EncodeJob,
  { files, onCoded }: CodedPictures,
): Pick<EncoderOptions, 'onPicture' | 'onReconstruction'> {
  return {
    onPicture: callsNoEncoder(async report => {
      await job.onPicture(report);
      await files()?.vectors?.write(report.vectors());
      onCoded(report);
    }),
    ...(job.recon !== undefined && {
      onReconstruction: callsNoEncoder(async (frame: Frame, displayNumber: number) => {
        await files()?.recon?.write(frame);
        await job.encoder.onReconstruction?.(frame, displayNumber);
      }),
    }),
  };
}

/** The error of a run. If the user has stopped the run before, it is an Interrupted that says so. */
function runError(error: unknown, { stop }: Stops): unknown {
  if (!stop.aborted || error instanceof Interrupted || error instanceof OutputError) return error;
  const text = `interrupted; then an error came, so nothing was kept: ${messageOf(error)}`;
  return new Interrupted(text, { cause: error });
}

/** The options of the encoder: those of the job, and those that follow from the input. */
function encoderSettings(job: EncodeJob, source: FrameSource): EncoderOptions {
  const { width, height } = source;
  return {
    ...playerDefaults(job.output),
    ...expectedFrames(source),
    ...pelAspectOption(source, { ...job.encoder, ...job.source }, job.onWarning),
    ...job.encoder,
    ...{ width, height, frameRate: streamRate(source) },
  };
}

/** What an encode writes to, and the sound that goes into the video. */
interface OutputFiles {
  readonly recon: Y4mWriter | undefined;
  readonly vectors: JsonLinesFile<VectorReport> | undefined;
  readonly video: VideoOutput;
  readonly chosen: ChosenSound;
}

/** Opens all outputs, which `outputs` takes, and chooses the sound. */
async function openOutputs(
  job: EncodeJob,
  source: FrameSource,
  outputs: OutputSet,
  interruption: Stops,
): Promise<OutputFiles> {
  const { width, height, pelAspect } = source;
  const format = { width, height, frameRate: streamRate(source) };
  const shaped = { ...format, ...(pelAspect && { pelAspect }) };
  const { overwrite, onLeftover, onWarning } = job;
  const options = { overwrite, signal: interruption.abort, onLeftover, onWarning };
  const recon =
    job.recon === undefined ? undefined : await outputs.addOpening('recon', Y4mWriter.open(job.recon, shaped, options));
  const vectors =
    job.vectors === undefined
      ? undefined
      : await outputs.addOpening('vectors', JsonLinesFile.open(job.vectors, options));
  const chosen = await chooseSound(job.sound, soundPlace(job, source, format.frameRate), interruption);
  const { sound } = chosen;
  const streamFormat = { ...format, ...(job.encoder.target === 'vcd' && { layout: 'video-cd' as const }) };
  const isLive = job.encoder.latency === 'low';
  try {
    const video =
      job.output === '-' && job.standardOutput
        ? outputs.add<VideoOutput>(job.standardOutput(streamFormat))
        : await outputs.addOpening('output', VideoWriter.open(job.output, streamFormat, { ...options, sound, isLive }));
    return { recon, vectors, video, chosen };
  } catch (error) {
    await sound?.close();
    throw error;
  }
}

/** Whose sound it is: the input's, no longer than the frames that are read. */
function soundPlace(
  { input, output, source: { frames } }: EncodeJob,
  source: FrameSource,
  rate: FrameRate,
): SoundPlace {
  const seconds = frames === undefined ? undefined : (frames * rate.denominator) / rate.numerator;
  return { input, output, soundTracks: source.soundTracks, seconds };
}

/** The options of the second pass that the first pass finds. Throws Interrupted when the user stops it. */
async function runLearningPass(
  job: EncodeJob,
  source: FrameSource,
  interruption: Stops,
  settings: EncoderOptions & { readonly signal: AbortSignal },
): Promise<Pick<EncoderOptions, 'firstPass' | 'intraMatrix'>> {
  const { showProgress, tunesMatrix } = job;
  const sample = tunesMatrix ? new FrameSample() : undefined;
  const pass = { source, frameRate: streamRate(source), showProgress, signal: settings.signal, sample };
  const firstPass = await runFirstPass(
    pass,
    interruption,
    onPicture => new Encoder({ ...settings, isFirstPass: true, onPicture }),
  );
  if (!sample) return { firstPass };
  const signal = AbortSignal.any([settings.signal, interruption.stop]);
  let progress: Progress | undefined;
  const onProgress = (coded: number, expected: number) => {
    progress ??= showProgress(expected, { label: 'matrix' });
    progress.update(coded);
  };
  try {
    const intraMatrix = await tuneIntraMatrix(sample, firstPass, { ...settings, signal }, onProgress);
    return { firstPass, intraMatrix };
  } catch (error) {
    if (!interruption.stop.aborted) throw error;
    throw new Interrupted('interrupted while the matrix was tuned: nothing was kept', { cause: error });
  } finally {
    progress?.stop();
  }
}

/** Encodes the frames. Returns the fault of an input that could be read in part. */
async function encodeUntilDamage(frames: AsyncIterable<Frame>, encoder: Encoder): Promise<DamagedInput | undefined> {
  try {
    for await (const frame of frames) await encoder.add(frame);
    return undefined;
  } catch (error) {
    if (error instanceof DamagedInput) return error;
    throw error;
  }
}

function whatWasKept(output: string | undefined): string {
  return output === undefined ? 'nothing was kept' : `what was read is in ${output}`;
}

async function writeUnits(encoder: Encoder, video: VideoOutput): Promise<void> {
  for await (const unit of encoder) await video.write(unit);
}

/** Keeps what was coded. Returns the name of the video, or undefined if nothing was coded. */
async function keepPartial({ output }: EncodeJob, outputs: OutputSet, encoder: Encoder): Promise<string | undefined> {
  if (encoder.statistics.frames === 0) return undefined;
  const kept = await outputs.keepPartial();
  return output === '-' ? 'standard output' : kept.at(-1);
}

/** What the encoder is told of the input's length. */
function expectedFrames({ frameCount }: FrameSource): Pick<EncoderOptions, 'expectedFrames'> {
  if (frameCount === undefined) return {};
  return { expectedFrames: Math.min(Math.ceil(frameCount), ENCODER_OPTIONS.expectedFrames.values.max) };
}

/** Defaults for the players of a kind of file. JSMpeg plays .ts, and shows no B pictures. */
function playerDefaults(output: string): Pick<EncoderOptions, 'bFrames'> {
  return output.toLowerCase().endsWith('.ts') ? { bFrames: 0 } : {};
}
