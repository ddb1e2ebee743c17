// Contract of the kernels that compare a pattern with the places of a picture.

/** The pattern kernels. `search` points to a PATTERN_SEARCH. */
export interface PatternKernels {
  /**
   * Tries every place of row `y`: adds up |pel - sample| over all samples of the pattern. Writes the places whose sum
   * is at most the limit, from left to right, and returns how many there are. Entries behind them are left as they are.
   */
  findInRow(search: number, y: number): number;
  /**
   * Takes `count` pels of three bytes apart: `planes` gets all first bytes, then all second ones, then all third ones.
   * The two places do not overlap.
   */
  splitComponents(planes: number, pels: number, count: number): void;
}
