// The flags for what a command writes and prints.
import { CONTAINER_EXTENSIONS } from '../../media/containers/container.js';
import type { FlagRows } from './flag-row.js';
import { anyText } from './flag-values.js';

/** The commands that encode in chunks. */
const CHUNK_COMMANDS = ['plan', 'encode-chunk', 'assemble'] as const;

export const OUTPUT_FLAGS = {
  output: {
    letter: 'o',
    values: anyText('file'),
    isRequired: true,
    meaning: `write the video; the ending chooses the container: ${CONTAINER_EXTENSIONS.join(', ')}; - is standard output`,
    commands: ['encode', 'assemble'],
  },
  recon: {
    values: anyText('file.y4m'),
    meaning: "write the encoder's reconstruction in display order: what a decoder shows, bit for bit",
    commands: ['encode'],
  },
  vectors: {
    values: anyText('file.jsonl'),
    meaning: 'write the vectors in half-pels, a line of JSON per coded picture',
    commands: ['encode'],
  },
  overwrite: {
    meaning: 'replace existing output files',
    commands: ['encode', ...CHUNK_COMMANDS, 'farm submit', 'estimate', 'locate', 'compare', 'disparity'],
  },
  json: {
    meaning: 'print one JSON object on standard output, and nothing else there',
    commands: [
      'encode',
      ...CHUNK_COMMANDS,
      'farm submit',
      'farm status',
      'farm cancel',
      'estimate',
      'locate',
      'compare',
      'disparity',
      'devices',
    ],
  },
  verbose: {
    meaning: 'also print what the graphics drivers say by themselves; without it, that is kept back',
    commands: ['devices'],
  },
  progress: {
    meaning: 'where standard error is no terminal, print a line of progress there each minute, and one at the end',
    commands: ['encode', ...CHUNK_COMMANDS, 'estimate', 'locate', 'compare'],
  },
  quiet: {
    meaning: 'print no progress and no summary',
    commands: [
      'encode',
      ...CHUNK_COMMANDS,
      'farm submit',
      'farm worker',
      'farm cancel',
      'estimate',
      'locate',
      'compare',
      'disparity',
    ],
  },
} as const satisfies FlagRows;
