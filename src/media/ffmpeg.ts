// Runs ffmpeg.
import type { ChildProcess } from 'node:child_process';
import { realpath } from 'node:fs/promises';
import { resolve } from 'node:path';
import { PassThrough, type Readable } from 'node:stream';
import type { FfmpegCommand } from 'fluent-ffmpeg';
import { InputError, messageOf, UnsupportedError } from '../errors.js';
import type { AbortSignalType } from '../platform-types.js';
import { FfmpegMessages } from './ffmpeg-messages.js';
import { findFfmpeg, findFfmpegs, HOW_TO_GET_FFMPEG } from './find-ffmpeg.js';
import { readFailure } from './input-file.js';
import { shortage } from './system-error.js';

/** One run of ffmpeg. */
export interface FfmpegJob {
  /** Path of the ffmpeg; default: `findFfmpeg`. */
  readonly ffmpeg?: string;
  /** Path of the file to read; in messages its name. */
  readonly input: string;
  /** What ffmpeg reads in place of the file. */
  readonly stdin?: Readable;
  /** Options before the input, one argument each. */
  readonly inputOptions?: readonly string[];
  /** Another file to read, and the options before it. */
  readonly secondInput?: { readonly path: string; readonly options: readonly string[] };
  /** Whether the input may be a file of sound alone. */
  readonly takesSound?: boolean;
  /** Path of the file to write, which may exist; undefined: ffmpeg writes to the run's `stdout`. */
  readonly output?: string;
  readonly outputOptions: readonly string[];
  /** An abort before ffmpeg starts rejects with its reason; a later one stops the run. */
  readonly signal?: AbortSignalType | undefined;
}

/** A running ffmpeg. */
export interface FfmpegRun {
  /** What ffmpeg writes. ffmpeg waits while nobody reads it. */
  readonly stdout: Readable;
  /**
   * Resolves when ffmpeg has succeeded. Rejects with an FfmpegFailure that gives ffmpeg's reason, or with an
   * UnsupportedError if the program does not run here, or the machine has no room for it.
   */
  readonly done: Promise<void>;
  /** What ffmpeg prints about input and output before the first frame, line by line; less if it ends earlier. */
  readonly description: Promise<readonly string[]>;
  /** ffmpeg's line about what it writes, printed before that; undefined if it ends earlier. */
  readonly outputStream: Promise<string | undefined>;
  /** What ffmpeg has said so far. */
  readonly messages: FfmpegMessages;
  /** Throws an InputError if ffmpeg has reported an error, even one after which it went on and succeeded. */
  throwErrors(): void;
  /** Kills ffmpeg. Resolves when its process has gone and `done` has settled. Idempotent. */
  stop(): Promise<void>;
}

/** ffmpeg has failed, or something has ended it. */
export class FfmpegFailure extends InputError {
  constructor(
    message: string,
    /** The signal that ended it, such as `SIGINT`, or `status 1`. */
    readonly ending: string,
  ) {
    super(message);
  }
}

/** ffmpeg lacks something that another one may have, such as a decoder. */
export class LackingFfmpeg extends FfmpegFailure {}

/**
 * The kinds of input that ffmpeg may read. None of them names other files, as playlists do: whoever writes a playlist
 * chooses what is read. The names are those of ffmpeg 4 to 8; unknown ones do no harm.
 */
const DEMUXERS = [
  ...['apng', 'asf', 'av1', 'avi', 'dv', 'flv', 'gif', 'gxf', 'h261', 'h263', 'h264', 'hevc', 'ivf', 'm4v', 'matroska'],
  ...['mjpeg', 'mov', 'mpeg', 'mpegts', 'mpegvideo', 'mxf', 'nut', 'obu', 'ogg', 'vc1', 'vvc', 'wtv', 'yuv4mpegpipe'],
];

/** The kinds of input that have sound alone. None of them names other files. */
const SOUND_DEMUXERS = [
  ...['aac', 'ac3', 'aiff', 'amr', 'amrnb', 'amrwb', 'ape', 'au', 'caf', 'dts', 'dtshd', 'eac3', 'flac', 'mlp', 'mp3'],
  ...['mpc', 'mpc8', 'oma', 'tak', 'truehd', 'tta', 'voc', 'w64', 'wav', 'wv'],
];

