// Snow in a simulated wind, computed on the page's GPU while it is encoded.
import { createGpuSorter, type Frame, type GpuSorter } from 'mpegpu';
import { type ClipSource, FRAME_RATE } from './clip.ts';

const SEED = 7;
/** Flakes in a cell of the air, which is a metre wide. */
const FLAKES_PER_CELL = 2 / 3;

/** A film without an end, 16:9. Where there is no GPU, its first picture rejects with an Error that says so. */
export function snowSource(name: string): ClipSource {
  return {
    name,
    isLive: true,
    async *open({ size, flakes }): AsyncGenerator<Frame> {
      const [{ filmOfSnow }, { snowScene }] = await Promise.all([
        import('../../samples/snow/film.ts'),
        import('../../samples/snow/scene.ts'),
      ]);
      const height = 2 * Math.round((size * 9) / 32);
      const scene = snowScene({ width: size, height, seed: SEED, flakes, grid: gridFor(flakes), rate: FRAME_RATE });
      const sorter = await openSorter();
      try {
        yield* filmOfSnow(scene, sorter, Number.POSITIVE_INFINITY);
      } finally {
        await sorter.close();
      }
    },
  };
}

/** The air that so many flakes fill: for 2^16 flakes it is 64 cells wide, 64 deep and 24 high. */
function gridFor(flakes: number) {
  const side = 2 * Math.round(Math.cbrt((flakes * 8) / 3 / FLAKES_PER_CELL) / 2);
  return { x: side, y: Math.round((side * 3) / 8), z: side };
}

async function openSorter(): Promise<GpuSorter> {
  try {
    return await createGpuSorter();
  } catch (error) {
    const { message } = error as Error;
    throw new Error(`This snow is computed on a GPU. ${message.charAt(0).toUpperCase()}${message.slice(1)}`);
  }
}
