import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { MacroblockTrial } from './macroblock-trial.js';

/** Keeps the cheapest of several trials, and a spare one to make the next in. */
export class BestTrial {
  #best: MacroblockTrial;
  #spare: MacroblockTrial;

  constructor(memory: KernelMemory, pointers: readonly number[]) {
    this.#best = new MacroblockTrial(memory, pointers[0]!);
    this.#spare = new MacroblockTrial(memory, pointers[1]!);
  }

  /** The cheapest trial so far; valid until the next `reset`. */
  get best(): MacroblockTrial {
    return this.#best;
  }

  /** Where the next trial is to be made. */
  get spare(): MacroblockTrial {
    return this.#spare;
  }

  /** Starts on a new macroblock. */
  reset(): void {
    this.#best.cost = Number.POSITIVE_INFINITY;
  }

  /** Keeps the spare trial if it is cheaper than the best. */
  offer(): void {
    if (this.#spare.cost >= this.#best.cost) return;
    const best = this.#spare;
    this.#spare = this.#best;
    this.#best = best;
  }
}
