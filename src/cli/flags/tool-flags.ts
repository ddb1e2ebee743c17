// `--tool NAME=VALUE`: sets one coding tool differently from the preset.
import type { OptionValues } from '../../encoder/settings/option-values.js';
import { TOOLS } from '../../encoder/settings/presets.js';
import { TOOL_NAMES, type ToolSwitches } from '../../encoder/settings/tool-switches.js';
import { OptionError } from '../../errors.js';
import { suggestion } from '../../nearest-name.js';
import { flagName } from './flag-row.js';
import { type FlagValues, plain } from './flag-values.js';

/** A coding tool as the command line spells it. */
export interface ToolFlag {
  readonly name: string;
  readonly tool: keyof ToolSwitches;
  readonly values: OptionValues;
  readonly meaning: string;
}

/** The coding tools that `--tool` may name. */
export const TOOL_FLAGS: readonly ToolFlag[] = TOOL_NAMES.map(tool => ({
  name: flagName(tool),
  tool,
  values: TOOLS[tool].values,
  meaning: TOOLS[tool].meaning,
}));

/** Old names of tools, which still work. */
const FORMER_NAMES: Readonly<Record<string, keyof ToolSwitches>> = {
  'coded-vectors': 'rdVectorCandidates',
  'scale-steps': 'quantizerSearchRadius',
  'search-b-pictures': 'bPictureMotion',
};

/** Tools with their values. A tool that is named again takes the later value. */
export const TOOL_SWITCHES: FlagValues<ToolSwitches> = {
  placeholder: 'name=value',
  legal: 'NAME=VALUE, such as trellis=none',
  parse: (text, earlier) => ({ ...earlier, ...parseTool(text) }),
};

/** The values of a tool: 'on|off', 'none|chosen|all' or '1..64'. */
export function legalToolValues({ values }: Pick<ToolFlag, 'values'>): string {
  return plain(values).placeholder;
}

function parseTool(text: string): ToolSwitches {
  const [, name = '', value] = /^([^=]*)=?(.*)$/s.exec(text) ?? [];
  const flag = TOOL_FLAGS.find(known => known.name === name || known.tool === FORMER_NAMES[name]);
  if (flag === undefined) {
    const names = TOOL_FLAGS.map(known => known.name).join(', ');
    const nearest = suggestion(
      name,
      TOOL_FLAGS.map(known => known.name),
    );
    throw new OptionError('tool', `--tool '${name}' does not exist${nearest}; legal: ${names}`);
  }
  const legal = legalToolValues(flag).replaceAll('|', ', ');
  if (!value) throw new OptionError('tool', `--tool ${name} needs a value: ${name}=${legal}`);
  const parsed = parseToolValue(value, flag);
  if (parsed === undefined) {
    const nearest = suggestion(value, plain(flag.values).names ?? []);
    throw new OptionError('tool', `--tool ${name} is '${value}'${nearest}; legal: ${legal}`);
  }
  return { [flag.tool]: parsed };
}

function parseToolValue(value: string, { values }: ToolFlag): unknown {
  if (values.kind !== 'switch') return plain(values).parse(value);
  return value === 'on' ? true : value === 'off' ? false : undefined;
}
