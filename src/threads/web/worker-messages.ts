// The first messages to a worker of a browser, and to whoever starts workers for another one.

/** What a worker does, what with, and whom it talks to. */
export interface WorkerStart {
  readonly entry: string;
  readonly data: unknown;
  /** See `ThreadEntry`. */
  readonly handedOver?: readonly MessagePort[] | undefined;
  /** Where its tasks come from, and its replies go to. */
  readonly tasks: MessagePort;
  /** Takes {@link StartRequest}s of the worker. */
  readonly starter: MessagePort;
}

/** Asks for another worker. */
export interface StartRequest {
  readonly start: Omit<WorkerStart, 'starter'>;
  readonly workerUrl: string | undefined;
  /** Is told why the worker has ended, or could not start, by a string; any message to it ends the worker. */
  readonly control: MessagePort;
}
