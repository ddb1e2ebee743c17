import { InternalError } from '../errors.js';

/**
 * What TypeScript and the shaders share about one pass: its entry point, its bindings of group 0 in order, and the fields
 * of its uniform struct in order, all u32. A test reads the same from the WGSL text.
 */
export interface PassLayout {
  readonly entryPoint: string;
  readonly bindings: readonly string[];
  readonly struct: string;
  readonly fields: readonly string[];
}

/** shaders/block_sums.wgsl */
export const BLOCK_SUMS = {
  entryPoint: 'block_sums',
  bindings: ['parameters', 'pels', 'sums'],
  struct: 'BlockSumsParameters',
  fields: ['pitch', 'height'],
} as const satisfies PassLayout;

/** shaders/square_sums.wgsl */
export const SQUARE_SUMS = {
  entryPoint: 'square_sums',
  bindings: ['parameters', 'pels', 'sums'],
  struct: 'SquareSumsParameters',
  fields: ['pitch', 'height'],
} as const satisfies PassLayout;

/** shaders/halve_picture.wgsl */
export const HALVE_PICTURE = {
  entryPoint: 'halve_picture',
  bindings: ['parameters', 'pyramid'],
  struct: 'HalvePictureParameters',
  fields: ['width', 'height', 'finePitch', 'coarsePitch', 'fineOffset', 'coarseOffset'],
} as const satisfies PassLayout;

/** shaders/full_search.wgsl */
export const FULL_SEARCH = {
  entryPoint: 'full_search',
  bindings: ['parameters', 'currentPels', 'referencePels', 'currentSums', 'referenceSums', 'penalties', 'field'],
  struct: 'FullSearchParameters',
  fields: ['width', 'height', 'pitch', 'blockColumns', 'entries', 'rangeX', 'rangeY', 'penaltyY'],
} as const satisfies PassLayout;

/** shaders/squared_search.wgsl: as FULL_SEARCH, with sums of squares. */
export const SQUARED_SEARCH = {
  ...FULL_SEARCH,
  entryPoint: 'squared_search',
  struct: 'SquaredSearchParameters',
} as const satisfies PassLayout;

/** shaders/mrmp_search.wgsl; `MRMP_LEVEL` follows MAX_LEVELS times. */
export const MRMP_SEARCH = {
  entryPoint: 'mrmp_search',
  bindings: ['parameters', 'current', 'reference', 'penalties', 'field'],
  struct: 'MrmpParameters',
  fields: ['blockColumns', 'entries', 'penaltyY', 'reserved'],
} as const satisfies PassLayout;

/** The struct of one level in shaders/mrmp_search.wgsl. */
export const MRMP_LEVEL = {
  struct: 'Level',
  fields: ['width', 'height', 'pitch', 'offset', 'rangeX', 'rangeY', 'reservedX', 'reservedY'],
} as const;

/** Entries of MrmpParameters.levels. */
export const MAX_LEVELS = 4;

/** GPUBufferUsage of the WebGPU specification, which Node has no global for. */
export const BUFFER_USAGE = {
  mapRead: 0x1,
  mapWrite: 0x2,
  copySource: 0x4,
  copyTarget: 0x8,
  uniform: 0x40,
  storage: 0x80,
  queryResolve: 0x200,
} as const;

/** GPUMapMode of the WebGPU specification. */
export const MAP_MODE = { read: 1, write: 2 } as const;

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
