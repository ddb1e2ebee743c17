// `mpegpu`: runs the command that the arguments name.
import { createRequire } from 'node:module';
import { Command, CommanderError } from 'commander';
import { addCompareCommand } from './compare/compare-command.js';
import { addDevicesCommand } from './devices/devices-command.js';
import { addEncodeCommand } from './encode/encode-command.js';
import { addEstimateCommand } from './estimate/estimate-command.js';
import { exitStatusOf, reportFailure, UsageError } from './failure.js';
import { COMMANDS } from './flags/command-table.js';

/** Runs `mpegpu` with the arguments that follow its name; resolves to the exit status. Never rejects. */
export async function runCommandLine(args: readonly string[]): Promise<number> {
  // A reader of our output may stop reading: that is no reason for a stack trace.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
  });
  try {
    await createProgram().parseAsync([...args], { from: 'user' });
    return 0;
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return 0; // --help and --version
    const failure = error instanceof CommanderError ? usageError(error) : error;
    reportFailure(failure);
    return exitStatusOf(failure);
  }
}

/** The program with all its commands. Errors are thrown, not printed. */
export function createProgram(): Command {
  const { version } = createRequire(import.meta.url)('../../package.json') as { version: string };
  const program = new Command('mpegpu')
    .description('MPEG-1 video encoder with a swappable motion estimator')
    .version(version)
    .exitOverride()
    // reportFailure prints errors, in one line.
    .configureOutput({ outputError: () => {}, writeErr: () => {} });
  addEncodeCommand(program);
  addEstimateCommand(program);
  addCompareCommand(program);
  addDevicesCommand(program);
  return program;
}

/** An error of commander in our own form: one line without its prefix, and what would be right. */
function usageError({ code, message }: CommanderError): UsageError {
  if (code === 'commander.help') {
    return new UsageError(`a command is needed: ${Object.keys(COMMANDS).join(', ')} (see mpegpu --help)`);
  }
  const hint = code === 'commander.excessArguments' ? ' Quote a pattern, so that the shell leaves it alone.' : '';
  return new UsageError(`${message.replace(/^error: /, '')}${hint}`);
}
