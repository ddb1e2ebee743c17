import { OptionError } from '../../errors.js';
import type { CodingTools } from './presets.js';

/** Coding tools to be set otherwise than the preset has them; those that options of their own set are left out. */
export type ToolSwitches = Partial<Omit<CodingTools, 'bFrames' | 'openGop' | 'candidatesPerBlock'>>;

/** What a tool may be set to: on or off, one of some words, or a number. */
type ToolValues = 'switch' | readonly string[] | { readonly least: number; readonly greatest: number };

const TOOL_VALUES: Readonly<Record<keyof Required<ToolSwitches>, ToolValues>> = {
  rateDistortionModes: 'switch',
  earlySkips: 'switch',
  rdVectorCandidates: { least: 1, greatest: 64 },
  trellis: ['none', 'chosen', 'all'],
  quantizerSearchRadius: { least: 0, greatest: 30 },
  refinementRounds: { least: 0, greatest: 16 },
  jointRounds: { least: 0, greatest: 16 },
  directionFactor: { least: 1, greatest: 64 },
  neighbourVectors: 'switch',
  lookaheadVectors: 'switch',
  bPictureMotion: ['lookahead', 'near', 'both'],
  adaptiveTypes: 'switch',
  macroblockTree: 'switch',
};

/** The tools that have a switch, as the library names them. */
export const TOOL_NAMES = Object.keys(TOOL_VALUES) as readonly (keyof ToolSwitches)[];

/** The tools of a preset with some switched otherwise. Throws OptionError for a tool or a value that does not exist. */
export function switchTools(preset: CodingTools, switches: ToolSwitches): CodingTools {
  for (const [name, value] of Object.entries(switches)) {
    const legal = Object.hasOwn(TOOL_VALUES, name) ? TOOL_VALUES[name as keyof ToolSwitches] : undefined;
    if (legal === undefined) {
      throw new OptionError('tools', `tool '${name}' does not exist; legal: ${TOOL_NAMES.join(', ')}`);
    }
    if (!isLegal(value, legal)) {
      throw new OptionError('tools', `tool ${name} cannot be ${String(value)}; legal: ${legalToolValues(name)}`);
    }
  }
  return { ...preset, ...switches };
}

/** What a tool may be set to, in words: 'on, off', 'none, chosen, all' or '1..64'. */
export function legalToolValues(name: string): string {
  const legal = TOOL_VALUES[name as keyof ToolSwitches];
  if (legal === 'switch') return 'on, off';
  return 'least' in legal ? `${legal.least}..${legal.greatest}` : legal.join(', ');
}

function isLegal(value: unknown, legal: ToolValues): boolean {
  if (legal === 'switch') return typeof value === 'boolean';
  if (!('least' in legal)) return legal.some(word => word === value);
  return Number.isInteger(value) && (value as number) >= legal.least && (value as number) <= legal.greatest;
}
