// The options of the encoder that the flags of a command ask for.
import type { FlagValue } from './flag-row.js';
import { ENCODER_FLAGS, type FlagsOf } from './flag-table.js';

type Rows = typeof ENCODER_FLAGS;

/** The options whose value is that of a flag. */
type PassedOptions = {
  readonly [Name in keyof Rows as Rows[Name] extends { readonly isPrepared: true }
    ? never
    : Rows[Name]['option' & keyof Rows[Name]] & string]?: FlagValue<Rows[Name]>;
};

/** The flags that the command line has and the encoder takes as they are. */
export function encoderOptions(
  flags: FlagsOf<'encode'> | FlagsOf<'plan'> | FlagsOf<'farm submit'> | FlagsOf<'compare'>,
): PassedOptions {
  const given: Readonly<Record<string, unknown>> = { ...flags };
  const passed = Object.entries(ENCODER_FLAGS).flatMap(([name, row]) =>
    name in given && 'option' in row && !('isPrepared' in row) ? [[row.option, given[name]]] : [],
  );
  return Object.fromEntries(passed) as PassedOptions;
}
