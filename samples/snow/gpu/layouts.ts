// The passes of the simulator on the GPU: files, bindings, and what a workgroup takes. A test compares the shaders.
import type { SceneNumbers } from '../scene.js';
import type { SHADER_SOURCES } from '../shader-sources.js';

type ShaderName = keyof typeof SHADER_SOURCES;

/** One pass; its entry point is named like the last of its files. */
export interface SnowPass {
  readonly entryPoint: ShaderName;
  /** The files that make the shader when they are joined. */
  readonly files: readonly ShaderName[];
  /** The bindings of group 0, in order. */
  readonly bindings: readonly string[];
}

/** Threads of a workgroup of passes over columns and flakes. */
export const ROW_THREADS = 256;
/** Cells of a workgroup of passes over the air, along x, y and z. */
export const BLOCK_THREADS = [32, 4, 2] as const;

/** The passes by name. */
export const SNOW_PASSES = {
  settle: {
    entryPoint: 'settle_snow',
    files: ['scene', 'settle_snow'],
    bindings: ['terrain', 'snow', 'landed', 'next_snow', 'heights'],
  },
  floors: { entryPoint: 'fill_floors', files: ['scene', 'fill_floors'], bindings: ['heights', 'floors'] },
  advect: {
    entryPoint: 'advect_wind',
    files: ['scene', 'cells', 'obstacles', 'wind_at', 'advect_wind'],
    bindings: ['weather', 'wind', 'floors', 'next_wind'],
  },
  diverge: {
    entryPoint: 'measure_divergence',
    files: ['scene', 'cells', 'obstacles', 'wind_at', 'measure_divergence'],
    bindings: ['wind', 'floors', 'divergence'],
  },
  relax: {
    entryPoint: 'relax_pressure',
    files: ['scene', 'cells', 'obstacles', 'relax_pressure'],
    bindings: ['sweep', 'floors', 'divergence', 'pressure'],
  },
  project: {
    entryPoint: 'project_wind',
    files: ['scene', 'cells', 'obstacles', 'project_wind'],
    bindings: ['wind', 'floors', 'pressure'],
  },
  move: {
    entryPoint: 'move_flakes',
    files: ['scene', 'cells', 'wind_at', 'flakes', 'move_flakes'],
    bindings: ['flakes', 'wind', 'heights', 'landed'],
  },
  key: {
    entryPoint: 'key_flakes',
    files: ['scene', 'flakes', 'camera', 'key_flakes'],
    bindings: ['flakes', 'keys', 'numbers'],
  },
  draw: {
    entryPoint: 'draw_picture',
    files: ['scene', 'flakes', 'camera', 'landscape', 'draw_picture'],
    bindings: ['palette', 'flakes', 'keys', 'numbers', 'heights', 'terrain', 'planes'],
  },
} as const satisfies Record<string, SnowPass>;

export type SnowPassName = keyof typeof SNOW_PASSES;

/** The numbers of a film that shaders have as `override` constants, with the type of each. */
export const OVERRIDE_TYPES = {
  width: 'u32',
  height: 'u32',
  codedWidth: 'u32',
  codedHeight: 'u32',
  tilesX: 'u32',
  tilesY: 'u32',
  seed: 'u32',
  flakes: 'u32',
  gridX: 'u32',
  gridY: 'u32',
  gridZ: 'u32',
  columnsX: 'u32',
  columnsZ: 'u32',
  stepSeconds: 'f32',
  drive: 'f32',
  gravity: 'f32',
  turnStep: 'u32',
  unitHeight: 'f32',
  maxGround: 'f32',
  flakeRadius: 'f32',
  eyeX: 'f32',
  eyeY: 'f32',
  eyeZ: 'f32',
  focal: 'f32',
  horizon: 'f32',
  far: 'f32',
} as const satisfies Record<keyof SceneNumbers, 'u32' | 'f32'>;

/** The name of a number in shaders: `gridX` is GRID_X. */
export function overrideName(number: string): string {
  return number.replace(/[A-Z]/g, capital => `_${capital}`).toUpperCase();
}
