// Copies a video stream and its sound into .mp4, .mkv, .avi or .mov with ffmpeg, without coding them again.

import { open } from 'node:fs/promises';
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { InputError } from '../../errors.js';
import type { AbortSignalType } from '../../platform-types.js';
import { copySourceExtension, extensionOf } from '../containers/container.js';
import { FfmpegFailure, startFfmpeg, withAnyFfmpeg } from '../ffmpeg.js';
import { flushFile } from './flush.js';
import { type OutputOptions, OutputPlace } from './output-place.js';
import { publish } from './publish.js';

/** What to copy, and where. */
export interface CopyJob extends OutputOptions {
  /** A transport stream `.ts`, an elementary stream `.m1v` or a system stream `.mpg`; see `copySourceExtension`. */
  readonly input: string;
  /** A path that ends in one of `COPY_EXTENSIONS`. The file appears when it is complete. */
  readonly output: string;
  /** The rate of the pictures: that of an elementary stream, and the unit of time of `.mp4` and `.mov`. */
  readonly frameRate: FrameRate;
  /** A file of MPEG-1 Layer II that starts with the first picture; undefined: the sound of `input`, if it has any. */
  readonly soundInput?: string | undefined;
  /** How many frames of `soundInput` to copy; undefined: all; 0: no sound, not that of `input` either. */
  readonly soundFrames?: number | undefined;
  /** An abort kills ffmpeg and leaves no output; the promise rejects with the signal's reason. */
  readonly signal?: AbortSignalType | undefined;
}

/**
 * Copies an MPEG-1 video stream, and its sound, into another container, their bytes unchanged. Throws an InputError if
 * ffmpeg fails or leaves out a picture, an OptionError for another ending, the errors of `OutputFile.open`, and an
 * UnsupportedError if there is no ffmpeg.
 */
export async function copyIntoContainer(job: CopyJob): Promise<void> {
  const { input, output, frameRate, soundInput, soundFrames, ...options }: CopyJob = Object(job);
  copySourceExtension(output); // throws for any other ending
  const place = await OutputPlace.prepare(output, options);
  try {
    await copyStream({ input, frameRate, soundInput, soundFrames }, place);
    publish([place]);
  } finally {
    place.remove();
  }
}

/** What ffmpeg copies. */
export interface CopiedStreams extends Pick<CopyJob, 'input' | 'frameRate' | 'soundInput' | 'soundFrames'> {
  /** Whether all sound of `input` is Layer II: of a single frame ffmpeg cannot tell. Without it, ffmpeg finds out. */
  readonly isLayerTwo?: boolean;
}

/** Copies the streams to the hidden file of `place` and makes it last. Throws the errors of `copyIntoContainer`. */
export async function copyStream(streams: CopiedStreams, place: OutputPlace): Promise<void> {
  const { signal, onWarning } = place.options;
  try {
    // The first Ctrl-C asks this program to complete the output. The terminal sends it to ffmpeg, too, and ends that:
    // then ffmpeg is started once more.
    await withAnyFfmpeg(
      async ffmpeg => {
        const copying = { streams, place, ffmpeg };
        if (!(await runCopy({ ...copying, isLastTry: false }))) await runCopy({ ...copying, isLastTry: true });
      },
      message => onWarning?.(place.withoutHiddenNames(message)),
    );
  } catch (error) {
    signal?.throwIfAborted();
    if (!(error instanceof InputError)) throw error;
    throw new InputError(place.withoutHiddenNames(error.message), { cause: error });
  }
  const file = await open(place.writePath, 'r+');
  await flushFile(file).finally(() => file.close());
}

/** The signals by which a user or a system ends all programs of a terminal. */
const ENDING_SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'];

interface Try {
  readonly streams: CopiedStreams;
  readonly place: OutputPlace;
  readonly ffmpeg: string;
  readonly isLastTry: boolean;
}

/** Returns false if a signal from outside has ended ffmpeg, and it may be tried again. */
async function runCopy({ streams, place, ffmpeg, isLastTry }: Try): Promise<boolean> {
  const { signal } = place.options;
  const { input, frameRate, soundInput, soundFrames, isLayerTwo } = streams;
  const sound = soundFrames === 0 ? [] : ['-map', soundInput === undefined ? '0:a:0?' : '1:a:0'];
  const soundLimit = soundFrames ? ['-frames:a', `${soundFrames}`] : [];
  const run = await startFfmpeg({
    ffmpeg,
    input,
    inputOptions: [...(isLayerTwo ? ['-c:a', 'mp2'] : []), ...inputOptions(input, place.path, frameRate)],
    signal,
    ...(soundInput !== undefined && { secondInput: { path: soundInput, options: ['-f', 'mp3'] } }), // mp3: any layer
    output: place.writePath,
    // bitexact: without random identifiers and ffmpeg's version; -y: the hidden file is there already
    outputOptions: [
      ...['-map', '0:v:0', ...sound, '-c', 'copy', ...soundLimit],
      ...timescaleOptions(place.path, frameRate),
      ...['-fflags', '+bitexact', '-y'],
    ],
  });
  try {
    await run.done;
    run.throwErrors();
    signal?.throwIfAborted();
    return true;
  } catch (error) {
    const isInterrupted =
      (error instanceof FfmpegFailure && ENDING_SIGNALS.includes(error.ending)) ||
      run.messages.lines.some(line => line.includes('received signal'));
    if (isLastTry || !isInterrupted) throw error;
    return false;
  } finally {
    // ffmpeg may have made its file again after the abort had removed it.
    if (signal?.aborted) place.remove();
  }
}

function inputOptions(input: string, output: string, { numerator, denominator }: FrameRate): string[] {
  const extension = extensionOf(input);
  if (extension === '.ts') return ['-f', 'mpegts'];
  // Matroska needs a time stamp for every picture: ffmpeg generates those that are missing.
  if (extension === '.mpg') return ['-fflags', '+genpts', '-f', 'mpeg'];
  const generateTimes = extensionOf(output) === '.mkv' ? ['-fflags', '+genpts'] : [];
  return [...generateTimes, '-f', 'mpegvideo', '-r', `${numerator}/${denominator}`];
}

/**
 * A picture lasts 3753.75 ticks of 90 kHz at 23.976 pictures a second, 1501.5 at 59.94. Counted in these, pictures of
 * an MP4 last a tick more or less, and programs call its rate variable. In its own unit each lasts 1001.
 */
function timescaleOptions(output: string, { numerator, denominator }: FrameRate): string[] {
  const isCounted = ['.mp4', '.mov'].includes(extensionOf(output)) && denominator > 1;
  return isCounted ? ['-video_track_timescale', `${numerator}`] : [];
}
