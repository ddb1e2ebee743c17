// The first message to a worker of a browser.

/** What the worker does, and what with. */
export interface WorkerStart {
  readonly entry: string;
  readonly data: unknown;
}
