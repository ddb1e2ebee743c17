// What WebGPU says of a fault.

/** The first line of the message of whatever was thrown. A GPUError has a message, too, though it is no Error. */
export function messageOf(error: unknown): string {
  const { message } = (error ?? {}) as { message?: unknown };
  return (typeof message === 'string' && message !== '' ? message : String(error)).split('\n')[0]!;
}
