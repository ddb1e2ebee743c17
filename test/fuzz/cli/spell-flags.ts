// Spells options of the encoder as flags of the command line.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { flagName } from '../../../src/cli/flags/flag-row.js';
import { ENCODER_FLAGS } from '../../../src/cli/flags/flag-table.js';
import type { RandomOptions } from '../encode/option-arbitraries.js';

/** The arguments for options; those that no flag sets are left out. Matrices are written into `folder`. */
export function spellFlags(options: Partial<RandomOptions>, folder: string): string[] {
  const args = options.frameRate === undefined ? [] : ['--fps', spellRate(options.frameRate)];
  const given: Readonly<Record<string, unknown>> = { ...options };
  for (const [flag, row] of Object.entries(ENCODER_FLAGS)) {
    const value = 'option' in row ? given[row.option] : undefined;
    if (value !== undefined) args.push(...spellFlag(flagName(flag), value, folder));
  }
  return args;
}

function spellFlag(flag: string, value: unknown, folder: string): string[] {
  if (typeof value === 'boolean') return value ? [`--${flag}`] : flag === 'open-gop' ? [`--no-${flag}`] : [];
  if (Array.isArray(value)) {
    const file = `${flag}.txt`;
    writeFileSync(join(folder, file), value.join(' '));
    return [`--${flag}`, file];
  }
  if (flag === 'tool')
    return Object.entries(value as object).flatMap(([tool, set]) => ['--tool', spellTool(tool, set)]);
  if (flag === 'range' && typeof value === 'object') {
    const { x, y } = value as { x: number; y: number };
    return [`--${flag}`, `${x}x${y}`];
  }
  return [`--${flag}`, String(value)];
}

function spellTool(tool: string, value: unknown): string {
  return `${flagName(tool)}=${typeof value === 'boolean' ? (value ? 'on' : 'off') : value}`;
}

function spellRate(rate: RandomOptions['frameRate']): string {
  return typeof rate === 'number' ? String(rate) : `${rate.numerator}/${rate.denominator}`;
}
