// Catches the errors of commands that are submitted to a device, and says how callers hear of them.
import { InputError, InternalError, OptionError, UnsupportedError } from '../../errors.js';
import { firstLineOf } from './adapter-choice.js';

/** The kinds of errors that are caught. */
const KINDS = ['validation', 'out-of-memory', 'internal'] as const;

/** From here on the device's errors are caught, until `popErrorScopes`. */
export function pushErrorScopes(device: GPUDevice): void {
  for (const kind of KINDS) device.pushErrorScope(kind);
}

/** A promise for each kind of error; it rejects with the error that was caught. Whoever gets them may ignore them. */
export function popErrorScopes(device: GPUDevice): Promise<void>[] {
  return KINDS.map(() => {
    const scope = device.popErrorScope().then(error => {
      if (error) throw error;
    });
    scope.catch(() => {});
    return scope;
  });
}

/**
 * The values of all promises. Rejects with the first error, and only when none is pending: a process that ends
 * with a pending map is aborted.
 */
export async function whenAllSettle<T>(pending: readonly Promise<T>[]): Promise<T[]> {
  await Promise.allSettled(pending);
  return Promise.all(pending);
}

/** Errors of the GPU as `UnsupportedError` that begins with `name`; errors of the caller or of ours as they are. */
export function gpuError(name: string, error: unknown): unknown {
  if ([OptionError, InputError, InternalError].some(kind => error instanceof kind)) return error;
  return new UnsupportedError(`${name}: ${firstLineOf(error)}`, { cause: error });
}
