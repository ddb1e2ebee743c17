// A row of the flag table: what the command line needs to know about one flag.
import type { EncoderOptions } from '../../encoder/options.js';
import type { FlagValues } from './flag-values.js';

/** The commands of `mpegpu` that have flags. */
export type CommandName =
  | 'encode'
  | 'plan'
  | 'encode-chunk'
  | 'assemble'
  | FarmCommandName
  | 'estimate'
  | 'locate'
  | 'compare'
  | 'disparity'
  | 'devices';

/** Those of `mpegpu farm`, which has commands of its own. */
export type FarmCommandName = 'farm submit' | 'farm worker' | 'farm status' | 'farm cancel' | 'farm up';

/** The name of a flag or of a coding tool on the command line: `gopMin` is `gop-min`. */
export function flagName(name: string): string {
  return name.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);
}

/** One flag. The table knows it by the name that commander gives its value: `gopMin`. */
export interface FlagRow {
  /** What the flag does: one sentence in lower case, without a full stop. */
  readonly meaning: string;
  /** The values it takes; absent for a flag that stands alone. */
  readonly values?: FlagValues<unknown>;
  /** The commands that take it. */
  readonly commands: readonly CommandName[];
  /** The commands that take it only to say why they cannot; their `--help` does not list it. */
  readonly refusedBy?: readonly CommandName[];
  /** The option of the encoder that it sets. */
  readonly option?: keyof EncoderOptions;
  /** True: the command makes the option's value from the flag's. Else the value is passed on as it is. */
  readonly isPrepared?: true;
  /** The default in words, where the option's own row does not say it. */
  readonly default?: string;
  /** What `--no-...` does, for a flag that has that form, too. */
  readonly negation?: string;
  readonly letter?: string;
  readonly isRequired?: true;
}

/** Flags that belong together, under one heading in `--help`. */
export type FlagRows = Readonly<Record<string, FlagRow>>;

/** The type of a flag's value. */
export type FlagValue<Row> = Row extends { readonly values: FlagValues<infer Value> } ? Value : boolean;

type NamesFor<Rows, Command extends CommandName> = {
  [Name in keyof Rows]: Command extends Takers<Rows[Name]> ? Name : never;
}[keyof Rows];

/** The commands that take the flag of a row. */
type Takers<Row> =
  | (Row extends { readonly commands: readonly (infer Taker)[] } ? Taker : never)
  | (Row extends { readonly refusedBy: readonly (infer Refuser)[] } ? Refuser : never);

type RequiredNames<Rows> = {
  [Name in keyof Rows]: Rows[Name] extends { readonly isRequired: true } ? Name : never;
}[keyof Rows];

/** The values that `command` gets from these rows. */
export type FlagsIn<Rows, Command extends CommandName> = {
  readonly [Name in Exclude<NamesFor<Rows, Command>, RequiredNames<Rows>>]?: FlagValue<Rows[Name]>;
} & {
  readonly [Name in Extract<NamesFor<Rows, Command>, RequiredNames<Rows>>]: FlagValue<Rows[Name]>;
};
