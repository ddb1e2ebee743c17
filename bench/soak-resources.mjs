// Measures what an encode holds while it runs.
import { readdirSync, readFileSync } from 'node:fs';
import { PASS_LOG_BYTES_PER_PICTURE } from '../dist/encoder/rate-control/pass-log.js';
import { heapOfAllThreads } from './soak-heap.mjs';

/**
 * What this process holds once the garbage is gone, after so many pictures; the buffers without the pass statistics,
 * which grow by their nature. `lastingBytes` is the resident memory without the young generations. For Linux, and node
 * with --expose-gc.
 */
export function sampleProcess(picture) {
  const { heapBytes, bufferBytes, youngBytes } = heapOfAllThreads();
  const status = readFileSync('/proc/self/status', 'utf8');
  const number = name => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  const residentBytes = number('VmRSS') * 1024;
  return {
    picture,
    residentBytes,
    lastingBytes: residentBytes - youngBytes,
    heapBytes,
    bufferBytes: bufferBytes - picture * PASS_LOG_BYTES_PER_PICTURE,
    files: readdirSync('/proc/self/fd').length,
    threads: number('Threads'),
  };
}
