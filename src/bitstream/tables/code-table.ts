/** A variable-length code compiled from its printed bit string. */
export interface Code {
  readonly bits: number;
  readonly length: number;
}

/** Compiles printed bit strings, by index. */
export function compileCodes(printed: readonly string[]): readonly Code[] {
  return printed.map(compileCode);
}

/** Compiles one printed bit string. */
export function compileCode(printed: string): Code {
  return { bits: Number.parseInt(printed, 2), length: printed.length };
}
