// Makes the commands of commander from the tables of commands and flags.
import { type Command, type Help, Option } from 'commander';
import { COMMAND_GROUPS, COMMANDS } from './command-table.js';
import type { CommandName } from './flag-row.js';
import { defaultInWords, type Flag, flagsOf, flagTerm, refusedFlagsOf } from './flag-table.js';
import { parseFlag } from './flag-values.js';
import { legalToolValues, TOOL_FLAGS } from './tool-flags.js';

/** Adds the name of a command to the program; `addFlags` adds what may stand after it. */
export function addCommand(program: Command, name: CommandName): Command {
  const [own = name, group] = name.split(' ').reverse();
  const { meaning } = COMMANDS[name];
  return (group === undefined ? program : groupOf(program, group)).command(own).description(meaning);
}

/** Adds the arguments and the flags of a command. */
export function addFlags(command: Command, name: CommandName): void {
  for (const argument of COMMANDS[name].arguments) command.argument(argument.term, argument.meaning);
  for (const { title, flags } of flagsOf(name)) {
    for (const option of flags.flatMap(commanderOptions)) command.addOption(option.helpGroup(`${title}:`));
    if (flags.some(flag => flag.name === 'tool')) {
      command.addHelpText('after', () => toolHelp(command.createHelp(), command));
    }
  }
  for (const option of refusedFlagsOf(name).flatMap(commanderOptions)) command.addOption(option.hideHelp());
}

/** The command that has others below it, such as `farm`. */
function groupOf(program: Command, name: string): Command {
  const { [name]: meaning = name } = COMMAND_GROUPS;
  return program.commands.find(command => command.name() === name) ?? program.command(name).description(meaning);
}

/** The option of commander for a flag, and the one for its `--no-...` form. */
function commanderOptions(flag: Flag): Option[] {
  const { name, values, negation, meaning, isRequired } = flag;
  const defaultValue = defaultInWords(flag);
  const help = defaultValue === undefined ? meaning : `${meaning} (default: ${defaultValue})`;
  const option = new Option(flagTerm(flag), help);
  if (values) option.argParser((text: string, earlier: unknown) => parseFlag(name, values, text, earlier));
  if (isRequired) option.makeOptionMandatory();
  return negation === undefined ? [option] : [option, new Option(`--no-${name}`, negation)];
}

/** The list of coding tools at the end of `--help`. */
function toolHelp(help: Help, command: Command): string {
  const terms = TOOL_FLAGS.map(tool => `${tool.name}=${legalToolValues(tool)}`);
  const termWidth = Math.max(...terms.map(term => term.length));
  help.prepareContext({ helpWidth: command.configureOutput().getOutHelpWidth?.() ?? 80 });
  const items = TOOL_FLAGS.map((tool, i) => help.formatItem(terms[i]!, termWidth, tool.meaning, help));
  return ['', 'Values of --tool (default: by preset):', ...items].join('\n');
}
