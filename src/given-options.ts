// What a caller has given: options by their names, and values that an error shows.
import { OptionError } from './errors.js';
import { nearestName } from './nearest-name.js';

/**
 * Throws an OptionError for options that are no object, and for one with a value and a name that is none of `names`;
 * `type` is the one of all.
 */
export function requireKnownNames(given: object, names: readonly string[], type: string): void {
  if (typeof given !== 'object' || given === null) {
    throw new OptionError('options', `the options are ${inWords(given)}, not an object`);
  }
  for (const name of Object.keys(given)) {
    if (names.includes(name) || (given as Readonly<Record<string, unknown>>)[name] === undefined) continue;
    const nearest = nearestName(name, names);
    const advice = nearest === undefined ? `the type ${type} lists the legal ones` : `did you mean ${nearest}?`;
    throw new OptionError(name, `the option '${name}' does not exist; ${advice}`);
  }
}

/**
 * As `requireKnownNames`, and throws an OptionError for a `signal` or a callback, such as `onWarning`, that is none,
 * and for an option of `switches` that is not true or false.
 */
export function requireOptions(
  given: object,
  names: readonly string[],
  type: string,
  switches: readonly string[] = [],
): void {
  requireKnownNames(given, names, type);
  for (const [name, value] of Object.entries(given)) {
    let wrong: string | false = false;
    if (name === 'signal') wrong = !isSignal(value) && 'an AbortSignal';
    else if (switches.includes(name)) wrong = typeof value !== 'boolean' && 'true or false';
    else if (/^on[A-Z]/.test(name)) wrong = typeof value !== 'function' && 'a function';
    if (wrong && value !== undefined) {
      throw new OptionError(name, named => `${named(name)} ${inWords(value)} is not ${wrong}`);
    }
  }
}

/** Whether a value can be used as an AbortSignal. */
export function isSignal(value: unknown): boolean {
  const { aborted, addEventListener } = Object(value);
  return typeof aborted === 'boolean' && typeof addEventListener === 'function';
}

/** Letters of a value that an error shows. */
const MAX_LETTERS = 60;

/** A value for an error message, whatever it is: 5, 'word', null, {"x":1}, a function. */
export function inWords(value: unknown): string {
  if (typeof value === 'function') return 'a function';
  let words: string | undefined;
  try {
    words = typeof value === 'object' ? JSON.stringify(value) : String(value);
  } catch {} // a circle, or a toJSON that throws
  words ??= 'an object';
  if (words.length > MAX_LETTERS) words = `${words.slice(0, MAX_LETTERS)}…`;
  return typeof value === 'string' ? `'${words}'` : words;
}
