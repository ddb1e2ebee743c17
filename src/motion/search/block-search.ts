// The search of one block: which vectors are legal, what they cost, and the best of those tried.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { SearchJob } from '../../kernels/records/search-job.js';

/** A vector with its cost. */
export interface Candidate {
  readonly dx: number;
  readonly dy: number;
  readonly cost: number;
}

/** The contract's order of vectors: negative when `a` comes before `b`, 0 only for the same vector. */
export function compareCandidates(a: Candidate, b: Candidate): number {
  return (
    a.cost - b.cost || Math.abs(a.dx) + Math.abs(a.dy) - Math.abs(b.dx) - Math.abs(b.dy) || a.dy - b.dy || a.dx - b.dx
  );
}

/** The search of one block. */
export class BlockSearch {
  /** Legal vectors: `minDx..maxDx` by `minDy..maxDy`. */
  readonly minDx: number;
  readonly maxDx: number;
  readonly minDy: number;
  readonly maxDy: number;
  readonly #best: Candidate[] = [];

  readonly #metricOf: (dx: number, dy: number) => number;
  readonly #penaltyOf: (dx: number, dy: number) => number;
  readonly #candidates: number;

  /** The search of the block at `x`, `y` in pels. */
  constructor(
    readonly memory: KernelMemory,
    readonly job: SearchJob,
    x: number,
    y: number,
  ) {
    this.minDx = Math.max(-job.rangeX, -x);
    this.minDy = Math.max(-job.rangeY, -y);
    this.maxDx = Math.min(job.rangeX, job.width - job.blockSize - x);
    this.maxDy = Math.min(job.rangeY, job.height - job.blockSize - y);
    this.#metricOf = blockMetric(memory, job, x, y);
    this.#penaltyOf = vectorPenalty(memory, job);
    this.#candidates = job.candidates;
  }

  /** Whether the vector is in range and keeps the block inside the reference plane. */
  isLegal(dx: number, dy: number): boolean {
    return dx >= this.minDx && dx <= this.maxDx && dy >= this.minDy && dy <= this.maxDy;
  }

  /** Tries a legal vector: keeps it if it is among the best `candidates` so far and new. Returns it with its cost. */
  attempt(dx: number, dy: number): Candidate {
    const candidate = { dx, dy, cost: this.#metricOf(dx, dy) + this.#penaltyOf(dx, dy) };
    const place = this.#best.findIndex(other => compareCandidates(candidate, other) <= 0);
    if (place < 0) this.#best.push(candidate);
    else if (compareCandidates(candidate, this.#best[place]) < 0) this.#best.splice(place, 0, candidate);
    if (this.#best.length > this.#candidates) this.#best.pop();
    return candidate;
  }

  /** Writes the best vectors as block number `block` of the answer; the last one fills what is left. */
  write(block: number): void {
    const { job, memory } = this;
    for (let k = 0; k < job.candidates; k++) {
      const { dx, dy, cost } = this.#best[Math.min(k, this.#best.length - 1)];
      const entry = block * job.candidates + k;
      memory.i16[job.dx / 2 + entry] = dx;
      memory.i16[job.dy / 2 + entry] = dy;
      memory.u32[job.cost / 4 + entry] = cost;
    }
  }
}

/** The metric of a block at `x`, `y` against its match in the reference plane. */
function blockMetric({ u8 }: KernelMemory, job: SearchJob, x: number, y: number) {
  const { width, blockSize, metric } = job;
  const place = y * width + x;
  const current = job.current + place;
  const reference = job.reference + place;
  return (dx: number, dy: number): number => {
    const match = reference + dy * width + dx;
    let sum = 0;
    for (let row = 0; row < blockSize * width; row += width) {
      for (let i = row; i < row + blockSize; i++) {
        const difference = Math.abs(u8[current + i] - u8[match + i]);
        sum += metric === 0 ? difference : difference * difference;
      }
    }
    return sum;
  };
}

/** The penalty of a vector; see SEARCH_JOB. */
function vectorPenalty({ u32 }: KernelMemory, { penaltyX, penaltyY, level }: SearchJob) {
  return (dx: number, dy: number): number => {
    const both = u32[penaltyX / 4 + (Math.abs(dx) << level)] + u32[penaltyY / 4 + (Math.abs(dy) << level)];
    return both >>> (2 * level);
  };
}
