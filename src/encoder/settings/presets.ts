import { OptionError } from '../../errors.js';
import type { BPictureMotion } from '../motion/anchor-motion.js';

/** Named compromises between speed and compression. */
export type PresetName = 'fast' | 'balanced' | 'best';

/** The switches of the macroblock coder that a preset sets. */
export interface CodingTools {
  /** Decide between modes by rate and distortion of their coded form, rather than by SAD. */
  readonly rateDistortionModes: boolean;
  /** Skip what the zero vector leaves little of in P pictures, without looking for a better vector (rate-distortion modes only). */
  readonly earlySkips: boolean;
  /** How many of the best vectors are coded in full to choose between them (rate-distortion modes only). */
  readonly rdVectorCandidates: number;
  /** Rate-distortion optimal levels: for none, for the mode that was chosen, or for all modes before the choice. */
  readonly trellis: 'none' | 'chosen' | 'all';
  /**
   * How many quantizer_scales to either side of the wanted one are tried for a macroblock's chosen mode, beside that of the macroblock before;
   * 0 tries none. Not at a constant quantizer_scale.
   */
  readonly quantizerSearchRadius: number;
  /** Rounds of half-pel refinement: a further round starts where the last one moved to. */
  readonly refinementRounds: number;
  /** Rounds of joint refinement of the two vectors of an interpolated macroblock. */
  readonly jointRounds: number;
  /** A direction of prediction is coded in full when its SAD cost is at most this times the best direction's. */
  readonly directionFactor: number;
  /** Whether the vectors of the macroblocks to the left, above and above right are proposed. */
  readonly neighbourVectors: boolean;
  /** Whether those that the lookahead has found are (with picture types that follow the scenes). */
  readonly lookaheadVectors: boolean;
  /** From which anchors motion is searched for B pictures; what is not searched is scaled from what is. */
  readonly bPictureMotion: BPictureMotion;
  /** B pictures between two anchors, unless the caller says otherwise. */
  readonly bFrames: number;
  /** Whether B pictures may need the group before theirs, and whether picture types follow the scenes; the same. */
  readonly openGop: boolean;
  readonly adaptiveTypes: boolean;
  /** Whether macroblocks are quantized the finer the more later pictures depend on them (with picture types that follow the scenes). */
  readonly macroblockTree: boolean;
  /** Candidates asked of the estimator per block, unless the caller says otherwise. */
  readonly candidatesPerBlock: number;
}

const PRESETS: Readonly<Record<PresetName, CodingTools>> = {
  fast: {
    rateDistortionModes: false,
    earlySkips: false,
    rdVectorCandidates: 1,
    trellis: 'chosen',
    quantizerSearchRadius: 0,
    refinementRounds: 1,
    jointRounds: 0,
    directionFactor: 1,
    neighbourVectors: true,
    lookaheadVectors: true,
    bPictureMotion: 'lookahead',
    bFrames: 3,
    openGop: true,
    adaptiveTypes: true,
    macroblockTree: true,
    candidatesPerBlock: 1,
  },
  balanced: {
    rateDistortionModes: true,
    earlySkips: true,
    rdVectorCandidates: 1,
    trellis: 'chosen',
    quantizerSearchRadius: 1,
    refinementRounds: 2,
    jointRounds: 1,
    directionFactor: 1,
    neighbourVectors: true,
    lookaheadVectors: true,
    bPictureMotion: 'lookahead',
    bFrames: 3,
    openGop: true,
    adaptiveTypes: true,
    macroblockTree: true,
    candidatesPerBlock: 1,
  },
  best: {
    rateDistortionModes: true,
    earlySkips: false,
    rdVectorCandidates: 8,
    trellis: 'all',
    quantizerSearchRadius: 2,
    refinementRounds: 3,
    jointRounds: 4,
    directionFactor: 3,
    neighbourVectors: true,
    lookaheadVectors: true,
    bPictureMotion: 'both',
    bFrames: 3,
    openGop: true,
    adaptiveTypes: true,
    macroblockTree: true,
    candidatesPerBlock: 8,
  },
};

/** The legal preset names. */
export const PRESET_NAMES = Object.keys(PRESETS) as readonly PresetName[];

/** The tools of a preset. Throws OptionError for an unknown name. */
export function codingTools(preset: string): CodingTools {
  const tools = Object.hasOwn(PRESETS, preset) ? PRESETS[preset as PresetName] : undefined;
  if (!tools) throw new OptionError('preset', `preset '${preset}' does not exist; legal: ${PRESET_NAMES.join(', ')}`);
  return tools;
}
