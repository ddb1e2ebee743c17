// Adds up the costs of matches along paths: a smooth path is cheap, a step in disparity costs a penalty.
import type { StereoKernels } from '../../kernels/contracts/stereo-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { PATHS_FROM_ROW_BEFORE, STEREO_JOB, type StereoJob } from '../../kernels/records/stereo-job.js';

/** Costs of a path at one pel, of all disparities, and the least of them. */
interface PathPoint {
  readonly costs: number;
  readonly least: number;
}

/** The definition of the kernel that aggregates costs. */
export function referencePathAggregation(memory: KernelMemory): Pick<StereoKernels, 'aggregatePaths'> {
  const { u8, u16 } = memory;

  /** Writes L of the pel `at` to `target`, adds it to the sums, and returns the least one. `before` is at p'. */
  const step = (job: StereoJob, at: number, target: number, before: PathPoint | undefined, p2: number): number => {
    const { range, p1, matchingCosts, pathSums } = job;
    let least = 255;
    for (let d = 0; d < range; d++) {
      let cost = u8[matchingCosts + at * range + d];
      if (before) {
        const same = u8[before.costs + d];
        const below = d > 0 ? u8[before.costs + d - 1] + p1 : same;
        const above = d < range - 1 ? u8[before.costs + d + 1] + p1 : same;
        cost += Math.min(same, below, above, before.least + p2) - before.least;
      }
      u8[target + d] = cost;
      u16[pathSums / 2 + at * range + d] += cost;
      least = Math.min(least, cost);
    }
    return least;
  };

  return {
    aggregatePaths(pointer, backward) {
      const job = STEREO_JOB.at(memory, pointer);
      const { width, height, range, left } = job;
      const forward = backward ? -1 : 1;
      const rowBytes = PATHS_FROM_ROW_BEFORE * width * range;
      if (!backward) u16.fill(0, job.pathSums / 2, job.pathSums / 2 + width * height * range);
      for (let rows = 0; rows < height; rows++) {
        const y = backward ? height - 1 - rows : rows;
        const [own, other] = [rows & 1, (rows & 1) ^ 1];
        let rowLeast = 0;
        for (let columns = 0; columns < width; columns++) {
          const x = backward ? width - 1 - columns : columns;
          const at = y * width + x;
          const p2From = (neighbour: number) => u8[job.p2 + Math.abs(u8[left + at] - u8[left + neighbour])];
          const alongRow = {
            costs: job.rowPath + ((columns & 1) ^ 1) * range,
            least: rowLeast,
          };
          const p2 = columns > 0 ? p2From(at - forward) : 0;
          rowLeast = step(job, at, job.rowPath + (columns & 1) * range, columns > 0 ? alongRow : undefined, p2);
          for (let path = 0; path < PATHS_FROM_ROW_BEFORE; path++) {
            const fromX = x + (path - 1) * forward;
            const isInside = rows > 0 && fromX >= 0 && fromX < width;
            const before = {
              costs: job.pathRows + other * rowBytes + (path * width + fromX) * range,
              least: isInside ? u8[job.pathLeasts + (other * PATHS_FROM_ROW_BEFORE + path) * width + fromX] : 0,
            };
            const target = job.pathRows + own * rowBytes + (path * width + x) * range;
            const p2 = isInside ? p2From((y - forward) * width + fromX) : 0;
            const least = step(job, at, target, isInside ? before : undefined, p2);
            u8[job.pathLeasts + (own * PATHS_FROM_ROW_BEFORE + path) * width + x] = least;
          }
        }
      }
    },
  };
}
