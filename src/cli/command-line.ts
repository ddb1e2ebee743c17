// `mpegpu`: runs the command that the arguments name.
import { existsSync } from 'node:fs';
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { COMMAND_ACTIONS } from './command-actions.js';
import { exitStatusOf, reportFailure, UsageError } from './failure.js';
import { addCommand, addFlags } from './flags/add-flags.js';
import { COMMANDS } from './flags/command-table.js';
import type { CommandName } from './flags/flag-row.js';
import { flagsOf } from './flags/flag-table.js';
import { writeStandardOutput } from './standard-output.js';

/** Runs `mpegpu` with the arguments that follow its name; resolves to the exit status. Never rejects. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // `writeStandardOutput` gets the error of each write. When standard error fails, there is nobody to tell.
  for (const stream of [process.stdout, process.stderr]) {
    if (!stream.listeners('error').includes(ignore)) stream.on('error', ignore);
  }
  // Commander's own `help` takes one word, and `farm submit` has two.
  const words = args[0] === 'help' && args.length > 2 ? [...args.slice(1), '--help'] : args;
  try {
    const help: string[] = [];
    await runProgram(
      createProgram(text => help.push(text), words),
      words,
    );
    if (help.length > 0) await writeStandardOutput(help.join(''));
    return 0;
  } catch (error) {
    reportFailure(error);
    return exitStatusOf(error);
  }
}

async function runProgram(program: Command, args: readonly string[]): Promise<void> {
  try {
    await program.parseAsync([...args], { from: 'user' });
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    if (error.exitCode !== 0) throw usageError(error); // 0: --help and --version
  }
}

/**
 * The program with all its commands. Errors are thrown, not printed; `writeOut` takes the help and the version. If
 * `args` names some of the commands, only those have their arguments and flags: making all of them takes longer than
 * reading the line.
 */
export function createProgram(writeOut: (text: string) => void = () => {}, args: readonly string[] = []): Command {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const program = new Command('mpegpu')
    .description('MPEG-1 video encoder with a swappable motion estimator')
    .version(version)
    .exitOverride()
    // reportFailure prints errors, in one line.
    .configureOutput({ outputError: () => {}, writeErr: () => {}, writeOut });
  const names = Object.keys(COMMANDS) as CommandName[];
  const named = names.filter(name => name.split(' ').every(word => args.includes(word)));
  for (const name of names) {
    const command = addCommand(program, name);
    if (named.length > 0 && !named.includes(name)) continue;
    addFlags(command, name);
    command.action(async (...given) => (await COMMAND_ACTIONS[name]())(...(given as unknown as never[])));
  }
  return program;
}

/** What would be right, by commander's code of an error. */
const HINTS: Readonly<Record<string, ((message: string) => string) | undefined>> = {
  'commander.excessArguments': message =>
    /Expected 0/.test(message) ? '' : ' Quote a pattern, so that the shell leaves it alone.',
  'commander.unknownCommand': () => `; legal: ${Object.keys(COMMANDS).join(', ')}`,
  'commander.unknownOption': message => {
    if (/Did you mean/.test(message)) return '';
    const name = /'(.*)'/.exec(message)?.[1] ?? '';
    if (isFlag(`-${name}`)) return `; did you mean -${name}?`;
    return existsSync(name) ? `; for the file of this name, write ./${name}` : '; --help lists the options';
  },
  'commander.missingArgument': () => ': see --help',
};

/** Whether a command has a flag that is written so. */
function isFlag(text: string): boolean {
  const groups = Object.keys(COMMANDS).flatMap(name => flagsOf(name as CommandName));
  return groups.some(({ flags }) => flags.some(({ name }) => `--${name}` === text));
}

/** An error of commander in our own form: one line without its prefix, and what would be right. */
function usageError({ code, message }: CommanderError): UsageError {
  if (code === 'commander.help') {
    return new UsageError(`a command is needed: ${Object.keys(COMMANDS).join(', ')} (see mpegpu --help)`);
  }
  const hint = HINTS[code]?.(message) ?? '';
  const line = message.replace(/^error: /, '').replace(/\s*\n\s*/g, ' ');
  return new UsageError(`${line}${hint}`);
}

function ignore(): void {}
