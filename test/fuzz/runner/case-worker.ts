// The process that runs cases, one after the other. It can be killed when one of them hangs.
import process from 'node:process';
import { ownPeakBytes } from '../../../bench/own-peak.mjs';
import type { CaseReply, CaseTask } from './case-messages.js';
import type { FuzzKind } from './fuzz-kind.js';
import { KINDS } from './kinds.js';

/**
 * A process that has taken more has read something whose size it did not check first. From half of it on, the next case
 * gets a new process: a software GPU keeps what it has compiled.
 */
const MAX_MEMORY_BYTES = 2 * 1024 ** 3;

/** Errors that nobody caught, since the case began. */
const uncaught: unknown[] = [];
process.on('uncaughtException', error => uncaught.push(error));
process.on('unhandledRejection', error => uncaught.push(error));
process.on('disconnect', () => process.exit());
process.on('message', task => void run(task as CaseTask).then(reply => process.send!(reply)));

async function run({ kind, given, folder }: CaseTask): Promise<CaseReply> {
  uncaught.length = 0;
  try {
    const outcome = await (KINDS[kind] as FuzzKind<unknown>).check(given, folder);
    await new Promise(setImmediate); // a rejection that nobody handles is known only then
    if (uncaught.length > 0) return { failure: `an error was not caught: ${describe(uncaught[0])}` };
    const memoryBytes = ownPeakBytes();
    if (memoryBytes > MAX_MEMORY_BYTES) return { failure: `took ${Math.round(memoryBytes / 2 ** 20)} MiB of memory` };
    return { outcome, isFull: memoryBytes > MAX_MEMORY_BYTES / 2 };
  } catch (error) {
    return { failure: describe(error) };
  }
}

/** The message of an error and the first places of its stack. */
function describe(error: unknown): string {
  return error instanceof Error ? (error.stack ?? error.message).split('\n').slice(0, 6).join('\n') : String(error);
}
