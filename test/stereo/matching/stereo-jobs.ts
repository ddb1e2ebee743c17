// Stereo jobs for tests of the kernels: all arrays between guard bytes, in both memories of a kernel pair.
import { STEREO_JOB, type StereoJob, stereoWorkBytes } from '../../../src/kernels/records/stereo-job.js';
import { penaltiesByDifference, STEREO_DEFAULTS } from '../../../src/stereo/stereo-options.js';
import type { KernelPair } from '../../kernels/kernel-pair.js';

/** What a job is made for. */
export interface JobShape {
  readonly width: number;
  readonly height: number;
  readonly range: number;
  readonly costs: number;
  readonly p1: number;
  readonly p2: number;
}

const GUARD = 64;

/** A job in both memories. */
export interface PairJob {
  /** The same place in both. */
  readonly pointer: number;
  readonly reference: StereoJob;
  readonly bytes: ReadonlyMap<keyof StereoJob, number>;
}

/** Lays out a job in both memories; the planes and arrays are zero, those between them are guards. */
export function pairJob(pair: KernelPair<unknown>, { width, height, range, costs, p1, p2 }: JobShape): PairJob {
  const pels = width * height;
  const bytes = new Map<keyof StereoJob, number>([
    ['p2', 256],
    ...(['left', 'right', 'leftLow', 'leftHigh', 'rightLow', 'rightHigh'] as const).map(name => [name, pels] as const),
    ['leftCensus', 4 * pels],
    ['rightCensus', 4 * pels],
    ['matchingCosts', pels * range],
    ['pathSums', 2 * pels * range],
    ['pathRows', 6 * width * range],
    ['pathLeasts', 6 * width],
    ['rowPath', 2 * range],
    ['leftDisparities', 2 * pels],
    ['rightDisparities', 2 * pels],
    ['work', stereoWorkBytes(width)],
  ]);
  const guard = () => pair.fill(pair.allocate(GUARD), new Uint8Array(GUARD).fill(0xa5));
  const places: Record<string, number> = {};
  for (const [name, length] of bytes) {
    guard();
    places[name] = pair.allocate(length);
  }
  guard();
  const pointer = pair.allocate(STEREO_JOB.bytes);
  for (const { memory } of [pair.reference, pair.simd]) {
    Object.assign(STEREO_JOB.at(memory, pointer), { width, height, range, costs, p1, ...places });
  }
  pair.fill(places.p2!, penaltiesByDifference({ ...STEREO_DEFAULTS, p1, p2 }));
  return { pointer, reference: STEREO_JOB.at(pair.reference.memory, pointer), bytes };
}

/** Bytes of both memories for a job. */
export function jobBytes({ width, height, range }: JobShape): number {
  return width * height * (3 * range + 20) + 6 * width * (range + 1) + stereoWorkBytes(width) + 20_000;
}
