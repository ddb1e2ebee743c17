// Finds an ffmpeg to run: the one that the environment names, this machine's own, or npm's.
import { execFile } from 'node:child_process';
import { constants } from 'node:fs';
import { access, chmod, stat } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { delimiter, resolve } from 'node:path';
import { promisify } from 'node:util';
import { UnsupportedError } from '../errors.js';

/** An ffmpeg of this machine, and where it was found. */
export interface Ffmpeg {
  readonly path: string;
  readonly from: 'FFMPEG_PATH' | 'PATH' | 'npm';
}

/** What an ffmpeg says of itself. */
export interface FfmpegDescription extends Ffmpeg {
  /** The first line of its version text. */
  readonly version: string;
  /** The last year of its copyright, which is about that of its build; undefined if it states none. */
  readonly year?: number;
}

/** Environment variables. */
type Environment = Readonly<Record<string, string | undefined>>;

/** What to do where there is no ffmpeg. */
export const HOW_TO_GET_FFMPEG = 'install ffmpeg, or set FFMPEG_PATH to one';
/** An ffmpeg that has not told its version after this time is taken for one that does not run. */
const VERSION_TIMEOUT_MS = 30_000;

/**
 * The path of the preferred ffmpeg: FFMPEG_PATH if set, else `ffmpeg` on the PATH, else the one that npm installed with
 * mpegpu. Throws an UnsupportedError that says what to do.
 */
export async function findFfmpeg(environment: Environment = process.env): Promise<string> {
  return (await findFfmpegs(environment))[0].path;
}

/** The first of `findFfmpegs` that runs, and what it says of itself. Throws an UnsupportedError if none runs. */
export async function describeFfmpeg(environment: Environment = process.env): Promise<FfmpegDescription> {
  const failures: string[] = [];
  for (const ffmpeg of await findFfmpegs(environment)) {
    try {
      const text = await versionText(ffmpeg.path);
      if (!text.startsWith('ffmpeg ')) {
        failures.push(`${ffmpeg.path} is no ffmpeg`);
        continue;
      }
      const year = /Copyright \(c\) (?:\d+-)?(\d{4})/.exec(text)?.[1];
      return { ...ffmpeg, version: text.split(/\r?\n/)[0]!, ...(year !== undefined && { year: Number(year) }) };
    } catch (error) {
      const { message, stderr } = error as Error & { readonly stderr?: string };
      const [reason] = (stderr?.trim() || message).split('\n');
      failures.push(`${ffmpeg.path} does not run (${reason})`);
    }
  }
  throw new UnsupportedError(`${failures.join('; ')}: ${HOW_TO_GET_FFMPEG}`);
}

/**
 * Every ffmpeg there is, the preferred one first; none has been run. With FFMPEG_PATH there is no other. Throws as
 * `findFfmpeg` does. Sets the execute permission of npm's ffmpeg if npm has not set it.
 */
export async function findFfmpegs(environment: Environment = process.env): Promise<readonly [Ffmpeg, ...Ffmpeg[]]> {
  const chosen = environment.FFMPEG_PATH;
  if (chosen) {
    if (await isExecutable(chosen)) return [{ path: resolve(chosen), from: 'FFMPEG_PATH' }];
    throw new UnsupportedError(`FFMPEG_PATH is ${chosen}, which is not an executable file`);
  }
  const found: Ffmpeg[] = [];
  const reasons: string[] = [];
  const own = await ffmpegOnPath(environment);
  if (own !== undefined) found.push({ path: own, from: 'PATH' });
  const installed = installedFfmpeg();
  if (installed === undefined) reasons.push(`npm has none for ${process.platform}-${process.arch}`);
  else if (await makeExecutable(installed)) found.push({ path: installed, from: 'npm' });
  else reasons.push(`${installed} cannot be made executable`);
  const [first, ...others] = found;
  if (first) return [first, ...others];
  throw new UnsupportedError(`ffmpeg was not found (${reasons.join('; ')}): ${HOW_TO_GET_FFMPEG}`);
}

/** Sets a file's execute permission if it lacks it. Returns whether the file is then executable. */
export async function makeExecutable(path: string): Promise<boolean> {
  if (await isExecutable(path)) return true;
  await chmod(path, 0o755).catch(() => {});
  return isExecutable(path);
}

async function ffmpegOnPath(environment: Environment): Promise<string | undefined> {
  const fileName = process.platform === 'win32' ? 'ffmpeg.exe' : 'ffmpeg';
  for (const folder of (environment.PATH ?? '').split(delimiter).filter(Boolean)) {
    const path = resolve(folder, fileName);
    if (await isExecutable(path)) return path;
  }
  return undefined;
}

/** The path of npm's ffmpeg. @ffmpeg-installer/ffmpeg throws a string if it has none for this platform. */
function installedFfmpeg(): string | undefined {
  try {
    return (createRequire(import.meta.url)('@ffmpeg-installer/ffmpeg') as { path: string }).path;
  } catch {
    return undefined;
  }
}

async function versionText(path: string): Promise<string> {
  const { stdout } = await promisify(execFile)(path, ['-version'], { windowsHide: true, timeout: VERSION_TIMEOUT_MS });
  return stdout;
}

async function isExecutable(path: string): Promise<boolean> {
  try {
    await access(path, constants.X_OK);
    return (await stat(path)).isFile();
  } catch {
    return false;
  }
}
