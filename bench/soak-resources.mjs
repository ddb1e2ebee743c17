// Measures what an encode holds while it runs, and whether that grows with the number of pictures.
import { readdirSync, readFileSync } from 'node:fs';

/** Open files, threads and resident bytes of a process; Linux only. */
export function resourcesOf(pid = 'self') {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const number = name => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(status)[1]);
  return {
    residentBytes: number('VmRSS') * 1024,
    files: readdirSync(`/proc/${pid}/fd`).length,
    threads: number('Threads'),
  };
}

/** The parts of an encode that are compared: after its start, and at its end. */
const EARLY = [0.1, 0.3];
const LATE = [0.8, 1];
/** What counts as flat. */
export const MAX_GROWTH = 0.05;

/** The mean of `key` over the early samples and over the late ones, and the growth from one to the other. */
export function growthOf(samples, key, pictures) {
  const mean = ([from, to]) => {
    const part = samples.filter(({ picture }) => picture >= from * pictures && picture <= to * pictures);
    return part.reduce((sum, sample) => sum + sample[key], 0) / part.length;
  };
  const [early, late] = [mean(EARLY), mean(LATE)];
  return { early, late, growth: late / early - 1 };
}

/** The largest value of `key` in the early samples and in the late ones. */
export function peaksOf(samples, key, pictures) {
  const peak = ([from, to]) =>
    Math.max(
      ...samples
        .filter(({ picture }) => picture >= from * pictures && picture <= to * pictures)
        .map(sample => sample[key]),
    );
  return { early: peak(EARLY), late: peak(LATE) };
}
