// A film of simulated snow, frame by frame, from the machine's GPU.
import type { Frame } from '../../src/picture/frame.js';
import type { GpuSorter } from '../../src/sort-on-gpu.js';
import { GpuSnow } from './gpu/gpu-snow.js';
import { SnowPictures } from './gpu/snow-pictures.js';
import type { SnowScene } from './scene.js';

/** Pictures that are computed or copied at a time. */
const AHEAD = 3;

/** The first `frames` pictures of a film, computed on the device of a sorter. The frames are the caller's. */
export async function* filmOfSnow(scene: SnowScene, sorter: GpuSorter, frames: number): AsyncGenerator<Frame> {
  const snow = await GpuSnow.create(scene, sorter);
  const pictures = new SnowPictures(snow);
  const underWay: ReturnType<SnowPictures['next']>[] = [];
  try {
    for (let shown = 0; shown < frames; shown++) {
      while (underWay.length < Math.min(AHEAD, frames - shown)) underWay.push(pictures.next());
      const { frame, release } = await underWay.shift()!;
      const { width, height, y, u, v } = frame;
      const own = { width, height, y: y.slice(), u: u.slice(), v: v.slice() };
      release();
      yield own;
    }
  } finally {
    await Promise.allSettled(underWay);
    pictures.destroy();
    snow.destroy();
  }
}
