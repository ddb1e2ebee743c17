// Asks ffmpeg what sound a file has, and when it starts beside the pictures.
import { InputError, UnsupportedError } from '../../errors.js';
import { type FfmpegJob, startFfmpeg } from '../ffmpeg.js';
import { readStreamFacts } from '../filters/stream-facts.js';

/** The first sound track of a file. */
export interface SoundTrack {
  /** How many tracks the file has. */
  readonly tracks: number;
  /** In Hz; undefined if ffmpeg does not say it. */
  readonly sampleRate: number | undefined;
  /** 1 for mono; more than one channel counts as 2. */
  readonly channels: 1 | 2;
  /**
   * The moment of the first picture that ffmpeg gives, on the clock of the sound that ffmpeg gives, in seconds;
   * undefined for a file without pictures.
   */
  readonly pictureSeconds: number | undefined;
}

/** How ffmpeg reads a sound. */
export type SoundJob = Omit<FfmpegJob, 'outputOptions'>;

/** What one short run of ffmpeg has said. */
interface Probe {
  readonly description: readonly string[];
  /** What ffmpeg adds to the file's time stamps; undefined if the file has no stream of the kind. */
  readonly offsetSeconds: number | undefined;
  readonly failure: Error | undefined;
}

/**
 * The first sound track of a file; undefined if there is none. Throws an InputError for a file that cannot be read, and
 * the reason of the job's signal.
 */
export async function probeSound(job: SoundJob): Promise<SoundTrack | undefined> {
  const [sound, video] = await Promise.all([probe(job, 'a:0', 'audio'), probe(job, 'v:0', 'video')]);
  const { description } = sound;
  if (!description.some(line => line.includes('Input #0')))
    throw sound.failure ?? new InputError(`${job.input}: empty`);
  const tracks = description.flatMap(line => /Stream #0:\d+.*?: Audio: (.*)/.exec(line)?.[1] ?? []);
  const [first] = tracks;
  if (first === undefined) return undefined;
  const [, hertz, layout] = /(\d+) Hz(?:, ([^,]+))?/.exec(first) ?? [];
  const { isCover, streamAfterCover } = readStreamFacts(description);
  const pictures = streamAfterCover === undefined ? video : await probe(job, `${streamAfterCover}`, 'video');
  const hasPictures = !isCover && pictures.offsetSeconds !== undefined;
  return {
    tracks: tracks.length,
    sampleRate: hertz === undefined ? undefined : Number(hertz),
    channels: layout !== undefined && /^(mono|1 channels)/.test(layout) ? 1 : 2,
    pictureSeconds: hasPictures ? (sound.offsetSeconds ?? 0) - pictures.offsetSeconds : undefined,
  };
}

/**
 * Reads to the first packet of a stream, which is of a kind. Newer ffmpegs start their clock with the first stream that
 * they use, older ones with the first stream of the file. -debug_ts prints by how much the time stamps are moved.
 */
async function probe(job: SoundJob, stream: string, kind: string): Promise<Probe> {
  const run = await startFfmpeg({
    ...job,
    inputOptions: ['-debug_ts', ...(job.inputOptions ?? [])],
    outputOptions: ['-map', `0:${stream}`, '-c', 'copy', `-frames:${kind[0]}`, '1', '-f', 'null'],
  });
  const failure = await run.done.then(
    () => undefined,
    (error: Error) => error,
  );
  job.signal?.throwIfAborted();
  if (failure instanceof UnsupportedError) throw failure; // what the other run says is not enough
  // A packet has two lines. Only the second has all that ffmpeg adds in formats whose time stamps may jump (.ts, .mpg).
  const offset = new RegExp(`demuxer\\+ffmpeg -> .*type:${kind} .*\\boff_time:(-?[\\d.]+)`).exec(
    run.messages.lines.join('\n'),
  )?.[1];
  return {
    description: await run.description,
    offsetSeconds: offset === undefined ? undefined : Number(offset),
    failure,
  };
}
