// One encode of the soak by the library, in a process of its own.
// `node --expose-gc --import ./bench/soak-heap.mjs bench/soak-encode.mjs JOB`.
// JOB is JSON: estimator, pictures, width, height, output and other options of the encoder. Prints JSON: samples of
// what the process holds, and digests of the reconstruction.
import { createHash } from 'node:crypto';
import { Encoder } from '../dist/index.js';
import { VideoWriter } from '../dist/node.js';
import { soakPictures } from './soak-pictures.mjs';
import { sampleProcess } from './soak-resources.mjs';

const SAMPLES = 200;

const { pictures, width, height, output, options } = JSON.parse(process.argv[2]);
const frameAt = soakPictures(width, height);
const format = { width, height, frameRate: 25 };
const whole = createHash('sha256');
let last;
const samples = [];
let coded = 0;

const encoder = new Encoder({
  ...format,
  ...options,
  onPicture: () => {
    if (++coded % Math.ceil(pictures / SAMPLES) === 0) samples.push(sampleProcess(coded));
  },
  onReconstruction: ({ y, u, v }) => {
    for (const plane of [y, u, v]) whole.update(plane);
    last = { y, u, v };
  },
});
const file = await VideoWriter.open(output, { ...format, frameRate: { numerator: 25, denominator: 1 } });
const start = performance.now();
const writing = (async () => {
  for await (const unit of encoder) await file.write(unit);
})();
for (let number = 0; number < pictures; number++) await encoder.add(frameAt(number));
await encoder.finish();
await writing;
await file.finish();
const seconds = (performance.now() - start) / 1000;
const { estimator, device } = encoder.statistics;
const lastDigest = createHash('sha256').update(last.y).update(last.u).update(last.v).digest('hex');
process.stdout.write(JSON.stringify({ estimator, device, seconds, samples, digest: whole.digest('hex'), lastDigest }));
