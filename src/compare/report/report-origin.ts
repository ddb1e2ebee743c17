// Where a report comes from: program, time, command line, input and machine.

/** How a comparison can be told from others, and repeated. */
export interface ReportOrigin {
  /** The version of mpegpu. */
  readonly version: string;
  /** When it was made: ISO 8601, UTC, whole seconds. */
  readonly date: string;
  /** As a shell takes it; paths are as the user typed them. */
  readonly commandLine: string;
  /** Size of the input's file; null for images, and for standard input. */
  readonly inputBytes: number | null;
  readonly machine: Machine;
}

/** The machine that the times were measured on. */
export interface Machine {
  readonly cpu: string;
  /** Hardware threads. */
  readonly threads: number;
  readonly node: string;
  /** Names of the GPU adapters, the preferred one first; null where there is none. */
  readonly gpu: string | null;
  /** The version of ffmpeg; null where there is none. */
  readonly ffmpeg: string | null;
}

/** A file that the reader of a report can save. */
export interface ReportFile {
  /** The words on its button. */
  readonly label: string;
  /** Its name, without folders. */
  readonly name: string;
  readonly mediaType: string;
  /** What it holds, as `packText` packs it. */
  readonly packed: string;
}
