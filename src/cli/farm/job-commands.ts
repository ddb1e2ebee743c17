// `mpegpu farm status` and `mpegpu farm cancel`.

import { counted } from '../../counted.js';
import { Farm } from '../../farm/farm-client.js';
import type { JobStatus } from '../../farm/jobs/job-status.js';
import { printable } from '../failure.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { writeStandardOutput } from '../standard-output.js';
import { farmOptions } from './farm-place.js';

/** Shows one job, or the newest ones. */
export async function runStatus(job: string | undefined, flags: FlagsOf<'farm status'>): Promise<void> {
  const farm = await Farm.open(await farmOptions(flags));
  try {
    const jobs = job === undefined ? await farm.list() : [await farm.status(job)];
    const lines = jobs.map(status => `${statusInWords(status)}\n`).join('');
    const json = JSON.stringify(job === undefined ? { jobs } : jobs[0]);
    await writeStandardOutput(flags.json ? `${json}\n` : lines || 'no jobs\n');
  } finally {
    await farm.close();
  }
}

/** Cancels a job. */
export async function runCancel(job: string, flags: FlagsOf<'farm cancel'>): Promise<void> {
  const farm = await Farm.open(await farmOptions(flags));
  try {
    const status = await farm.cancel(job);
    if (flags.json) await writeStandardOutput(`${JSON.stringify(status)}\n`);
    else if (!flags.quiet) await writeStandardOutput(`${statusInWords(status)}\n`);
  } finally {
    await farm.close();
  }
}

/** A job in one line: `0123456789abcdef  encoding, 3 of 6 chunks  file:clip.y4m -> file:out.mpg`. */
export function statusInWords(status: JobStatus): string {
  const { job, state, input, output, chunks, chunksDone, frames, reason, bits, psnr } = status;
  const parts = [
    // A plan that was cut off has added the chunks, and not yet said how many there are.
    chunks !== undefined &&
      chunksDone !== undefined &&
      state !== 'done' &&
      `${chunksDone} of ${counted(chunks, 'chunk')}`,
    state === 'done' && `${counted(frames!, 'frame')}, ${bits} bits, PSNR ${psnr?.toFixed(2)} dB`,
    reason,
  ].filter(Boolean);
  return printable(`${job}  ${[state, ...parts].join(', ')}  ${input} -> ${output}`);
}
