// The output files of one run, which appear together or not at all.
import { OptionError } from '../errors.js';
import { orAborted } from '../media/or-aborted.js';
import type { OutputPlace } from '../media/output/output-place.js';
import { publish } from '../media/output/publish.js';
import type { AbortSignalType } from '../platform-types.js';
import { Interrupted } from './stops.js';

/** An output that is being written, such as an `OutputFile`. */
export interface PendingOutput {
  /** Where it will appear; undefined for standard output. */
  readonly place: OutputPlace | undefined;
  /** Writes everything to the disk and closes it. It stays hidden. */
  complete(): Promise<void>;
  /** Removes it. Does nothing once it has appeared. */
  discard(): Promise<void>;
}

/** The outputs of one run. */
export class OutputSet {
  readonly #outputs: PendingOutput[] = [];
  readonly #stop: AbortSignalType | undefined;

  /** An abort of `stop` ends the wait for an output that opens, such as a pipe that nobody reads. */
  constructor(stop?: AbortSignalType) {
    this.#stop = stop;
  }

  /** Adds an output, and returns it. */
  add<Output extends PendingOutput>(output: Output): Output {
    this.#outputs.push(output);
    return output;
  }

  /**
   * Adds an output when it is open. If it cannot be opened, the OptionError names `option`, which gave its name. Throws
   * Interrupted once `stop` is aborted.
   */
  async addOpening<Output extends PendingOutput>(option: string, opening: Promise<Output>): Promise<Output> {
    try {
      return this.add(await this.#unlessStopped(opening));
    } catch (error) {
      if (!(error instanceof OptionError) || error.option !== 'output') throw error;
      throw new OptionError(option, named => error.messageWith(named), { cause: error });
    }
  }

  /** Completes all outputs, and then gives them their names, all or none. */
  async finish(): Promise<void> {
    publish(await this.#complete());
  }

  /** Keeps all outputs as `.partial`; returns the names of the files in the order in which the outputs were added. */
  async keepPartial(): Promise<string[]> {
    return publish(await this.#complete(), { asPartial: true });
  }

  async discard(): Promise<void> {
    for (const output of this.#outputs) await output.discard();
  }

  /** What opens too late is removed then. */
  async #unlessStopped<Output extends PendingOutput>(opening: Promise<Output>): Promise<Output> {
    const stop = this.#stop;
    if (stop === undefined) return opening;
    try {
      return await orAborted(opening, stop);
    } catch (error) {
      if (!stop.aborted) throw error;
      opening.then(late => late.discard()).catch(() => {});
      throw new Interrupted('interrupted: nothing was kept', { cause: error });
    }
  }

  async #complete(): Promise<OutputPlace[]> {
    for (const output of this.#outputs) await output.complete();
    return this.#outputs.flatMap(({ place }) => place ?? []);
  }
}
