// The flags for how macroblocks are coded.
import { TUNED_MATRIX } from '../../encode-files/check-options.js';
import { MATRIX_NAMES, type MatrixName } from '../../encoder/quantizer/quantizer-set.js';
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { words } from '../../encoder/settings/option-values.js';
import type { FlagRows } from './flag-row.js';
import { anyText, plain } from './flag-values.js';
import { TOOL_SWITCHES } from './tool-flags.js';

const MATRICES = words<MatrixName | typeof TUNED_MATRIX>([...MATRIX_NAMES, TUNED_MATRIX]);

export const CODING_FLAGS = {
  preset: {
    values: plain(ENCODER_OPTIONS.preset.values),
    option: 'preset',
    meaning: 'speed against compression',
    commands: ['encode', 'plan', 'farm submit', 'compare'],
  },
  tool: {
    values: TOOL_SWITCHES,
    option: 'tools',
    meaning: 'set one coding tool differently from the preset; may be repeated',
    commands: ['encode', 'plan', 'farm submit', 'compare'],
  },
  tune: {
    values: plain(ENCODER_OPTIONS.tune.values),
    option: 'tune',
    meaning: 'optimize for PSNR or for SSIM',
    commands: ['encode', 'plan', 'farm submit'],
  },
  aqStrength: {
    values: plain(ENCODER_OPTIONS.aq.values),
    option: 'aq',
    default: '1 with --tune ssim, else 0',
    meaning: 'strength of adaptive quantization: busy macroblocks coarser, calm ones finer; 0 is off',
    commands: ['encode', 'plan', 'farm submit'],
  },
  matrix: {
    values: plain(MATRICES),
    option: 'matrix',
    isPrepared: true,
    default: 'flat; standard with --tune ssim',
    meaning: 'weights of intra blocks: flat is best for PSNR, tuned is found by the first of two passes',
    commands: ['encode', 'plan', 'farm submit'],
  },
  intraMatrix: {
    values: anyText('file'),
    option: 'intraMatrix',
    isPrepared: true,
    default: 'that of --matrix',
    meaning: 'text file with 64 weights of intra blocks',
    commands: ['encode', 'plan', 'farm submit'],
  },
  nonIntraMatrix: {
    values: anyText('file'),
    option: 'nonIntraMatrix',
    isPrepared: true,
    default: "the standard's",
    meaning: 'text file with 64 weights of predicted blocks',
    commands: ['encode', 'plan', 'farm submit'],
  },
  slices: {
    values: plain(ENCODER_OPTIONS.slices.values, 'n|rows'),
    option: 'slices',
    meaning: 'slices per picture; rows: one per macroblock row',
    commands: ['encode', 'plan', 'farm submit'],
  },
} as const satisfies FlagRows;
