// Loaded into a process by `node --import`: at its exit it writes the largest resident size it ever had, in bytes, to the
// file that MPEGPU_BENCH_PEAK_FILE names. Worker threads share the process, so the main thread alone reports.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const target = process.env.MPEGPU_BENCH_PEAK_FILE;
if (isMainThread && target !== undefined) {
  process.on('exit', () => writeFileSync(target, String(process.resourceUsage().maxRSS * 1024)));
}
