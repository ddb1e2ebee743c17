import type { AccessUnit } from '../bitstream/access-unit.js';
import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../bitstream/frame-rate.js';
import { Encoder } from '../encoder/encoder.js';
import type { EncoderOptions } from '../encoder/options.js';
import type { PictureReport } from '../encoder/picture-report.js';
import type { EncoderStatistics } from '../encoder/statistics.js';
import { InputError } from '../errors.js';
import { type FrameSource, type FrameSourceOptions, openFrameSource } from '../media/frame-source.js';
import { VideoWriter } from '../media/video-writer.js';
import { Y4mWriter } from '../media/y4m-writer.js';
import type { Frame } from '../picture/frame.js';
import { Interrupted } from './failure.js';
import type { Interruption } from './interruption.js';
import { OutputSet, type PendingOutput } from './output-set.js';
import { NO_PROGRESS, type Progress } from './progress-bar.js';
import { StdoutWriter } from './stdout-writer.js';
import { VectorsFile } from './vectors-file.js';

/** Frames per second of an input that carries no rate (images, raw video). */
const DEFAULT_FRAME_RATE: FrameRate = { numerator: 25, denominator: 1 };
/** A Ctrl-C reaches our ffmpeg too: its failure may be seen so much earlier than our own signal, in milliseconds. */
const SIGNAL_DELAY_MS = 50;

/** One encode, from input to files. */
export interface EncodeJob {
  /** What `openFrameSource` takes. */
  readonly input: string;
  readonly source: FrameSourceOptions;
  /** A file, or `-`: the elementary stream on standard output. */
  readonly output: string;
  readonly overwrite: boolean;
  /** Where the reconstruction and the vectors go, if anywhere. */
  readonly recon: string | undefined;
  readonly vectors: string | undefined;
  /** The encoder's options but for what the input says. */
  readonly encoder: Omit<EncoderOptions, 'width' | 'height' | 'frameRate'>;
  /** Makes the progress display once the number of frames to expect is known. */
  readonly showProgress: (expectedFrames: number | undefined) => Progress;
  /** Called with what is known of each picture, in coded order. */
  readonly onPicture: (report: PictureReport) => void;
}

/** What came of it. */
export interface EncodeResult {
  /** The name under which the output now is: with `.partial` after an interruption; undefined if nothing was kept. */
  readonly output: string | undefined;
  readonly width: number;
  readonly height: number;
  readonly frameRate: FrameRate;
  readonly statistics: EncoderStatistics;
  /** Wall time from opening the input to the finished output. */
  readonly seconds: number;
  readonly interrupted: boolean;
}

interface VideoOutput extends PendingOutput {
  write(unit: AccessUnit): Promise<void>;
}

/**
 * Encodes. Once the interruption asks to stop, no more frames are taken, and what was coded is kept as `.partial`; when it
 * asks again, or anything fails, nothing is left behind and the reason is thrown.
 */
export async function runEncode(job: EncodeJob, interruption: Interruption): Promise<EncodeResult> {
  const start = performance.now();
  const source = await openFrameSource(job.input, job.source);
  try {
    return await encodeSource(job, source, interruption, start);
  } finally {
    await source.close();
  }
}

async function encodeSource(
  job: EncodeJob,
  source: FrameSource,
  interruption: Interruption,
  start: number,
): Promise<EncodeResult> {
  const { width, height } = source;
  const frameRate = streamRate(source);
  const outputs = new OutputSet();
  const failure = new AbortController();
  interruption.abort.addEventListener('abort', () => failure.abort(interruption.abort.reason));
  let progress = NO_PROGRESS;
  let coded = 0;
  let recon: Y4mWriter | undefined;
  let vectors: VectorsFile | undefined;
  const encoder = new Encoder({
    ...playerDefaults(job.output),
    ...job.encoder,
    width,
    height,
    frameRate,
    signal: failure.signal,
    onPicture: async report => {
      job.onPicture(report);
      await vectors?.write(report.vectors());
      progress.update(++coded);
    },
    ...(job.recon !== undefined && { onReconstruction: async (frame: Frame) => recon?.write(frame) }),
  });
  let writing: Promise<void> | undefined;
  try {
    const { overwrite } = job;
    if (job.recon !== undefined) {
      recon = outputs.add(await Y4mWriter.open(job.recon, { width, height, frameRate }, { overwrite }));
    }
    if (job.vectors !== undefined) vectors = outputs.add(await VectorsFile.open(job.vectors, { overwrite }));
    const video: VideoOutput = outputs.add(
      job.output === '-'
        ? new StdoutWriter()
        : await VideoWriter.open(job.output, { width, height, frameRate }, { overwrite }),
    );
    progress = job.showProgress(source.frameCount);
    writing = writeUnits(encoder, video);
    writing.catch(error => failure.abort(error));
    const frames = framesUntilStopped(source, interruption.stop, failure.signal);
    for await (const frame of frames) await encoder.add(frame);
    await encoder.finish();
    await writing;
    const interrupted = interruption.stop.aborted;
    const output = interrupted ? await keepPartial(outputs, encoder) : job.output;
    if (!interrupted) await outputs.finish();
    const seconds = (performance.now() - start) / 1000;
    return { output, width, height, frameRate, statistics: encoder.statistics, seconds, interrupted };
  } catch (error) {
    failure.abort(error);
    await encoder.finish().catch(() => {}); // its reason is the error that is being handled
    await writing?.catch(() => {});
    if (!interruption.stop.aborted || error instanceof Interrupted) throw error;
    throw new Interrupted('interrupted while the output was being completed: nothing was kept', { cause: error });
  } finally {
    progress.stop();
    await outputs.discard();
  }
}

/** The source's rate as MPEG-1 has it. Throws an InputError where it does not. */
export function streamRate({ name, frameRate = DEFAULT_FRAME_RATE }: FrameSource): FrameRate {
  const code = pictureRateCode(frameRate);
  if (code !== undefined) return FRAME_RATES[code - 1]!;
  const fps = Number((frameRate.numerator / frameRate.denominator).toFixed(3));
  throw new InputError(
    `${name} has ${fps} frames per second, which MPEG-1 does not have: choose one with --fps; legal: ${FRAME_RATE_NAMES}`,
  );
}

/**
 * The frames of a source, which end early, and without an error, once `stop` is aborted. An abort of `failure` ends them
 * with its reason, also while the source waits for input.
 */
export async function* framesUntilStopped(
  source: FrameSource,
  stop: AbortSignal,
  failure?: AbortSignal,
): AsyncGenerator<Frame> {
  try {
    yield* source.frames(failure ? AbortSignal.any([stop, failure]) : stop) as AsyncIterable<Frame>;
  } catch (error) {
    if (!stop.aborted) await new Promise(resolve => setTimeout(resolve, SIGNAL_DELAY_MS));
    if (!stop.aborted) throw error;
  }
}

async function writeUnits(encoder: Encoder, video: VideoOutput): Promise<void> {
  for await (const unit of encoder) await video.write(unit);
}

/** Keeps what was coded, if anything was; returns the video's name. */
async function keepPartial(outputs: OutputSet, encoder: Encoder): Promise<string | undefined> {
  if (encoder.statistics.frames === 0) return undefined;
  return (await outputs.keepPartial()).at(-1);
}

/** What players of a kind of file ask for unless told otherwise: JSMpeg, for whom .ts is, shows no B pictures. */
function playerDefaults(output: string): Pick<EncoderOptions, 'bFrames'> {
  return output.toLowerCase().endsWith('.ts') ? { bFrames: 0 } : {};
}
