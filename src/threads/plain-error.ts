// Errors as plain data: structured cloning loses the class of an error.
import { InputError, InternalError, OptionError, UnsupportedError } from '../errors.js';

/** What is kept of an error. */
export interface PlainError {
  readonly name: string;
  readonly message: string;
  readonly option?: string;
  readonly stack?: string;
}

/** An error, or whatever was thrown, as plain data. */
export function plainError(error: unknown): PlainError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error) };
  const { name, message, stack } = error;
  return {
    name,
    message,
    ...(error instanceof OptionError ? { option: error.option } : {}),
    ...(stack === undefined ? {} : { stack }),
  };
}

/** The error that `plainError` was given, of the same class where the class is one of ours. */
export function revivedError({ name, message, option, stack }: PlainError): Error {
  const error =
    name === 'OptionError'
      ? new OptionError(option ?? 'estimator', message)
      : name === 'InputError'
        ? new InputError(message)
        : name === 'UnsupportedError'
          ? new UnsupportedError(message)
          : name === 'InternalError'
            ? new InternalError(message)
            : new Error(message);
  if (stack !== undefined) error.stack = stack;
  return error;
}
