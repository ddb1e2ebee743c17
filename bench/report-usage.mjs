// Writes to a file what a process has taken, when it exits.
// As JSON: its largest resident size in bytes, and the processor time of all its threads in milliseconds. Loaded
// by `node --import`. MPEGPU_BENCH_USAGE_FILE names the file. Worker threads share the process, so only the main thread
// reports.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { ownPeakBytes } from './own-peak.mjs';

const target = process.env.MPEGPU_BENCH_USAGE_FILE;
if (isMainThread && target !== undefined) {
  process.on('exit', () => {
    const { userCPUTime, systemCPUTime } = process.resourceUsage();
    writeFileSync(target, JSON.stringify({ peakBytes: ownPeakBytes(), cpuMs: (userCPUTime + systemCPUTime) / 1000 }));
  });
}
