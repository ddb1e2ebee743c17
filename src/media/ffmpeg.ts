import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, join, resolve } from 'node:path';
import type { Writable } from 'node:stream';
import { promisify } from 'node:util';
import { InputError, UnsupportedError } from '../errors.js';

/** One run of ffmpeg. */
export interface FfmpegJob {
  /** Path of the file to read. */
  readonly input: string;
  /** Options that stand before the input, one argument each. */
  readonly inputOptions?: readonly string[];
  /** Path of the file to write (an existing one is overwritten), or the stream that takes ffmpeg's standard output. */
  readonly output: string | Writable;
  readonly outputOptions: readonly string[];
}

/** A running ffmpeg. */
export interface FfmpegRun {
  /** Resolves when ffmpeg has ended well; rejects with an InputError that carries ffmpeg's last error line. */
  readonly done: Promise<void>;
  /** The lines about input and output that ffmpeg prints before the first frame; what there was if it ended earlier. */
  readonly description: Promise<readonly string[]>;
  /** Throws the InputError of the last error that ffmpeg reported, also where it went on and ended well. */
  throwErrors(): void;
  /** Kills ffmpeg; resolves when its process is gone. `done` has then settled. Idempotent. */
  stop(): Promise<void>;
}

/** Lines of ffmpeg's standard error that are kept, for the description and the error message. */
const KEPT_LINES = 200;
const ERROR_LINE = /\[(error|fatal|panic)\]/;
const HOW_TO_GET_FFMPEG = 'install ffmpeg, or set FFMPEG_PATH to one';

/**
 * The path of ffmpeg: FFMPEG_PATH if set, else the one that npm installed with mpegpu, else `ffmpeg` on the PATH. Throws an
 * UnsupportedError that says what to do. npm may leave out the installed file's execute permission: it is set here.
 */
export async function findFfmpeg(environment: NodeJS.ProcessEnv = process.env): Promise<string> {
  const chosen = environment.FFMPEG_PATH;
  if (chosen) {
    if (await isExecutable(chosen)) return resolve(chosen);
    throw new UnsupportedError(`FFMPEG_PATH is ${chosen}, which is not an executable file`);
  }
  const installed = installedFfmpeg();
  if (installed && (await makeExecutable(installed))) return installed;
  const fileName = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    if (await isExecutable(join(folder, fileName))) return join(folder, fileName);
  }
  const reason = installed
    ? `${installed} cannot be made executable`
    : `npm has none for ${process.platform}-${process.arch}`;
  throw new UnsupportedError(`ffmpeg was not found (${reason}): ${HOW_TO_GET_FFMPEG}`);
}

/** The ffmpeg that will be used, and the first line of what it says about its version. Throws as `findFfmpeg` does. */
export async function describeFfmpeg(): Promise<{ path: string; version: string }> {
  const path = await findFfmpeg();
  try {
    const { stdout } = await promisify(execFile)(path, ['-version'], { windowsHide: true });
    return { path, version: stdout.split(/\r?\n/)[0]! };
  } catch (error) {
    throw new UnsupportedError(
      `${path} does not run (${(error as Error).message.split('\n')[0]}): ${HOW_TO_GET_FFMPEG}`,
    );
  }
}

/** Starts ffmpeg. Throws an UnsupportedError where there is none. The caller owns the run: it awaits `done` or stops it. */
export async function startFfmpeg(job: FfmpegJob): Promise<FfmpegRun> {
  const path = await findFfmpeg();
  const { default: fluent } = await import('fluent-ffmpeg'); // loaded when wanted: other input starts sooner
  const lines: string[] = [];
  let stopped = false;
  let described = (_: readonly string[]): void => {};
  const description = new Promise<readonly string[]>(resolve => {
    described = resolve;
  });
  const command = fluent()
    .setFfmpegPath(path)
    .input(fileUrl(job.input))
    .inputOptions(['-hide_banner', '-nostdin', '-nostats', '-loglevel', 'level+info', ...(job.inputOptions ?? [])])
    .output(typeof job.output === 'string' ? fileUrl(job.output) : job.output)
    .outputOptions([...job.outputOptions]);
  const done = new Promise<void>((resolve, reject) => {
    command
      .on('start', () => stopped && command.kill('SIGKILL'))
      .on('stderr', (line: string) => {
        lines.push(line);
        if (lines.length > KEPT_LINES) lines.shift();
        if (line.includes('Output #0')) described([...lines]);
      })
      .on('end', () => resolve())
      .on('error', (error: Error) => reject(new InputError(`${job.input}: ${failureReason(job, lines, error)}`)));
  });
  done.catch(() => {}).finally(() => described([...lines]));
  command.run();
  const settled = done.catch(() => {});
  return {
    done,
    description,
    throwErrors: () => {
      if (errorLines(lines).length > 0) throw new InputError(`${job.input}: ${failureReason(job, lines)}`);
    },
    stop: () => {
      // Before its process exists there is nothing to kill yet: then the start handler does it.
      stopped = true;
      command.kill('SIGKILL');
      return settled;
    },
  };
}

/** Keeps ffmpeg from taking a part of the name before a colon for a protocol. */
function fileUrl(path: string): string {
  return `file:${resolve(path)}`;
}

/** The lines that ffmpeg marked as errors, without those that only say that it failed. */
function errorLines(lines: readonly string[]): string[] {
  return lines.filter(line => ERROR_LINE.test(line) && !/Conversion failed|Error opening (in|out)put file/.test(line));
}

/** The last error line without its decoration; where there is none, how ffmpeg ended. */
function failureReason(job: FfmpegJob, lines: readonly string[], error?: Error): string {
  const last = errorLines(lines).at(-1);
  if (last === undefined) return `ffmpeg failed: ${error?.message.split('\n')[0]}`;
  return `ffmpeg says: ${last.replace(/^(\[[^\]]*\] *)+/, '').replace(`${fileUrl(job.input)}: `, '')}`;
}

/** The binary of @ffmpeg-installer/ffmpeg; it throws a string where it has none for this platform. */
function installedFfmpeg(): string | undefined {
  try {
    return (createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string }).path;
  } catch {
    return undefined;
  }
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}

/** Gives a file its execute permission where it lacks it; returns whether it then has it. */
export async function makeExecutable(path: string): Promise<boolean> {
  if (await isExecutable(path)) return true;
  await chmod(path, 0o755).catch(() => {});
  return isExecutable(path);
}