/** What keeps ffmpeg to the file or pipe that it is given. */
function onlyThisInput(takesSound: boolean): string[] {
  const demuxers = takesSound ? [...DEMUXERS, ...SOUND_DEMUXERS] : DEMUXERS;
  return ['-protocol_whitelist', 'file,pipe', '-format_whitelist', demuxers.join(',')];
}

/** Bytes that may wait between ffmpeg and the reader. Beyond them ffmpeg's own pipe fills, and ffmpeg waits. */
const PIPE_BYTES = 1 << 20;

/** How ffmpeg ends that has done its work. */
const SUCCESS = 'status 0';
/** How a program ends that the system cannot start, because a library is missing for example. */
const NOT_RUN = new Set(['status 126', 'status 127']);

/**
 * What `use` makes of the preferred ffmpeg; of the next one, which is told as a warning, where the preferred one does
 * not run or lacks something.
 */
export async function withAnyFfmpeg<Result>(
  use: (ffmpeg: string) => Promise<Result>,
  onWarning: ((message: string) => void) | undefined,
): Promise<Result> {
  const [preferred, other] = await findFfmpegs();
  try {
    return await use(preferred.path);
  } catch (error) {
    const mayHelp = error instanceof LackingFfmpeg || (error instanceof UnsupportedError && !shortage(error));
    if (!mayHelp || !other) throw error;
    onWarning?.(`${error.message} (${preferred.path}); ${other.path} is used instead`);
    return use(other.path);
  }
}

