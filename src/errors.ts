// The errors that mpegpu throws, and what any error says.

/** A wrong option. The message names the option, its value and the legal values. Exit status 2. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  constructor(
    readonly option: string,
    message: string,
  ) {
    super(message);
  }
}

/**
 * Input that cannot be used. The message names the file or frame, what is wrong and what would be right. Exit status 2.
 */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** An output that could not be completed, by a full disk for example. The message names the file. Exit status 1. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** This machine lacks something (a GPU, SIMD, ffmpeg). The message says what and why. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

/** A bug of mpegpu: no sequence of calls may throw it. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}

/** The message of an error, or of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
