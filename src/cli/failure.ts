// How a command fails: its error, its line on standard error and its exit status.
import { Interrupted, StrictFailure } from '../encode-files/stops.js';
import { InputError, messageOf, OptionError } from '../errors.js';
import { asFlag } from './flags/flag-table.js';

export { Interrupted };

/** A command line that cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The reader of our standard output has closed it. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

const FAILED = 1;
const MISTAKE = 2;
/** 128 + the number of SIGINT or SIGPIPE, as a shell reports a program that such a signal ended. */
export const INTERRUPTED = 130;
const BROKEN_PIPE = 141;

/** The exit status that tells a script what happened. */
export function exitStatusOf(error: unknown): number {
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof BrokenPipe) return BROKEN_PIPE;
  const isMistake = error instanceof UsageError || error instanceof OptionError || error instanceof InputError;
  return isMistake ? MISTAKE : FAILED;
}

/** Prints an error as one line on standard error; with MPEGPU_DEBUG=1 its stack follows. A broken pipe is silent. */
export function reportFailure(error: unknown): void {
  if (error instanceof BrokenPipe) return;
  const text = messageOf(error, asFlag);
  printWarning(error instanceof StrictFailure ? `${text}; --strict: nothing was kept` : text);
  const isDebugging = process.env.MPEGPU_DEBUG === '1';
  if (isDebugging && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}

/** Prints a message as one line on standard error. */
export function printWarning(message: string): void {
  process.stderr.write(`mpegpu: ${printable(message.replace(/\s*\n\s*/g, ' ').trim())}\n`);
}

/** A text with `?` for each control character: a file's name may hold some, and a terminal would obey them. */
export function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, '?');
}
