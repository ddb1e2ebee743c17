// The warnings of a command: printed once each, and kept for its report.
import { printWarning } from './failure.js';

/** Takes warnings. */
export class Warnings {
  readonly #messages = new Set<string>();
  readonly #quiet: boolean;

  /** With `quiet` nothing is printed. */
  constructor({ quiet = false }: { readonly quiet?: boolean }) {
    this.#quiet = quiet;
  }

  /** Takes a warning. One that came before, as from the first of two passes, is left out. */
  readonly add = (message: string): void => {
    if (this.#messages.has(message)) return;
    this.#messages.add(message);
    if (!this.#quiet) printWarning(message);
  };

  /** All warnings, the first one first. */
  get messages(): readonly string[] {
    return [...this.#messages];
  }
}