/** Starts ffmpeg. Throws an UnsupportedError if there is none. The caller awaits `done` or stops the run. */
export async function startFfmpeg(job: FfmpegJob): Promise<FfmpegRun> {
  const path = job.ffmpeg ?? (await findFfmpeg());
  const input = job.stdin ? 'pipe:0' : await inputUrl(job.input);
  const { default: fluent } = await import('fluent-ffmpeg'); // loaded on demand: other inputs open sooner
  const stdout = new PassThrough({
    highWaterMark: PIPE_BYTES,
    // fluent-ffmpeg takes a 'close' of its target before ffmpeg's exit for a failure, and soon ends ffmpeg. Windows may
    // close the pipe well before that exit.
    destroy(error, close) {
      if (this.writableFinished) settled.then(() => close(error));
      else close(error);
    },
  });
  const messages = new FfmpegMessages(input);
  const command = Object.assign(fluent(), {
    // It would ask the first ffmpeg of this process for what it has, and refuse what that one lacks to all others, too.
    _prepare(this: { _getArguments(): string[] }, ready: (error: null, args: string[]) => void) {
      ready(null, this._getArguments());
    },
    // It has one path for all runs of this process: of two that begin at once, both would take that of the second.
    _getFfmpegPath: (take: (error: null, path: string) => void) => take(null, path),
    ...reportsFailedStart,
  });
  command
    .input(job.stdin ?? input)
    .inputOptions([
      ...['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'level+verbose'],
      ...[...(job.inputOptions ?? []), ...onlyThisInput(job.takesSound === true)],
    ]);
  if (job.secondInput) {
    command
      .input(await inputUrl(job.secondInput.path))
      .inputOptions([...job.secondInput.options, ...onlyThisInput(true)]);
  }
  command.output(job.output === undefined ? stdout : fileUrl(job.output)).outputOptions([...job.outputOptions]);
  command.on('stderr', (line: string) => messages.add(line));
  const whenEnded = endingOf(command);
  const done = new Promise<void>((resolve, reject) => {
    const otherProgram = (): UnsupportedError => new UnsupportedError(`${path} is no ffmpeg: ${HOW_TO_GET_FFMPEG}`);
    command.on('end', () => (messages.areOfFfmpeg ? resolve() : reject(otherProgram())));
    command.on('error', async (error: Error) => {
      if (error instanceof NotStarted) {
        stdout.end();
        return reject(notStarted(path, error.cause));
      }
      const ending = await whenEnded;
      // On a busy machine fluent-ffmpeg may find its target closed before it learns that ffmpeg is done.
      if (ending === SUCCESS) resolve();
      else if (NOT_RUN.has(ending)) reject(notRunning(path, messages.lines.join(' ').trim() || error.message));
      else if (!messages.areOfFfmpeg && ending.startsWith('status')) reject(otherProgram());
      else {
        const reason = messages.failure ?? `ffmpeg ended with ${ending}, and gave no reason`;
        reject(new (messages.tellsOfLack ? LackingFfmpeg : FfmpegFailure)(`${job.input}: ${reason}`, ending));
      }
    });
  });
  const settled = done
    .catch(() => {})
    .then(() => {
      job.signal?.removeEventListener('abort', stop);
      job.stdin?.destroy();
      messages.end();
    });
  const stop = (): Promise<void> => {
    command.kill('SIGKILL');
    stdout.destroy(); // otherwise ffmpeg's pipe would stay open until its output has been read
    return settled;
  };
  job.signal?.throwIfAborted();
  job.signal?.addEventListener('abort', stop);
  job.stdin?.on('error', () => command.kill('SIGKILL'));
  command.run();
  return {
    stdout,
    done,
    description: messages.description,
    outputStream: messages.outputStream,
    messages,
    throwErrors: () => {
      if (messages.damage !== undefined) throw new InputError(`${job.input}: ${messages.damage}`);
    },
    stop,
  };
}

/** The program has not begun; the cause is why. */
class NotStarted extends Error {}

type Ended = (error: NodeJS.ErrnoException | null, ...output: unknown[]) => void;
type Spawn = (this: FfmpegCommand, args: string[], options: object, begun: unknown, ended: Ended) => void;

/**
 * Where the system does not start the program, fluent-ffmpeg throws: at once if the child got no streams, for lack of
 * file descriptors, and when it hears of the child's error. In place of that, the command emits a NotStarted.
 */
const reportsFailedStart: { readonly _spawnFfmpeg: Spawn } = {
  _spawnFfmpeg(args, options, begun, ended) {
    const { _spawnFfmpeg: spawn } = Object.getPrototypeOf(this) as typeof reportsFailedStart;
    const failed = (cause: unknown) => this.emit('error', new NotStarted('', { cause }));
    try {
      spawn.call(this, args, options, begun, (error, ...output) => {
        if (output.length > 0) ended(error, ...output);
        else if (error?.syscall?.startsWith('spawn')) failed(error); // else it could not be killed, and its end follows
      });
    } catch (error) {
      setImmediate(failed, error); // after the child's own error, which says more
    }
  },
};

/** The error for an ffmpeg that the system, or Node, did not start. */
function notStarted(path: string, cause: unknown): Error {
  if ((cause as NodeJS.ErrnoException).code === 'ERR_ACCESS_DENIED') {
    // No UnsupportedError: another ffmpeg is not started either.
    return new Error('ffmpeg is needed, which Node starts with --allow-child-process only');
  }
  const lack = shortage(cause);
  if (lack === undefined) return notRunning(path, messageOf(cause));
  return new UnsupportedError(`${path} cannot be started: ${lack}`, { cause });
}

function notRunning(path: string, reason: string): UnsupportedError {
  return new UnsupportedError(`${path} does not run (${reason}): ${HOW_TO_GET_FFMPEG}`);
}

/** How the process of a command ends: the signal or `status N`. To be called before the command runs. */
function endingOf(command: FfmpegCommand): Promise<string> {
  return new Promise(resolve => {
    command.on('start', () => {
      const { ffmpegProc } = command as unknown as { ffmpegProc: ChildProcess };
      ffmpegProc.on('exit', (status, signal) => resolve(signal ?? `status ${status}`));
    });
  });
}

/** ffmpeg has other open files than this process: it must not look for /dev/fd/N among its own. */
async function inputUrl(path: string): Promise<string> {
  if (!/^\/(dev|proc)\//.test(path)) return fileUrl(path);
  return fileUrl(
    await realpath(path).catch(error => {
      throw readFailure(path, error);
    }),
  );
}

/** With `file:` ffmpeg does not take a part of the name before a colon for a protocol. */
function fileUrl(path: string): string {
  return `file:${resolve(path)}`;
}
