// Snow in a simulated wind, computed on the page's GPU while it is encoded.
import { createGpuSorter, type Frame } from 'mpegpu';
import { type ClipSource, FRAME_RATE } from './clip.ts';

const SEED = 7;
/** Of small pictures, for the GPU of any laptop. */
const FLAKES = 2 ** 16;
const GRID = { x: 64, y: 24, z: 64 };

/** Whether the page has WebGPU, without which there is no such film. */
export function canSimulateSnow(): boolean {
  return 'gpu' in navigator;
}

/** A film without an end, 16:9. Opening it fails where WebGPU has no adapter. */
export function snowSource(name: string): ClipSource {
  return {
    name,
    async *open(size): AsyncGenerator<Frame> {
      const [{ filmOfSnow }, { snowScene }] = await Promise.all([
        import('../../samples/snow/film.ts'),
        import('../../samples/snow/scene.ts'),
      ]);
      const height = 2 * Math.round((size * 9) / 32);
      const scene = snowScene({ width: size, height, seed: SEED, flakes: FLAKES, grid: GRID, rate: FRAME_RATE });
      const sorter = await createGpuSorter();
      try {
        yield* filmOfSnow(scene, sorter, Number.POSITIVE_INFINITY);
      } finally {
        await sorter.close();
      }
    },
  };
}
