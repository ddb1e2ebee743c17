// `mpegpu farm`: its commands.
import type { Command } from 'commander';
import { addCommand } from '../flags/add-flags.js';
import type { FlagsOf } from '../flags/flag-table.js';
import { runCancel, runStatus } from './job-commands.js';
import { runSubmit } from './submit-command.js';
import { runFarmUp } from './up-command.js';
import { runFarmWorker } from './worker-command.js';

/** Adds `mpegpu farm` and its commands to the program. */
export function addFarmCommands(program: Command): void {
  addCommand(program, 'farm submit').action((input: string, flags: FlagsOf<'farm submit'>) => runSubmit(input, flags));
  addCommand(program, 'farm worker').action((flags: FlagsOf<'farm worker'>) => runFarmWorker(flags));
  addCommand(program, 'farm status').action((job: string | undefined, flags: FlagsOf<'farm status'>) =>
    runStatus(job, flags),
  );
  addCommand(program, 'farm cancel').action((job: string, flags: FlagsOf<'farm cancel'>) => runCancel(job, flags));
  addCommand(program, 'farm up').action((flags: FlagsOf<'farm up'>) => runFarmUp(flags));
}
