// What codeMacroblock works with.
import { CANDIDATE_SEARCH, JOINT_SEARCH } from './candidate-search.js';
import { MACROBLOCK_CODES } from './macroblock-codes.js';
import { MACROBLOCK_TRIAL } from './macroblock-trial.js';
import { PICTURE_PLANES } from './picture-planes.js';
import { arrayOf, defineRecord, i32, pointerTo, type RecordAt, usize } from './record.js';
import { SLICE_PREDICTORS } from './slice-predictors.js';
import { SLICE_WRITING } from './slice-writing.js';
import { SYMBOL_ARRAYS } from './symbol-arrays.js';

/** What may be done with a macroblock, added up. */
export const MAY_SKIP = 1;
export const MUST_BE_INTRA = 2;
export const MAY_CHANGE_SCALE = 4;
/** It takes as few bits as can be: intra with DCs alone, or a copy of the past anchor. */
export const MUST_BE_SPARSE = 8;
/** The symbols from the macroblock on are of an earlier coding of the row. Not for the row's last. */
export const KNOWS_NEXT = 16;
/** Its row has been coded before, and its MACROBLOCK_CHOICES are of that time. */
export const WAS_CODED = 32;

/** Picture types as numbers: indices of PICTURE_TYPES. */
export const I_PICTURE = 0;
export const P_PICTURE = 1;
export const B_PICTURE = 2;

/** How often a round of refinements in full may move a vector of a B macroblock: alone, and twice with the other. */
export const MAX_MOVES_OF_A_ROUND = 3;

/** When levels are chosen by rate and distortion. */
export const TRELLIS_NONE = 0;
export const TRELLIS_CHOSEN = 1;
export const TRELLIS_ALL = 2;
/** Which symbols are chosen together: none, the coded blocks, or the DCs, too. */
export const JOINT_NONE = 0;
export const JOINT_BLOCKS = 1;
export const JOINT_ALL = 2;

/** The four kinds of quantizers, in the order of their pointers; intra ones are the next after each. */
export const PLAIN_QUANTIZERS = 0;
export const NEAREST_QUANTIZERS = 2;
/** Pointers to the quantizers of a kind, one a quantizer_scale; that of 0 is not used. */
export const QUANTIZERS_OF_A_KIND = 32;

/**
 * The coding of the macroblocks of a picture.
 *
 *     0                60                72           104    108          620
 *     | pointers       | the picture     | the tools  | bits | quantizers |
 */
export const MACROBLOCK_CODING = defineRecord('MacroblockCoding', {
  /** The vector searches: of P and B pictures, of B pictures. Their references are the anchors. */
  forward: pointerTo(CANDIDATE_SEARCH),
  backward: pointerTo(CANDIDATE_SEARCH),
  joint: pointerTo(JOINT_SEARCH),
  /** Room for two ways to code a macroblock. */
  trial: pointerTo(MACROBLOCK_TRIAL),
  otherTrial: pointerTo(MACROBLOCK_TRIAL),
  /** Pointer to room for PREDICTION_BYTES. */
  scratch: usize,
  /** The picture, and where it is reconstructed. */
  source: pointerTo(PICTURE_PLANES),
  target: pointerTo(PICTURE_PLANES),
  /** Where what is decided is kept. */
  symbols: pointerTo(SYMBOL_ARRAYS),
  /** What the macroblocks before predict of the next one. */
  predictors: pointerTo(SLICE_PREDICTORS),
  codes: pointerTo(MACROBLOCK_CODES),
  /** Where their blocks are written. */
  writing: pointerTo(SLICE_WRITING),
  /** Pointer to the row's first MACROBLOCK_CHOICES, and bytes from one to the next; 0: all macroblocks share one. */
  choices: usize,
  choicesStep: usize,
  /** Pointer to the table of run/level bits. */
  lengths: usize,
  /** I_PICTURE, P_PICTURE or B_PICTURE. */
  pictureType: i32,
  /** Macroblocks in a row. */
  mbWidth: i32,
  /** 1: no two modes are coded to compare them, no bits are counted, and scales stay. */
  comparesNothing: i32,
  /** Coding tools; see TOOLS in src/encoder. TRELLIS_NONE, TRELLIS_CHOSEN or TRELLIS_ALL; the others as numbers. */
  trellis: i32,
  rateDistortionModes: i32,
  earlySkips: i32,
  rdVectorCandidates: i32,
  fullRefinementRounds: i32,
  quantizerSearchRadius: i32,
  directionFactor: i32,
  /** JOINT_NONE, JOINT_BLOCKS or JOINT_ALL. */
  jointSymbols: i32,
  /** Bits of the last macroblock, 0 where they are not counted. */
  bits: i32,
  /** Pointers to the QUANTIZERs: plain, plain intra, nearest, nearest intra. */
  quantizers: arrayOf('i32', 4 * QUANTIZERS_OF_A_KIND),
});
export type MacroblockCoding = RecordAt<typeof MACROBLOCK_CODING.fields>;
