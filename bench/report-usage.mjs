// Writes to a file what a process has taken, when it exits.
// As JSON: its largest resident size in bytes, and the processor time of all its threads in milliseconds. Loaded
// by `node --import`. MPEGPU_BENCH_USAGE_FILE names the file. Worker threads share the process, so only the main thread
// reports.
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const STATUS = '/proc/self/status';

const target = process.env.MPEGPU_BENCH_USAGE_FILE;
if (isMainThread && target !== undefined) {
  process.on('exit', () => {
    const { maxRSS, userCPUTime, systemCPUTime } = process.resourceUsage();
    const usage = { peakBytes: 1024 * (ownPeakKib() ?? maxRSS), cpuMs: (userCPUTime + systemCPUTime) / 1000 };
    writeFileSync(target, JSON.stringify(usage));
  });
}

/**
 * The largest resident size since this program began, where the system tells it. Linux's `maxRSS` does not: before the
 * process began this program it was a copy of the one that started it, and the size of that copy counts.
 */
function ownPeakKib() {
  if (!existsSync(STATUS)) return undefined;
  const line = readFileSync(STATUS, 'utf8').match(/^VmHWM:\s*(\d+) kB$/m);
  return line ? Number(line[1]) : undefined;
}
