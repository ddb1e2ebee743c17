// Keeps the cheapest trial of a macroblock and lends room for the next one, so that no trial is copied.

import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { MacroblockTrial } from './macroblock-trial.js';

/** Two trials: the cheapest so far, and a spare one in which the next is made. */
export class BestTrial {
  #best: MacroblockTrial;
  #spare: MacroblockTrial;

  /** `pointers` are those of two MACROBLOCK_TRIALs. */
  constructor(memory: KernelMemory, pointers: readonly number[]) {
    this.#best = new MacroblockTrial(memory, pointers[0]!);
    this.#spare = new MacroblockTrial(memory, pointers[1]!);
  }

  /** The cheapest trial since `reset`; valid until the next `reset`. */
  get best(): MacroblockTrial {
    return this.#best;
  }

  /** The trial to make next. */
  get spare(): MacroblockTrial {
    return this.#spare;
  }

  /** A new macroblock begins. */
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
