// Writes the largest resident size of a process to a file when the process exits.
// Loaded by `node --import`. MPEGPU_BENCH_PEAK_FILE names the file; the size is in bytes. Worker threads share the
// process, so only the main thread reports.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const target = process.env.MPEGPU_BENCH_PEAK_FILE;
if (isMainThread && target !== undefined) {
  process.on('exit', () => writeFileSync(target, String(process.resourceUsage().maxRSS * 1024)));
}
