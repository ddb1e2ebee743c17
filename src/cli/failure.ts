import { InputError, OptionError } from '../errors.js';

/** A command line that cannot be understood. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/** The user stopped the work with Ctrl-C or its like; the message says what has been kept. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

/** Whoever read our standard output has closed it. */
export class BrokenPipe extends Error {
  override readonly name = 'BrokenPipe';
}

const FAILED = 1;
const MISTAKE = 2;
/** As shells report a program that SIGINT or SIGPIPE ended: 128 + the signal's number. */
const INTERRUPTED = 130;
const BROKEN_PIPE = 141;

/** The exit status that tells a script what happened. */
export function exitStatusOf(error: unknown): number {
  if (error instanceof Interrupted) return INTERRUPTED;
  if (error instanceof BrokenPipe) return BROKEN_PIPE;
  const isMistake = error instanceof UsageError || error instanceof OptionError || error instanceof InputError;
  return isMistake ? MISTAKE : FAILED;
}

/** Says in one line on standard error what went wrong; with MPEGPU_DEBUG=1 the stack follows. A broken pipe is quiet. */
export function reportFailure(error: unknown): void {
  if (error instanceof BrokenPipe) return;
  printWarning(error instanceof Error ? error.message : String(error));
  const isDebugging = process.env.MPEGPU_DEBUG === '1';
  if (isDebugging && error instanceof Error) process.stderr.write(`${error.stack}\n`);
}

/** One line on standard error. */
export function printWarning(message: string): void {
  process.stderr.write(`mpegpu: ${message.replace(/\s*\n\s*/g, ' ').trim()}\n`);
}
