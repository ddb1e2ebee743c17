// A pattern as locate_pattern.wgsl takes it: words of four components, and their masks.
import type { Pattern } from '../../pattern/pattern.js';
import { type Components, pelsWithoutAlpha } from '../../pattern/pel-image.js';

/** The words of a pattern, row by row. */
export interface PatternWords {
  /** All words, and behind them a mask for each. What does not count is 0 in both. */
  readonly words: Uint32Array;
  readonly wordsPerRow: number;
  /** Pels from one word to the next. */
  readonly step: number;
}

/** Gray: a word has four neighbouring pels, the leftmost in the low byte. Coloured: red, green, blue and nothing. */
export function patternWords(pattern: Pattern, components: Components): PatternWords {
  const { width, height, mask } = pattern;
  const pels = pelsWithoutAlpha(pattern, components);
  const step = components === 1 ? 4 : 1;
  const wordsPerRow = Math.ceil(width / step);
  const bytes = new Uint8Array(8 * wordsPerRow * height);
  const masksAt = bytes.length / 2;
  for (let pel = 0; pel < mask.length; pel++) {
    if (mask[pel] === 0) continue;
    const x = pel % width;
    const word = Math.floor(pel / width) * wordsPerRow + Math.floor(x / step);
    for (let component = 0; component < components; component++) {
      const at = 4 * word + (components === 1 ? x % step : component);
      bytes[at] = pels[components * pel + component]!;
      bytes[masksAt + at] = 255;
    }
  }
  return { words: new Uint32Array(bytes.buffer), wordsPerRow, step };
}
