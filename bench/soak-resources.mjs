// Measures what an encode holds while it runs, and whether that grows with the number of pictures.
import { readdirSync, readFileSync } from 'node:fs';
import { PASS_LOG_BYTES_PER_PICTURE } from '../dist/encoder/rate-control/pass-log.js';

/** What counts as flat. */
export const MAX_GROWTH = 0.05;
/** The parts of an encode that are compared: after its start, and at its end. */
const EARLY = [0.1, 0.3];
const LATE = [0.8, 1];

/**
 * What this process holds once the garbage is gone, after so many pictures; without the pass statistics, which grow by
 * their nature. For Linux, and node with --expose-gc.
 */
export function sampleProcess(picture) {
  globalThis.gc();
  const { heapUsed, arrayBuffers } = process.memoryUsage();
  const status = readFileSync('/proc/self/status', 'utf8');
  const number = name => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return {
    picture,
    residentBytes: number('VmRSS') * 1024,
    heapBytes: heapUsed,
    bufferBytes: arrayBuffers - picture * PASS_LOG_BYTES_PER_PICTURE,
    files: readdirSync('/proc/self/fd').length,
    threads: number('Threads'),
  };
}

/** The mean of `key` over the early samples and over the late ones, and the growth from one to the other. */
export function growthOf(samples, key, pictures) {
  const mean = part => {
    const values = valuesIn(part, samples, key, pictures);
    return values.reduce((sum, value) => sum + value, 0) / values.length;
  };
  const [early, late] = [mean(EARLY), mean(LATE)];
  return { early, late, growth: late / early - 1 };
}

/** The largest value of `key` in the early samples and in the late ones. */
export function peaksOf(samples, key, pictures) {
  const peak = part => Math.max(...valuesIn(part, samples, key, pictures));
  return { early: peak(EARLY), late: peak(LATE) };
}

function valuesIn([from, to], samples, key, pictures) {
  return samples
    .filter(({ picture }) => picture >= from * pictures && picture <= to * pictures)
    .map(sample => sample[key]);
}
