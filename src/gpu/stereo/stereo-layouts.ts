// The facts that TypeScript and the shaders of semi-global matching share.
import { DISPARITY_TOLERANCE, MAX_INTERVAL_COST, OUTSIDE_COST } from '../../kernels/records/stereo-job.js';
import type { PassLayout } from '../layouts.js';

/** The struct of all passes. */
const PARAMETERS = { struct: 'StereoParameters', fields: ['width', 'height', 'range', 'p1'] } as const;

/** Directions of paths. */
export const DIRECTIONS = 8;

/** The passes in their order. */
export const STEREO_PASSES = {
  features: {
    ...PARAMETERS,
    entryPoint: 'stereo_features',
    files: ['stereo_parameters', 'stereo_features'],
    bindings: ['parameters', 'pels', 'features'],
    constants: { GROUP_PELS: 64 },
  },
  costs: {
    ...PARAMETERS,
    entryPoint: 'stereo_costs',
    files: ['stereo_parameters', 'stereo_costs'],
    bindings: ['parameters', 'features', 'costs'],
    constants: { GROUP_WORDS: 64, MAX_INTERVAL_COST, OUTSIDE_COST },
  },
  paths: {
    ...PARAMETERS,
    entryPoint: 'stereo_paths',
    files: ['stereo_parameters', 'stereo_paths'],
    bindings: ['parameters', 'features', 'costs', 'penalties', 'paths'],
    constants: {},
  },
  sums: {
    ...PARAMETERS,
    entryPoint: 'stereo_sums',
    files: ['stereo_parameters', 'stereo_sums'],
    bindings: ['parameters', 'paths', 'sums'],
    constants: { GROUP_WORDS: 64, DIRECTIONS },
  },
  selection: {
    ...PARAMETERS,
    entryPoint: 'stereo_selection',
    files: ['stereo_parameters', 'stereo_selection'],
    bindings: ['parameters', 'sums', 'disparities'],
    constants: { GROUP_PELS: 64 },
  },
  median: {
    ...PARAMETERS,
    entryPoint: 'stereo_median',
    files: ['stereo_parameters', 'stereo_median'],
    bindings: ['parameters', 'disparities', 'medians'],
    constants: { GROUP_PELS: 64 },
  },
  occlusions: {
    ...PARAMETERS,
    entryPoint: 'stereo_occlusions',
    files: ['stereo_parameters', 'stereo_occlusions'],
    bindings: ['parameters', 'medians', 'result'],
    constants: { GROUP_PELS: 64, DISPARITY_TOLERANCE },
  },
} as const satisfies Readonly<Record<string, PassLayout>>;

/** Name of a pass. */
export type StereoPassName = keyof typeof STEREO_PASSES;
