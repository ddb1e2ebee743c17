// Asks ffmpeg what sound a file has, and when it starts beside the pictures.
import { InputError } from '../../errors.js';
import { type FfmpegJob, startFfmpeg } from '../ffmpeg.js';

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

/** What one short run of ffmpeg has said. */
interface Probe {
  readonly description: readonly string[];
  /** What ffmpeg adds to the file's time stamps; undefined if the file has no stream of the kind. */
  readonly offsetSeconds: number | undefined;
  readonly failure: Error | undefined;
}

/** The first sound track of a file; undefined if there is none. Throws an InputError for a file that cannot be read. */
export async function probeSound(job: Omit<FfmpegJob, 'outputOptions'>): Promise<SoundTrack | undefined> {
  const [sound, pictures] = await Promise.all([probe(job, 'a', 'audio'), probe(job, 'v', 'video')]);
  const { description } = sound;
  if (!description.some(line => line.includes('Input #0')))
    throw sound.failure ?? new InputError(`${job.input}: empty`);
  const streams = description.flatMap(line => /Stream #0:\d+.*?: (Audio|Video): (.*)/.exec(line)?.slice(1, 3) ?? []);
  const kinds = streams.filter((_, i) => i % 2 === 0);
  const details = streams.filter((_, i) => i % 2 === 1);
  const first = details[kinds.indexOf('Audio')];
  if (first === undefined) return undefined;
  const [, hertz, layout] = /(\d+) Hz(?:, ([^,]+))?/.exec(first) ?? [];
  const hasPictures = kinds.includes('Video') && !/\(attached pic\)/.test(details[kinds.indexOf('Video')]!);
  return {
    tracks: kinds.filter(kind => kind === 'Audio').length,
    sampleRate: hertz === undefined ? undefined : Number(hertz),
    channels: layout !== undefined && /^(mono|1 channels)/.test(layout) ? 1 : 2,
    pictureSeconds: hasPictures ? (sound.offsetSeconds ?? 0) - (pictures.offsetSeconds ?? 0) : undefined,
  };
}

/**
 * Reads to the first packet of the first stream of a kind. Newer ffmpegs start their clock with the first stream that
 * they use, older ones with the first stream of the file. -debug_ts prints by how much the time stamps are moved.
 */
async function probe(job: Omit<FfmpegJob, 'outputOptions'>, letter: 'a' | 'v', kind: string): Promise<Probe> {
  const run = await startFfmpeg({
    ...job,
    inputOptions: ['-debug_ts', ...(job.inputOptions ?? [])],
    outputOptions: ['-map', `0:${letter}:0`, '-c', 'copy', `-frames:${letter}`, '1', '-f', 'null'],
  });
  run.stdout.resume();
  const failure = await run.done.then(
    () => undefined,
    (error: Error) => error,
  );
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
