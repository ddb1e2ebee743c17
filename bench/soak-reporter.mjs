// Samples what the command line holds while it encodes standard input, for the soak.
// Loaded by `node --expose-gc --import`. MPEGPU_SOAK_JOB is JSON: the bytes of a frame, and the file for the samples,
// which is written when the process exits. Only the main thread samples; the others tell it what their heaps hold.
import { writeFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';
import { sampleProcess } from './soak-resources.mjs';

const INTERVAL_MS = 500;

if (isMainThread && process.env.MPEGPU_SOAK_JOB !== undefined) {
  const { frameBytes, file } = JSON.parse(process.env.MPEGPU_SOAK_JOB);
  const samples = [];
  const sample = () => samples.push(sampleProcess(Math.floor(process.stdin.bytesRead / frameBytes)));
  setInterval(sample, INTERVAL_MS).unref();
  process.on('exit', () => writeFileSync(file, JSON.stringify(samples)));
}
