// Reads the sound of a file as MPEG-1 Layer II: ffmpeg decodes and encodes it.

import { InputError, OptionError } from '../../errors.js';
import { inWords, requireOptions } from '../../given-options.js';
import type { AbortSignalType } from '../../platform-types.js';
import { type FfmpegRun, startFfmpeg, withAnyFfmpeg } from '../ffmpeg.js';
import { openStream } from '../input-file.js';
import { lookInto } from '../video-input.js';
import {
  LEGAL_SAMPLE_RATES,
  readFrameHeader,
  requireBitRate,
  SAMPLES_PER_FRAME,
  type Sound,
  type SoundFormat,
  splitFrames,
} from './layer-two.js';
import { probeSound, type SoundJob, type SoundTrack } from './probe-sound.js';

/** How to read a sound. */
export interface SoundOptions {
  /** In bits per second, one of Layer II's for the number of channels; default 192000, for one channel 96000. */
  readonly bitRate?: number | undefined;
  /** 32000, 44100 or 48000; default: the nearest that keeps what the source has. */
  readonly sampleRate?: number | undefined;
  /** Default: the source's, at most 2. */
  readonly channels?: 1 | 2 | undefined;
  /** No more than this much of it; above 0. */
  readonly seconds?: number | undefined;
  /** An abort while the sound is opened rejects with its reason. A later one ends the sound early, without an error. */
  readonly signal?: AbortSignalType | undefined;
  /** Called with what the user should know although the sound can be read. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

/** A sound that is being read. */
export interface OpenSound extends Sound {
  readonly frames: AsyncIterable<Uint8Array>;
  readonly name: string;
  /** How many sound tracks the file has. The first one is read. */
  readonly tracks: number;
  /** Whether it goes on after the last frame that was taken; known when the iteration was left. */
  readonly goesOn: boolean;
  /** Ends ffmpeg. Idempotent. */
  close(): Promise<void>;
}

const NAMES = ['bitRate', 'sampleRate', 'channels', 'seconds', 'signal', 'onWarning'] satisfies (keyof SoundOptions)[];

/** Frames that a sound may be longer than the pictures before it is said to go on: 0.1 s and more. */
const TOLERATED_FRAMES = 4;
const DEFAULT_BIT_RATES = { 1: 96_000, 2: 192_000 } as const;
const DEFAULT_SAMPLE_RATE = 48_000;

/**
 * Opens the first sound track of a file, as MPEG-1 Layer II. In a video, the sound begins where the pictures begin: it
 * is trimmed or padded with silence there. A file of sound alone begins with its first sample. More than two channels
 * are mixed to two. Gaps of more than a frame in the source become silence, so that the sound stays in step. Resolves
 * to undefined if the file has no sound. Throws an InputError for a file that cannot be read, an OptionError for what
 * Layer II does not have, such as another bit rate, and the signal's reason.
 */
export async function openSound(path: string, options: SoundOptions = {}): Promise<OpenSound | undefined> {
  requireOptions(options, NAMES, 'SoundOptions');
  const { signal } = options;
  signal?.throwIfAborted();
  checkOptions(options);
  const job = { input: path, takesSound: true, inputOptions: await inputOptionsFor(path, signal), signal };
  return withAnyFfmpeg(ffmpeg => openWith({ ...job, ffmpeg }, options), options.onWarning);
}

async function openWith(job: SoundJob, options: SoundOptions): Promise<OpenSound | undefined> {
  const { input: path, signal } = job;
  const track = await probeSound(job);
  if (!track) return undefined;
  const format = formatFor(track, options);
  const run = await startFfmpeg({ ...job, outputOptions: outputOptions(track, format, options) });
  const frames = splitFrames(run.stdout, path);
  const first = await frames.next().catch(() => ({ done: true, value: undefined }) as const);
  signal?.throwIfAborted();
  if (first.done) {
    await run.done;
    return undefined;
  }
  const header = readFrameHeader(first.value)!;
  const made: SoundFormat = { sampleRate: header.sampleRate, channels: header.channels, bitRate: header.bitRate };
  const state = { goesOn: false };
  return {
    name: path,
    format: made,
    tracks: track.tracks,
    frames: soundFrames({ name: path, first: first.value, frames, run, options, state }),
    get goesOn() {
      return state.goesOn;
    },
    close: run.stop,
  };
}

function checkOptions({ sampleRate, channels, seconds }: SoundOptions): void {
  checkOneOf('sampleRate', sampleRate, LEGAL_SAMPLE_RATES);
  checkOneOf('channels', channels, [1, 2]);
  if (seconds === undefined || (Number.isFinite(seconds) && seconds > 0)) return;
  throw new OptionError('seconds', `seconds ${inWords(seconds)} is not legal; legal: a number above 0`);
}

function checkOneOf(name: string, value: number | undefined, legal: readonly number[]): void {
  if (value === undefined || legal.includes(value)) return;
  throw new OptionError(name, `${name} ${inWords(value)} is not legal; legal: ${legal.join(', ')}`);
}

/** ffmpeg's options before the file: its kind, where its first bytes say it. Throws an InputError, also for a pipe. */
async function inputOptionsFor(path: string, signal: AbortSignalType | undefined): Promise<string[]> {
  const { stream, fileBytes } = await openStream(path);
  stream.destroy();
  if (fileBytes === undefined) throw new InputError(`${path} is a pipe: sound is read from a file`);
  if (fileBytes === 0) throw new InputError(`${path} is empty: it holds no sound`);
  const { demuxer } = (await lookInto(path, signal)).signature;
  return demuxer ? ['-f', demuxer] : [];
}

function formatFor(track: SoundTrack, options: SoundOptions): SoundFormat {
  const { sampleRate = nearestSampleRate(track.sampleRate), channels = track.channels } = options;
  const { bitRate = DEFAULT_BIT_RATES[channels] } = options;
  requireBitRate('bitRate', bitRate, channels);
  return { sampleRate, channels, bitRate };
}

/** 44.1 kHz for its halves and doubles, 32 kHz for itself, else 48 kHz. */
function nearestSampleRate(source: number | undefined): number {
  if (source === undefined) return DEFAULT_SAMPLE_RATE;
  if (source === 32_000) return source;
  return source % 11_025 === 0 ? 44_100 : 48_000;
}

function outputOptions(
  { pictureSeconds }: SoundTrack,
  { sampleRate, channels, bitRate }: SoundFormat,
  { seconds }: SoundOptions,
): string[] {
  const start = pictureSeconds === undefined ? 'STARTPTS' : `(${pictureSeconds.toFixed(6)})/TB`;
  // From time 0 on, with silence where the time stamps leave a gap of more than a frame.
  const inStep = `aresample=${sampleRate}:async=1:min_hard_comp=0.024:first_pts=0`;
  return [
    ...['-map', '0:a:0', '-af', `asetpts=PTS-${start},${inStep}`],
    ...['-c:a', 'mp2', '-b:a', String(bitRate), '-ar', String(sampleRate), '-ac', String(channels)],
    ...(seconds === undefined ? [] : ['-t', seconds.toFixed(6)]),
    ...['-f', 'mp2'],
  ];
}

interface Reading {
  readonly name: string;
  readonly first: Uint8Array;
  readonly frames: AsyncGenerator<Uint8Array>;
  readonly run: FfmpegRun;
  readonly options: SoundOptions;
  readonly state: { goesOn: boolean };
}

async function* soundFrames(reading: Reading): AsyncGenerator<Uint8Array> {
  const { name, first, frames, run, options, state } = reading;
  const { signal, onWarning } = options;
  try {
    yield first;
    while (!signal?.aborted) {
      const next = await frames.next();
      if (next.done) break;
      yield next.value;
    }
    await run.done;
    const { damage } = run.messages;
    if (damage !== undefined) onWarning?.(`the sound of ${name} is damaged: ${damage}`);
  } catch (error) {
    if (!signal?.aborted) throw error;
  } finally {
    let more = 0;
    // When it has been closed, `stdout` ends with an error.
    const isThere = () =>
      frames.next().then(
        ({ done }) => !done,
        () => false,
      );
    while (!signal?.aborted && more <= TOLERATED_FRAMES && (await isThere())) more++;
    state.goesOn = more > TOLERATED_FRAMES;
    await run.stop();
  }
}

/** The length of so many frames of a sound. */
export function soundSeconds(frames: number, { sampleRate }: SoundFormat): number {
  return (frames * SAMPLES_PER_FRAME) / sampleRate;
}
