// Describes the machine and the programs' versions: without them a figure means nothing.
import { execFileSync } from 'node:child_process';
import { cpus, totalmem } from 'node:os';
import { ffmpegVersion, ROOT } from './processes.mjs';

/** The machine, the programs' versions and the date, for the header of a report. */
export function describeMachine() {
  return {
    date: new Date().toISOString().slice(0, 10),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: cpus().length,
    memoryGiB: Math.round(totalmem() / 2 ** 30),
    platform: `${process.platform} ${process.arch}`,
    node: process.version,
    ffmpeg: ffmpegVersion(),
    revision: revision(),
  };
}

/** The same in one line, with the GPU if there is one. */
export function machineLine(machine, gpu) {
  const { date, cpu, cores, memoryGiB, platform, node, ffmpeg, revision: commit } = machine;
  const name = gpu === undefined ? cpu : `${gpu}, ${cpu}`;
  return `${date}, ${name}, ${cores} cores, ${memoryGiB} GiB, ${platform}, node ${node}, ffmpeg ${ffmpeg}, mpegpu ${commit}`;
}

/** The commit; MPEGPU_REVISION in a copy without history. */
function revision() {
  if (process.env.MPEGPU_REVISION) return process.env.MPEGPU_REVISION;
  try {
    const git = args => execFileSync('git', args, { cwd: ROOT, encoding: 'utf8', stdio: 'pipe' }).trim();
    const changed = git(['status', '--porcelain', '--untracked-files=no']) === '' ? '' : '+changes';
    return git(['rev-parse', '--short', 'HEAD']) + changed;
  } catch {
    return 'unknown';
  }
}
