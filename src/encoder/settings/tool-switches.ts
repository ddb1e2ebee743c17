// Sets single coding tools differently from the preset.
import { checkValue, unknownWord } from './option-values.js';
import { type CodingTools, TOOLS } from './presets.js';

type ToolWithOwnOption = {
  [Tool in keyof CodingTools]: (typeof TOOLS)[Tool] extends { readonly ownOption: string } ? Tool : never;
}[keyof CodingTools];

/** Coding tools that are set differently from the preset. Tools with an option of their own are left out. */
export type ToolSwitches = {
  readonly [Tool in Exclude<keyof CodingTools, ToolWithOwnOption>]?: CodingTools[Tool] | undefined;
};

/** The tools that {@link ToolSwitches} may name. */
export const TOOL_NAMES = Object.entries(TOOLS)
  .filter(([, row]) => !('ownOption' in row))
  .map(([name]) => name) as readonly (keyof ToolSwitches)[];

/** The tools of a preset with some set differently. Throws OptionError for a tool or a value that does not exist. */
export function switchTools(preset: CodingTools, switches: ToolSwitches): CodingTools {
  const given = Object.entries(switches).filter(([, value]) => value !== undefined);
  for (const [name, value] of given) {
    const tool = TOOL_NAMES.find(known => known === name);
    if (tool === undefined) throw unknownWord('tools', name, TOOL_NAMES);
    checkValue(`tools.${tool}`, value, TOOLS[tool].values);
  }
  return { ...preset, ...(Object.fromEntries(given) as Partial<CodingTools>) };
}
