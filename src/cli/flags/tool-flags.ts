import { type Command, Option } from 'commander';
import { legalToolValues, TOOL_NAMES, type ToolSwitches } from '../../encoder/settings/tool-switches.js';
import { OptionError } from '../../errors.js';

/** What `addToolOption` leaves behind. */
export interface ToolFlags {
  readonly tool?: ToolSwitches;
}

/** `rdVectorCandidates` as the command line spells it: `rd-vector-candidates`. */
const flagName = (tool: string) => tool.replace(/[A-Z]/g, letter => `-${letter.toLowerCase()}`);

/** Names that tools had, still taken. */
const FORMER_NAMES: Readonly<Record<string, keyof ToolSwitches>> = {
  'coded-vectors': 'rdVectorCandidates',
  'scale-steps': 'quantizerSearchRadius',
  'search-b-pictures': 'bPictureMotion',
};

/** Adds `--tool`, which may be given several times. */
export function addToolOption(command: Command): Command {
  const list = TOOL_NAMES.map(tool => `${flagName(tool)} (${legalToolValues(tool)})`).join(', ');
  return command.addOption(
    new Option('--tool <name=value>', `a coding tool otherwise than by preset; may be repeated: ${list}`).argParser(
      parseTool,
    ),
  );
}

/** Adds `name=value` to the tools given so far. */
export function parseTool(text: string, before: ToolSwitches = {}): ToolSwitches {
  const [flag, value] = text.split('=', 2) as [string, string | undefined];
  const name = TOOL_NAMES.find(tool => flagName(tool) === flag) ?? FORMER_NAMES[flag];
  if (name === undefined) {
    throw new OptionError('tool', `--tool '${flag}' does not exist; legal: ${TOOL_NAMES.map(flagName).join(', ')}`);
  }
  if (!value) throw new OptionError('tool', `--tool ${flag} needs a value: ${flag}=${legalToolValues(name)}`);
  const isSwitch = legalToolValues(name) === 'on, off';
  if (isSwitch && value !== 'on' && value !== 'off') {
    throw new OptionError('tool', `--tool ${flag} is '${value}'; legal: on, off`);
  }
  return { ...before, [name]: isSwitch ? value === 'on' : /^\d+$/.test(value) ? Number(value) : value };
}
