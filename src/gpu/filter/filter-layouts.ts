// The pass of the temporal filter: what TypeScript shares with its shader, see ../layouts.ts.
import { MAX_FILTER_REFERENCES } from '../../kernels/records/picture-planes.js';
import type { PassLayout } from '../layouts.js';

/** A plane of luma, filtered along its motion. */
export const FILTER_LUMA = {
  entryPoint: 'filter_luma',
  files: ['pels', 'filter_luma'],
  bindings: ['parameters', 'current', 'reference0', 'reference1', 'reference2', 'reference3', 'vectors', 'filtered'],
  struct: 'FilterParameters',
  fields: [
    'mbWidth',
    'mbHeight',
    'count',
    'reversed',
    'pelLimit',
    'pelFactor',
    'pelSquare',
    'maxSquares',
    'strength0',
    'strength1',
    'strength2',
    'strength3',
  ],
  constants: { MAX_REFERENCES: MAX_FILTER_REFERENCES },
} as const satisfies PassLayout;
