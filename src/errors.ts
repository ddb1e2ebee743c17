/** A wrong option: names the option, its value and what would be legal. The command line exits with status 2. */
export class OptionError extends Error {
  override readonly name = 'OptionError';
  constructor(
    readonly option: string,
    message: string,
  ) {
    super(message);
  }
}

/** Input that cannot be used: names the file or frame, what is wrong with it and what would be right. Exit status 2. */
export class InputError extends Error {
  override readonly name = 'InputError';
}

/** An output that could not be written to its end: a full disk or the like; the message names the file. Exit status 1. */
export class OutputError extends Error {
  override readonly name = 'OutputError';
}

/** Something this machine lacks (a GPU, SIMD, ffmpeg); the message says what and why. */
export class UnsupportedError extends Error {
  override readonly name = 'UnsupportedError';
}

/** A bug of ours: no sequence of API calls may reach it. */
export class InternalError extends Error {
  override readonly name = 'InternalError';
}
