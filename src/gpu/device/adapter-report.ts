// What is told of this machine's WebGPU adapters: plain data, which can be sent between processes.

/** One adapter, as plain data. */
export interface AdapterDescription {
  readonly name: string;
  readonly vendor: string;
  readonly architecture: string;
  readonly device: string;
  readonly description: string;
  /** True: the adapter is a program on the CPU. `auto` never takes it. */
  readonly software: boolean;
  /** Names of the optional WebGPU features, sorted. */
  readonly features: readonly string[];
  /** WebGPU limits by name. */
  readonly limits: Readonly<Record<string, number>>;
}

/** The adapters of this machine. */
export interface AdapterReport {
  readonly adapters: readonly AdapterDescription[];
  /** Where there is no real GPU: why, and what to install. */
  readonly reason?: string;
}
