// A process of one-thread.mjs, started with the folder of a build: encodes what it is told to.
import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { clipAsY4m, listClips, pingPongAsY4m, readY4m, SEQUENCES } from './clips.mjs';

const { Encoder } = await import(pathToFileURL(join(process.argv[2], 'dist', 'index.js')).href);
/** The last clip, by what was asked for. */
const loaded = { key: '', clip: undefined };

/** The pictures to encode: a CIF clip as it is, a larger one scaled to 640x480. */
async function loadClip(name, frames) {
  const key = `${name} ${frames}`;
  if (loaded.key !== key) {
    const [clip] = listClips(SEQUENCES, [name]);
    const isCif = name.includes('cif');
    const y4m = isCif ? await clipAsY4m(clip, frames) : await pingPongAsY4m(clip, { width: 640, height: 480, frames });
    Object.assign(loaded, { key, clip: await readY4m(y4m) });
  }
  return loaded.clip;
}

/** Encodes on one thread. Returns the CPU time of the process in user mode and a hash of the stream. */
async function encode({ name, count, q, preset }) {
  const { width, height, fps, frames } = await loadClip(name, count);
  const hash = createHash('sha256');
  const startUsage = process.cpuUsage();
  const estimator = 'cpu-predictive';
  const encoder = new Encoder({ width, height, frameRate: fps, q, preset, threads: 1, estimator });
  const written = (async () => {
    for await (const unit of encoder) hash.update(unit.data);
  })();
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await written;
  const seconds = process.cpuUsage(startUsage).user / 1e6;
  return { seconds, hash: hash.digest('hex'), size: `${width}x${height}`, pictures: frames.length };
}

process.on('message', async job => process.send(await encode(job)));
