// Calls a function of the program that started the worker: no step fails by it, and its failures become warnings.
import { messageOf } from '../../errors.js';

/**
 * A function that makes a call at once, does not wait for its promise, and never throws. If the call throws or rejects,
 * the process emits a warning. A failure that comes again and again is told once, until another one comes.
 */
export function callerFunction<Given>(name: string, call: (given: Given) => unknown): (given: Given) => void {
  let last = '';
  const made = async (given: Given): Promise<unknown> => call(given);
  return given =>
    void made(given).catch(error => {
      const message = `${name} of a farm worker failed: ${messageOf(error)}`;
      if (message !== last) process.emitWarning(message, { detail: error?.stack });
      last = message;
    });
}
