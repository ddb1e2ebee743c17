// Runs other programs for benchmarks, and times them.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import packaged from '@ffmpeg-installer/ffmpeg';

// With it Node parses more certificates at each start, which takes 0.04 s; ffmpeg does not.
delete process.env.NODE_EXTRA_CA_CERTS;

/** The project's root folder. */
export const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** The built command line. */
export const MPEGPU = join(ROOT, 'dist', 'package', 'mpegpu.js');

/** The path of ffmpeg: FFMPEG_PATH, else the machine's own, else the packaged one. */
export function peerFfmpeg() {
  const own = (process.env.PATH ?? '').split(delimiter).map(folder => join(folder, 'ffmpeg'));
  return process.env.FFMPEG_PATH || own.find(path => existsSync(path)) || packaged.path;
}

/** The version number that an ffmpeg prints. */
export function ffmpegVersion(path = peerFfmpeg()) {
  return (
    /ffmpeg version (\S+)/.exec(spawnSync(path, ['-version'], { encoding: 'utf8' }).stdout ?? '')?.[1] ?? 'unknown'
  );
}

/**
 * Runs a program. Resolves to its standard output and its wall time from start to exit in seconds. Rejects with the
 * last line of its standard error if it fails.
 */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const begin = performance.now();
    const child = spawn(program, args, { stdio: ['ignore', 'pipe', 'pipe'], ...options });
    const output = [];
    const complaints = [];
    child.stdout.on('data', bytes => output.push(bytes));
    child.stderr.on('data', bytes => complaints.push(bytes));
    child.on('error', reject);
    let seconds = 0;
    child.on('exit', () => {
      seconds = (performance.now() - begin) / 1000;
    });
    child.on('close', (status, signal) => {
      if (status === 0) {
        resolve({ stdout: Buffer.concat(output), seconds });
      } else {
        const lastLine = Buffer.concat(complaints).toString().trim().split('\n').at(-1);
        reject(new Error(`${program} ${args.join(' ')}: ${lastLine || (signal ?? `exit status ${status}`)}`));
      }
    });
  });
}

/** Runs ffmpeg; it prints errors only. */
export function runFfmpeg(...args) {
  return run(peerFfmpeg(), ['-hide_banner', '-nostdin', '-v', 'error', '-y', ...args]);
}

/** Runs `mpegpu encode ... --json`. Resolves to its report and `wallSeconds`, the time of the whole process. */
export async function runEncode(input, output, args, nodeArgs = [], env = process.env) {
  const command = [...nodeArgs, MPEGPU, 'encode', input, '-o', output, '--json', '--overwrite', ...args];
  const { stdout, seconds } = await run(process.execPath, command, { env });
  return { ...JSON.parse(stdout.toString()), wallSeconds: seconds };
}

/** Runs pieces of work in the given order, at most `maxRunning` at a time. */
export function turns(maxRunning) {
  let running = 0;
  const waiting = [];
  return async work => {
    if (running < maxRunning) running++;
    else await new Promise(resolve => waiting.push(resolve));
    try {
      return await work();
    } finally {
      if (waiting.length > 0) waiting.shift()();
      else running--;
    }
  };
}

/** Splits an option's value into words. */
export function words(text = '') {
  return text.split(/\s+/).filter(word => word !== '');
}
