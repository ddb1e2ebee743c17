/** An output under way; see `OutputFile`. */
export interface PendingOutput {
  finish(): Promise<void>;
  /** Completes it under another name, which is returned. */
  keepPartial(): Promise<string>;
  /** Removes it; harmless once it has been completed. */
  discard(): Promise<void>;
}

/** The outputs of one run, which appear together at its end or not at all. */
export class OutputSet {
  readonly #outputs: PendingOutput[] = [];

  /** Adds an output that has just been opened, and returns it. */
  add<Output extends PendingOutput>(output: Output): Output {
    this.#outputs.push(output);
    return output;
  }

  async finish(): Promise<void> {
    for (const output of this.#outputs) await output.finish();
  }

  /** The names under which the outputs have been kept, in the order in which they were added. */
  async keepPartial(): Promise<string[]> {
    const names: string[] = [];
    for (const output of this.#outputs) names.push(await output.keepPartial());
    return names;
  }

  async discard(): Promise<void> {
    for (const output of this.#outputs) await output.discard();
  }
}
