// Variable-length codes, compiled from the bit strings that the standard prints.

/** A variable-length code compiled from its printed bit string. */
export interface Code {
  readonly bits: number;
  readonly length: number;
}

/** Compiles printed bit strings; the index stays. */
export function compileCodes(printed: readonly string[]): readonly Code[] {
  return printed.map(compileCode);
}

/** Compiles one printed bit string. */
export function compileCode(printed: string): Code {
  return { bits: Number.parseInt(printed, 2), length: printed.length };
}
