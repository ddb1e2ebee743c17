// Reads the options that a caller gives: each once, each checked by its row of the table.
import { messageOf, OptionError } from '../../errors.js';
import { requireKnownNames } from '../../given-options.js';
import type { EncoderOptions } from '../options.js';
import { mayCallEncoder } from './calls-no-encoder.js';
import { ENCODER_OPTIONS, type OptionRow } from './option-table.js';
import { checkValue } from './option-values.js';

const ROWS: readonly (readonly [string, OptionRow])[] = Object.entries(ENCODER_OPTIONS);
const NAMES: readonly string[] = Object.keys(ENCODER_OPTIONS);

/**
 * The options as a plain object, without those that are undefined. Functions are bound to `given`. Throws an
 * OptionError for a name that does not exist, and for a value that its row forbids or that cannot be read.
 */
export function readOptions(given: EncoderOptions): EncoderOptions {
  requireKnownNames(given, NAMES, 'EncoderOptions');
  const source = given as unknown as Readonly<Record<string, unknown>>;
  const options: Record<string, unknown> = {};
  for (const [name, row] of ROWS) {
    const value = readOption(source, name, row);
    if (value === undefined) continue;
    const isBound = typeof value === 'function' && name !== 'estimator' && mayCallEncoder(value);
    options[name] = isBound ? value.bind(given) : value;
  }
  return options as unknown as EncoderOptions;
}

function readOption(source: Readonly<Record<string, unknown>>, name: string, row: OptionRow): unknown {
  try {
    const given = source[name];
    const value = row.isCopied && typeof given === 'object' && given !== null ? { ...given } : given;
    const isLeftOut = value === undefined && !row.isRequired;
    if (row.values && !isLeftOut) checkValue(name, value, row.values);
    return value;
  } catch (error) {
    if (error instanceof OptionError) throw error;
    throw new OptionError(name, `${name} cannot be read: ${messageOf(error)}`);
  }
}
