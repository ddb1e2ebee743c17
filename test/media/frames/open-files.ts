// Which files this process has open.
import { readdirSync, readlinkSync } from 'node:fs';
import { expect, vi } from 'vitest';

/** How often `path`, or a file in it, is open in this process, by Linux's own list; 0 elsewhere. */
function timesOpen(path: string): number {
  if (process.platform !== 'linux') return 0;
  return readdirSync('/proc/self/fd').filter(descriptor => {
    try {
      return readlinkSync(`/proc/self/fd/${descriptor}`).startsWith(path);
    } catch {
      return false; // closed since
    }
  }).length;
}

/** Waits until `path`, and each file in it, is closed. */
export const expectClosed = (path: string) => vi.waitFor(() => expect(timesOpen(path)).toBe(0));
