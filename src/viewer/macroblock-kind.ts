// The kinds of macroblocks that a viewer tells apart, and their names.
import {
  MACROBLOCK_INTRA,
  MACROBLOCK_MOTION_BACKWARD,
  MACROBLOCK_MOTION_FORWARD,
} from '../bitstream/tables/macroblock-codes.js';

/** How a macroblock is coded, for people. */
export type MacroblockKind = 'skipped' | 'intra' | 'forward' | 'still' | 'backward' | 'both';

/** The kinds in words. Those that have a colour get it from a page's style sheet: `--kind-intra` and so on. */
export const KIND_NAMES: Readonly<Record<MacroblockKind, string>> = {
  intra: 'intra',
  forward: 'predicted with a vector',
  still: 'predicted without a vector',
  backward: 'predicted from the next anchor',
  both: 'predicted from both anchors',
  skipped: 'skipped',
};

/** The kind of a macroblock by its type, as `CodedMacroblocks` has it. */
export function kindOf(flags: number): MacroblockKind {
  if (flags === 0) return 'skipped';
  if (flags & MACROBLOCK_INTRA) return 'intra';
  if (flags & MACROBLOCK_MOTION_FORWARD && flags & MACROBLOCK_MOTION_BACKWARD) return 'both';
  if (flags & MACROBLOCK_MOTION_BACKWARD) return 'backward';
  return flags & MACROBLOCK_MOTION_FORWARD ? 'forward' : 'still';
}
