// The errors that mpegpu throws, and what any error says.

/** How an option is written where an error is read: `gopMin` in a program, `--gop-min` on the command line. */
export type OptionNaming = (option: string) => string;

/** A text that names options: it is told how they are written. */
export type TextWithOptions = string | ((named: OptionNaming) => string);

/** Options by their own names, as a program writes them. */
export const asProperty: OptionNaming = option => option;

/** A text, with its options written as `named` says. */
export function textWith(text: TextWithOptions, named: OptionNaming): string {
  return typeof text === 'string' ? text : text(named);
}

/** An error whose message may name options. `message` names them as a program writes them. */
class NamingError extends Error {
  readonly #text: TextWithOptions;

  constructor(text: TextWithOptions, options?: ErrorOptions) {
    super(textWith(text, asProperty), options);
    this.#text = text;
  }

  /** The message, with options written as `named` says. */
  messageWith(named: OptionNaming): string {
    return textWith(this.#text, named);
  }
}

/** A wrong option. The message names the option, its value and the legal values. Exit status 2. */
export class OptionError extends NamingError {
  override readonly name = 'OptionError';
  constructor(
    readonly option: string,
    text: TextWithOptions,
    options?: ErrorOptions,
  ) {
    super(text, options);
  }
}

/**
 * Input that cannot be used. The message names the file or frame, what is wrong and what would be right. Exit status 2.
 */
export class InputError extends NamingError {
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

/** The message of an error, or of whatever was thrown. `named` says how options are written. */
export function messageOf(error: unknown, named: OptionNaming = asProperty): string {
  if (error instanceof NamingError) return error.messageWith(named);
  return error instanceof Error ? error.message : String(error);
}
