// Runs ffmpeg.
import { spawn } from 'node:child_process';
import { resolve } from 'node:path';
import { createInterface } from 'node:readline';
import type { Readable } from 'node:stream';
import { InputError, UnsupportedError } from '../errors.js';
import { FfmpegMessages } from './ffmpeg-messages.js';
import { findFfmpeg } from './find-ffmpeg.js';

/** One run of ffmpeg. */
export interface FfmpegJob {
  /** Path of the ffmpeg; default: `findFfmpeg`. */
  readonly ffmpeg?: string;
  /** Path of the file to read; in messages its name. */
  readonly input: string;
  /** Another path of that file. */
  readonly inputPath?: string;
  /** What ffmpeg reads in place of the file. */
  readonly stdin?: Readable;
  /** Options before the input, one argument each. */
  readonly inputOptions?: readonly string[];
  /** Path of the file to write, which may exist; undefined: ffmpeg writes to the run's `stdout`. */
  readonly output?: string;
  readonly outputOptions: readonly string[];
  /** Whether signals of the terminal, such as Ctrl-C, leave it alone. */
  readonly hasOwnSession?: boolean;
}

/** A running ffmpeg. */
export interface FfmpegRun {
  /** What ffmpeg writes. ffmpeg waits while nobody reads it. */
  readonly stdout: Readable;
  /** Resolves when ffmpeg has succeeded; rejects with an InputError that gives ffmpeg's reason. */
  readonly done: Promise<void>;
  /** What ffmpeg prints about input and output before the first frame, line by line; less if it ends earlier. */
  readonly description: Promise<readonly string[]>;
  /** What ffmpeg has said so far. */
  readonly messages: FfmpegMessages;
  /** Throws an InputError if ffmpeg has reported an error, even one after which it went on and succeeded. */
  throwErrors(): void;
  /** Kills ffmpeg. Resolves when its process has gone and `done` has settled. Idempotent. */
  stop(): Promise<void>;
}

/**
 * The kinds of input that ffmpeg may read. None of them names other files, as playlists do: whoever writes a playlist
 * chooses what is read. The names are those of ffmpeg 4 to 8; unknown ones do no harm.
 */
const DEMUXERS = [
  ...['apng', 'asf', 'av1', 'avi', 'dv', 'flv', 'gif', 'gxf', 'h261', 'h263', 'h264', 'hevc', 'ivf', 'm4v', 'matroska'],
  ...['mjpeg', 'mov', 'mpeg', 'mpegts', 'mpegvideo', 'mxf', 'nut', 'obu', 'ogg', 'vc1', 'vvc', 'wtv', 'yuv4mpegpipe'],
];

/** What keeps ffmpeg to the file or pipe that it is given. */
const ONLY_THIS_INPUT = ['-protocol_whitelist', 'file,pipe', '-format_whitelist', DEMUXERS.join(',')];

/** Starts ffmpeg. Throws an UnsupportedError if there is none. The caller awaits `done` or stops the run. */
export async function startFfmpeg(job: FfmpegJob): Promise<FfmpegRun> {
  const path = job.ffmpeg ?? (await findFfmpeg());
  const input = job.stdin ? 'pipe:0' : fileUrl(job.inputPath ?? job.input);
  const output = job.output === undefined ? 'pipe:1' : fileUrl(job.output);
  const child = spawn(
    path,
    [
      ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'level+info', '-y'],
      ...[...(job.inputOptions ?? []), ...ONLY_THIS_INPUT, '-i', input, ...job.outputOptions, output],
    ],
    { stdio: [job.stdin ? 'pipe' : 'ignore', 'pipe', 'pipe'], windowsHide: true, detached: job.hasOwnSession === true },
  );
  const { stdin, stdout, stderr } = child;
  const messages = new FfmpegMessages(input);
  let described = (_: readonly string[]): void => {};
  const description = new Promise<readonly string[]>(resolve => {
    described = resolve;
  });
  createInterface({ input: stderr! }).on('line', line => {
    messages.add(line);
    if (line.includes('Output #0')) described(messages.lines);
  });
  if (job.stdin) {
    stdin!.on('error', () => {}); // ffmpeg need not read everything
    job.stdin.on('error', () => stdin!.destroy()).pipe(stdin!);
  }
  const done = new Promise<void>((resolve, reject) => {
    child.on('error', error => reject(new UnsupportedError(`${path} cannot be run: ${error.message}`)));
    child.on('close', (status, signal) => {
      job.stdin?.destroy();
      if (status === 0) resolve();
      else
        reject(new InputError(`${job.input}: ${messages.failure ?? `ffmpeg failed: ${signal ?? `status ${status}`}`}`));
    });
  });
  const settled = done.catch(() => {}).then(() => described(messages.lines));
  return {
    stdout: stdout!,
    done,
    description,
    messages,
    throwErrors: () => {
      if (messages.damage !== undefined) throw new InputError(`${job.input}: ${messages.damage}`);
    },
    stop: () => {
      child.kill('SIGKILL');
      job.stdin?.destroy();
      stdout!.destroy(); // otherwise the run would not end before its output has been read
      return settled;
    },
  };
}

/** With `file:` ffmpeg does not take a part of the name before a colon for a protocol. */
function fileUrl(path: string): string {
  return `file:${resolve(path)}`;
}
