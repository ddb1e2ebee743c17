// Which ffmpegs run that this process has started.
import { readdirSync, readFileSync } from 'node:fs';

/** The process ids of this process's living children called ffmpeg; Linux only. */
export function livingFfmpegs(): string[] {
  return readdirSync('/proc').filter(pid => {
    try {
      const [, name, state, parent] =
        /^\d+ \((.*)\) (\w) (\d+)/s.exec(readFileSync(`/proc/${pid}/stat`, 'latin1')) ?? [];
      return name === 'ffmpeg' && state !== 'Z' && Number(parent) === process.pid;
    } catch {
      return false;
    }
  });
}
