// How much memory a program has taken.
import { existsSync, readFileSync } from 'node:fs';

const STATUS = '/proc/self/status';

/**
 * The largest resident size of this process since its program began, in bytes. Linux's `maxRSS` is not that: before the
 * process began this program it was a copy of the one that started it, and the size of that copy counts.
 */
export function ownPeakBytes() {
  const line = existsSync(STATUS) ? readFileSync(STATUS, 'utf8').match(/^VmHWM:\s*(\d+) kB$/m) : undefined;
  return 1024 * (line ? Number(line[1]) : process.resourceUsage().maxRSS);
}
