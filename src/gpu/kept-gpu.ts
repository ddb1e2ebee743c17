// What a thread keeps of its GPU from one estimator to the next.
import type { GpuDevice } from './device/device.js';
import type { KeptEntryPoints } from './device/machine-gpu.js';
import type { SearchProgram } from './search/search-passes.js';

/** An open device, and a program that gives the fields of its CPU twin there. */
export interface CheckedGpu {
  readonly gpu: GpuDevice;
  readonly program: SearchProgram;
  /** What the program searches with: the name of the algorithm, and its parameters. */
  readonly searchesWith: string;
}

/** What a thread keeps. */
export interface KeptGpu {
  readonly entryPoints: KeptEntryPoints;
  /** The device that was given back, if it works; one that is software only where that is allowed. */
  take(allowSoftware: boolean): CheckedGpu | undefined;
  /** Keeps a device that nobody uses any more, or closes it where it has failed. */
  giveBack(checked: CheckedGpu): Promise<void>;
}
