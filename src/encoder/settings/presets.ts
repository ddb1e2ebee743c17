// The coding tools, a row each: what a tool may be set to, what each preset sets it to, and what it does.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { MAX_PROPOSALS } from '../../kernels/records/candidate-search.js';
import { checkValue, type OptionValues, SWITCH, type ValueOf, wholeNumbers, words } from './option-values.js';

/** How many pictures after a picture are known, in coded order, before the macroblock tree weighs it; not measured. */
export const TREE_DEPTH = 16;

/** The legal preset names, fastest first. */
export const PRESET_NAMES = ['fastest', 'fast', 'balanced', 'best', 'smallest'] as const;

/** Named compromises between speed and compression. */
export type PresetName = (typeof PRESET_NAMES)[number];

interface ToolRow {
  readonly values: OptionValues;
  readonly presets: Readonly<Record<PresetName, unknown>>;
  /** One sentence, without a full stop. */
  readonly meaning: string;
  /** The option of the encoder that sets this tool; without one, the option `tools` does. */
  readonly ownOption?: 'bFrames' | 'openGop' | 'candidates';
}

/** All coding tools. */
export const TOOLS = {
  rateDistortionModes: {
    values: SWITCH,
    presets: { fastest: false, fast: true, balanced: true, best: true, smallest: true },
    meaning: 'choose the mode of a macroblock by the bits and the error of its coded form, not by SAD',
  },
  earlySkips: {
    values: SWITCH,
    presets: { fastest: false, fast: true, balanced: true, best: false, smallest: false },
    meaning:
      'skip a P macroblock without a vector search if the zero vector leaves little (with rate-distortion modes)',
  },
  rdVectorCandidates: {
    values: wholeNumbers(1, 64),
    presets: { fastest: 1, fast: 1, balanced: 1, best: 8, smallest: 24 },
    meaning: 'how many of the best vectors are coded in full to choose between them (with rate-distortion modes)',
  },
  fullRefinementRounds: {
    values: wholeNumbers(0, 16),
    presets: { fastest: 0, fast: 0, balanced: 0, best: 0, smallest: 8 },
    meaning:
      'rounds that code the half-pel neighbours of the best vectors in full to choose between them, in B pictures also of the vectors that macroblocks around have (with rate-distortion modes)',
  },
  rowPasses: {
    values: wholeNumbers(1, 8),
    presets: { fastest: 1, fast: 1, balanced: 1, best: 1, smallest: 6 },
    meaning:
      'how many times each row of macroblocks is coded; from the second time on, the motion of the whole row is chosen together first, and a choice also counts the bits of the macroblocks after it (with rate-distortion modes)',
  },
  jointSymbols: {
    values: words(['none', 'blocks', 'all']),
    presets: { fastest: 'none', fast: 'blocks', balanced: 'blocks', best: 'all', smallest: 'all' },
    meaning:
      'choose by the bits of their own codes, too: which blocks of a macroblock are coded; all: the DCs of an intra one, too',
  },
  trellis: {
    values: words(['none', 'chosen', 'all']),
    presets: { fastest: 'none', fast: 'chosen', balanced: 'chosen', best: 'all', smallest: 'all' },
    meaning: 'choose rate-distortion optimal levels: in no mode, in the chosen mode, or in all modes before the choice',
  },
  quantizerSearchRadius: {
    values: wholeNumbers(0, MAX_QUANTIZER_SCALE - 1),
    presets: { fastest: 0, fast: 0, balanced: 1, best: 2, smallest: 4 },
    meaning:
      'how many scales above and below the wanted one are tried for each macroblock (not at a constant quantizer_scale)',
  },
  refinementRounds: {
    values: wholeNumbers(0, 16),
    presets: { fastest: 1, fast: 2, balanced: 2, best: 3, smallest: 4 },
    meaning: 'rounds of half-pel refinement: each starts at the best vector of the round before',
  },
  jointRounds: {
    values: wholeNumbers(0, 16),
    presets: { fastest: 1, fast: 1, balanced: 1, best: 4, smallest: 8 },
    meaning: 'rounds that refine the two vectors of an interpolated macroblock together',
  },
  bPictureRefinement: {
    values: words(['light', 'full']),
    presets: { fastest: 'light', fast: 'full', balanced: 'full', best: 'full', smallest: 'full' },
    meaning:
      'full: refine vectors of B pictures like those of P pictures; light: refine only vectors of whole pels and, in an interpolated macroblock, only the vector that costs more, along the axes',
  },
  directionFactor: {
    values: wholeNumbers(1, 64),
    presets: { fastest: 1, fast: 1, balanced: 1, best: 3, smallest: 16 },
    meaning: 'code a direction of prediction in full if its cost is at most this many times that of the best direction',
  },
  neighbourVectors: {
    values: SWITCH,
    presets: { fastest: true, fast: true, balanced: true, best: true, smallest: true },
    meaning: 'also try the vectors of the macroblocks to the left, above and above right',
  },
  bPictureMotion: {
    values: words(['first', 'near', 'both']),
    presets: { fastest: 'first', fast: 'first', balanced: 'near', best: 'both', smallest: 'both' },
    meaning:
      'where B pictures are searched; near: in the nearer anchor; both: in both; first: where motion is steady, only the first one after an anchor is searched, in that anchor (without adaptive types, which need both)',
  },
  motionFromBefore: {
    values: SWITCH,
    presets: { fastest: true, fast: true, balanced: false, best: false, smallest: false },
    meaning:
      'start the search of a P picture from the motion four P pictures before, of the B picture after an anchor from that three anchors before (without adaptive types, which always do so)',
  },
  fewerBPictures: {
    values: SWITCH,
    presets: { fastest: true, fast: true, balanced: false, best: false, smallest: false },
    meaning:
      'at most one B picture between two anchors, and none at a fine scale, where motion is not steady and even the next picture is predicted badly (without adaptive types, with bPictureMotion first and metric sad)',
  },
  bFrames: {
    values: wholeNumbers(0, 7),
    presets: { fastest: 2, fast: 2, balanced: 3, best: 3, smallest: 5 },
    meaning: 'B pictures between two anchors, at most',
    ownOption: 'bFrames',
  },
  openGop: {
    values: SWITCH,
    presets: { fastest: true, fast: true, balanced: true, best: true, smallest: true },
    meaning: 'predict the B pictures before an I picture from the group before it, too',
    ownOption: 'openGop',
  },
  adaptiveTypes: {
    values: SWITCH,
    presets: { fastest: false, fast: false, balanced: true, best: true, smallest: true },
    meaning: 'choose picture types by a lookahead: an I picture where a scene begins, as many B pictures as save bits',
  },
  macroblockTree: {
    values: SWITCH,
    presets: { fastest: false, fast: false, balanced: true, best: true, smallest: true },
    meaning: 'quantize a macroblock finer the more later pictures are predicted from it (with adaptive types)',
  },
  temporalFilter: {
    values: SWITCH,
    presets: { fastest: false, fast: false, balanced: true, best: true, smallest: true },
    meaning:
      'take noise out of I and P pictures before they are coded: blend them with the pictures around, along their motion (with the macroblock tree)',
  },
  candidatesPerBlock: {
    values: wholeNumbers(1, MAX_PROPOSALS),
    presets: { fastest: 1, fast: 1, balanced: 2, best: 8, smallest: 8 },
    meaning: 'vectors per block that the estimator offers to the coder',
    ownOption: 'candidates',
  },
} as const satisfies Readonly<Record<string, ToolRow>>;

/** The coding tools as an encode uses them; see {@link TOOLS} for what each does. */
export type CodingTools = { readonly [Tool in keyof typeof TOOLS]: ValueOf<(typeof TOOLS)[Tool]['values']> };

/** The tools of a preset. Throws OptionError for an unknown name. */
export function codingTools(preset: string): CodingTools {
  const name = checkValue('preset', preset, words(PRESET_NAMES));
  const settings = Object.entries(TOOLS).map(([tool, { presets }]) => [tool, presets[name]]);
  return Object.fromEntries(settings) as CodingTools;
}
