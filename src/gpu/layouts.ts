// The facts that TypeScript and the shaders share: files, entry point, bindings, struct and constants of each pass.
import { InternalError } from '../errors.js';
import { MAX_LEVELS } from '../motion/mrmp-settings.js';

/** One pass. A test reads the same facts from the WGSL text. */
export interface PassLayout {
  readonly entryPoint: string;
  /** Files in shaders/ or below that make the shader when joined, without endings; the last has the entry point. */
  readonly files: readonly string[];
  /** The bindings of group 0, in order. */
  readonly bindings: readonly string[];
  /** Name of the uniform struct. */
  readonly struct: string;
  /** The fields of the uniform struct, in order, all u32. */
  readonly fields: readonly string[];
  /** Constants of the shader that TypeScript uses, too: sizes of workgroups, work of a thread. */
  readonly constants: Readonly<Record<string, number>>;
}

/** Sums of 4x4 blocks. */
export const BLOCK_SUMS = {
  entryPoint: 'block_sums',
  files: ['block_sums'],
  bindings: ['parameters', 'pels', 'sums'],
  struct: 'BlockSumsParameters',
  fields: ['pitch', 'height'],
  constants: { GROUP_WORDS: 64, STRIP_ROWS: 8 },
} as const satisfies PassLayout;

/** Sums of squared pels over a block. */
export const SQUARE_SUMS = {
  ...BLOCK_SUMS,
  entryPoint: 'square_sums',
  files: ['square_sums'],
  struct: 'SquareSumsParameters',
} as const satisfies PassLayout;

/** The next coarser level of a pyramid. */
export const HALVE_PICTURE = {
  entryPoint: 'halve_picture',
  files: ['halve_picture'],
  bindings: ['parameters', 'pyramid'],
  struct: 'HalvePictureParameters',
  fields: ['width', 'height', 'finePitch', 'coarsePitch', 'fineOffset', 'coarseOffset'],
  constants: { GROUP_SIDE: 8 },
} as const satisfies PassLayout;

/** What searches by absolute differences share that keep several candidates. */
const SEARCH_FILES = ['pairs', 'vectors', 'pels', 'field_entry', 'best_candidates', 'merge_by_rank'] as const;

/** Exhaustive search by absolute differences. */
export const FULL_SEARCH = {
  entryPoint: 'full_search',
  files: [...SEARCH_FILES, 'full_search_inputs', 'full_search_bounds', 'full_search_seeds', 'full_search'],
  bindings: ['parameters', 'currentPels', 'referencePels', 'currentSums', 'referenceSums', 'penalties', 'field'],
  struct: 'FullSearchParameters',
  fields: ['width', 'height', 'pitch', 'blockColumns', 'entries', 'rangeX', 'rangeY', 'penaltyY'],
  constants: { QUAD: 4, PHASES: 4, CHUNK_ROWS: 12 },
} as const satisfies PassLayout;

/** The same, where many candidates are kept: they are merged by a bitonic network in place of ranks. */
export const FULL_SEARCH_BITONIC = {
  ...FULL_SEARCH,
  files: FULL_SEARCH.files.map(file => (file === 'merge_by_rank' ? 'merge_bitonic' : file)),
} as const satisfies PassLayout;

/** Exhaustive search by squared errors; its inputs are those of FULL_SEARCH, with sums of squares. */
export const FULL_SEARCH_SSE = {
  ...FULL_SEARCH,
  entryPoint: 'full_search_sse',
  files: [
    'pairs',
    'vectors',
    'field_entry',
    'full_search_inputs',
    'full_search_sse_products',
    'full_search_sse_costs',
    'full_search_sse',
  ],
  constants: { ROWS: 11 },
} as const satisfies PassLayout;

/** Multiresolution multi-predictor search; MRMP_LEVEL follows the fields MAX_LEVELS times. */
export const MRMP_SEARCH = {
  entryPoint: 'mrmp_search',
  files: [...SEARCH_FILES, 'mrmp_coarsest', 'mrmp_search'],
  bindings: ['parameters', 'current', 'reference', 'penalties', 'field'],
  struct: 'MrmpParameters',
  fields: ['blockColumns', 'entries', 'penaltyY', 'reserved'],
  constants: { MAX_LEVELS },
} as const satisfies PassLayout;

/** The struct of one level in MRMP_SEARCH. */
export const MRMP_LEVEL = {
  struct: 'Level',
  fields: ['width', 'height', 'pitch', 'offset', 'rangeX', 'rangeY', 'reservedX', 'reservedY'],
} as const;

/** The words of a struct: a value per field, in the layout's order. */
export function structWords<Field extends string>(
  layout: { readonly struct: string; readonly fields: readonly Field[] },
  values: Readonly<Record<Field, number>>,
): number[] {
  return layout.fields.map(field => {
    const value = values[field];
    if (!Number.isInteger(value) || value < 0 || value > 0xffffffff) {
      throw new InternalError(`${layout.struct}.${field} is ${value}, not a u32`);
    }
    return value;
  });
}
