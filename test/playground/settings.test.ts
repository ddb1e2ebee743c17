// The playground's address holds its settings.
import { expect, it } from 'vitest';
import { DEFAULTS, readSettings } from '../../playground/settings.js';

it.each([
  ['?quality=63&kbits=405', { quality: 63, kbits: 405 }],
  ['?quality=0', { quality: 0 }],
  ['?quality=&kbits=&threads=', {}],
  ['?quality=+', {}],
  ['?quality=60.5&kbits=405.5', {}],
])('%s', (query, expected) => {
  expect(readSettings(query)).toEqual({ ...DEFAULTS, ...expected });
});
