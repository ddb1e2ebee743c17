// Finds ffmpeg and runs it.
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
  /** Options before the input, one argument each. */
  readonly inputOptions?: readonly string[];
  /** Path of the file to write, which may exist; or a stream for ffmpeg's standard output. */
  readonly output: string | Writable;
  readonly outputOptions: readonly string[];
}

/** A running ffmpeg. */
export interface FfmpegRun {
  /** Resolves when ffmpeg has succeeded; rejects with an InputError that quotes ffmpeg's last error line. */
  readonly done: Promise<void>;
  /** What ffmpeg prints about input and output before the first frame, line by line; less if it ends earlier. */
  readonly description: Promise<readonly string[]>;
  /** Throws an InputError if ffmpeg has reported an error, even one after which it went on and succeeded. */
  throwErrors(): void;
  /** Kills ffmpeg. Resolves when its process has gone and `done` has settled. Idempotent. */
  stop(): Promise<void>;
}

/** Lines of ffmpeg's standard error that are kept for the description and the error message. */
const MAX_KEPT_LINES = 200;
const ERROR_LINE = /\[(error|fatal|panic)\]/;
const HOW_TO_GET_FFMPEG = 'install ffmpeg, or set FFMPEG_PATH to one';

/**
 * The path of ffmpeg: FFMPEG_PATH if set, else the one that npm installed with mpegpu, else `ffmpeg` on the PATH.
 * Throws an UnsupportedError that says what to do. Sets the execute permission of npm's ffmpeg if npm has not set it.
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

/**
 * The path of the ffmpeg that `findFfmpeg` finds, and the first line of its version text. Throws as `findFfmpeg` does.
 */
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

/** Starts ffmpeg. Throws an UnsupportedError if there is none. The caller awaits `done` or stops the run. */
export async function startFfmpeg(job: FfmpegJob): Promise<FfmpegRun> {
  const path = await findFfmpeg();
  const { default: fluent } = await import('fluent-ffmpeg'); // loaded on demand: other inputs open sooner
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
        if (lines.length > MAX_KEPT_LINES) lines.shift();
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
      // If the process does not exist yet, the start handler kills it.
      stopped = true;
      command.kill('SIGKILL');
      return settled;
    },
  };
}

/** With `file:` ffmpeg does not take a part of the name before a colon for a protocol. */
function fileUrl(path: string): string {
  return `file:${resolve(path)}`;
}

/** The lines that ffmpeg marks as errors, without those that give no reason. */
function errorLines(lines: readonly string[]): string[] {
  return lines.filter(line => ERROR_LINE.test(line) && !/Conversion failed|Error opening (in|out)put file/.test(line));
}

/** The last error line without its prefixes; if there is none, how ffmpeg ended. */
function failureReason(job: FfmpegJob, lines: readonly string[], error?: Error): string {
  const last = errorLines(lines).at(-1);
  if (last === undefined) return `ffmpeg failed: ${error?.message.split('\n')[0]}`;
  return `ffmpeg says: ${last.replace(/^(\[[^\]]*\] *)+/, '').replace(`${fileUrl(job.input)}: `, '')}`;
}

/** The path of npm's ffmpeg. @ffmpeg-installer/ffmpeg throws a string if it has none for this platform. */
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

/** Sets a file's execute permission if it lacks it. Returns whether the file is then executable. */
export async function makeExecutable(path: string): Promise<boolean> {
  if (await isExecutable(path)) return true;
  await chmod(path, 0o755).catch(() => {});
  return isExecutable(path);
}
