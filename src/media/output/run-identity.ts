// Which run of a program writes a file, and whether that run has ended.
import { createHash } from 'node:crypto';
import { readFileSync, readlinkSync } from 'node:fs';
import { hostname } from 'node:os';

/** A process among all that ever were, on any machine. */
export interface RunIdentity {
  /** The machine, or the container on it: process numbers mean something only there. */
  readonly machine: string;
  readonly pid: number;
  /** When the process was started. With it, a process that has the same number later is another one. */
  readonly start: string;
}

/** Matches what `formatRun` returns. */
export const RUN_PATTERN = '[0-9a-f]{6}-[0-9]{1,10}-[0-9a-z]{1,12}';

/** At most 30 characters, fit for the name of a file. */
export function formatRun({ machine, pid, start }: RunIdentity): string {
  return `${machine}-${pid}-${start}`;
}

/** Reads what `formatRun` has written. */
export function parseRun(text: string): RunIdentity {
  const [machine = '', pid = '', start = ''] = text.split('-');
  return { machine, pid: Number(pid), start };
}

/** This process. */
export function thisRun(): RunIdentity {
  const { pid } = process;
  // Where the system does not tell, only this process knows when it was started.
  const start = processStart(pid)?.start ?? Math.round(performance.timeOrigin).toString(36);
  return { machine: machineMark(), pid, start };
}

/** Whether a run has ended; undefined if that cannot be known here. */
export function hasEnded(run: RunIdentity): boolean | undefined {
  const own = thisRun();
  if (formatRun(run) === formatRun(own)) return false;
  if (run.machine !== own.machine) return undefined;
  if (run.pid === own.pid || !processExists(run.pid)) return true;
  const found = processStart(run.pid);
  return found && (found.isZombie || found.start !== run.start);
}

function processExists(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code !== 'ESRCH'; // a process of another user may not be asked
  }
}

/** When a process was started, in ticks since the system's start; undefined where the system does not tell (/proc). */
function processStart(pid: number): { start: string; isZombie: boolean } | undefined {
  try {
    const status = readFileSync(`/proc/${pid}/stat`, 'latin1');
    // The name of the program, in parentheses, may hold anything. Fields 3, state, and 22, starttime, follow it.
    const fields = status.slice(status.lastIndexOf(')') + 2).split(' ');
    return { start: Number(fields[19]).toString(36), isZombie: fields[0] === 'Z' };
  } catch {
    return undefined;
  }
}

function machineMark(): string {
  return createHash('sha256').update(`${hostname()} ${processNamespace()}`).digest('hex').slice(0, 6);
}

/** Containers count their processes each for itself. */
function processNamespace(): string {
  try {
    return readlinkSync('/proc/self/ns/pid');
  } catch {
    return '';
  }
}
