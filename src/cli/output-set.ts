// The output files of one run, which appear together or not at all.
/** An output that is being written, such as an `OutputFile`. */
export interface PendingOutput {
  finish(): Promise<void>;
  /** Completes it under another name, and returns that name. */
  keepPartial(): Promise<string>;
  /** Removes it. Does nothing once it is complete. */
  discard(): Promise<void>;
}

/** The outputs of one run. */
export class OutputSet {
  readonly #outputs: PendingOutput[] = [];

  /** Adds an output, and returns it. */
  add<Output extends PendingOutput>(output: Output): Output {
    this.#outputs.push(output);
    return output;
  }

  async finish(): Promise<void> {
    for (const output of this.#outputs) await output.finish();
  }

  /** Keeps all outputs under other names; returns these names in the order in which the outputs were added. */
  async keepPartial(): Promise<string[]> {
    const names: string[] = [];
    for (const output of this.#outputs) names.push(await output.keepPartial());
    return names;
  }

  async discard(): Promise<void> {
    for (const output of this.#outputs) await output.discard();
  }
}
