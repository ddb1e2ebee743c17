// Asks the graphics drivers in a process of its own, and keeps what they print.
import type { AdapterReport } from './adapter-report.js';

/** Time for the drivers to answer, in seconds. */
const ANSWER_LIMIT_S = 60;

/** Argument of the process: it need not ask for other adapters than the one that a search takes. */
export const FIRST_ONLY = 'first-only';

/** Signals that end a process whose driver has a fault; others come from people. */
const CRASHES = ['SIGSEGV', 'SIGABRT', 'SIGBUS', 'SIGILL', 'SIGFPE'];

/** What the drivers answered. */
export interface DriverAnswer {
  /** The adapters; where a driver crashes or does not answer, none, with that reason. */
  readonly report: AdapterReport;
  /** What Dawn, the Vulkan loader and the drivers printed: the lines, each once. */
  readonly messages: readonly string[];
}

/** Environment variables to add. */
export type Variables = Readonly<Record<string, string>>;

/**
 * The answer of the drivers under these environment variables, with `isFirstEnough` as in `describeAdapters`. Undefined
 * where no process can be asked: outside of Linux, where drivers are not known to print, and where Node may start none.
 */
export async function askDrivers(variables: Variables = {}, isFirstEnough = false): Promise<DriverAnswer | undefined> {
  if ((globalThis as { process?: NodeJS.Process }).process?.platform !== 'linux') return undefined;
  const child = await startProcess(variables, isFirstEnough ? [FIRST_ONLY] : []);
  if (!child) return undefined;
  let report: AdapterReport | undefined;
  let printed = '';
  const reported = new Promise<void>(resolve => {
    child.on('message', message => {
      report = message as unknown as AdapterReport;
      // Drivers take long to end.
      child.kill('SIGKILL');
      resolve();
    });
  });
  const streamsEnded = [child.stdout, child.stderr].map(
    stream =>
      new Promise<void>(resolve => {
        stream?.setEncoding('utf8').on('data', text => {
          printed += text;
        });
        stream?.on('end', resolve);
      }),
  );
  let isLate = false;
  const timer = setTimeout(() => {
    isLate = child.kill('SIGKILL');
  }, 1000 * ANSWER_LIMIT_S);
  const ended = new Promise<string | null>(resolve => {
    child.on('error', () => resolve(null));
    child.on('close', (_, signal) => resolve(signal));
  });
  // With a report, it need not have ended.
  const signal = await Promise.race([ended, Promise.all([reported, ...streamsEnded]).then(() => null)]);
  clearTimeout(timer);
  if (!report && isLate) report = noAnswer(`did not answer within ${ANSWER_LIMIT_S} s`);
  if (!report && CRASHES.includes(signal ?? '')) report = noAnswer(`end the process that asks them (${signal})`);
  return report && { report, messages: linesOf(printed) };
}

function noAnswer(what: string): AdapterReport {
  return { adapters: [], reason: `the graphics drivers ${what}; update them` };
}

async function startProcess(variables: Variables, args: readonly string[]) {
  const entry = 'driver-process.js'; // no literal in new URL(), nor in import(): bundlers for browsers look for both
  const url = new URL(import.meta.url.endsWith('.ts') ? `../../../dist/gpu/device/${entry}` : entry, import.meta.url);
  const module = 'node:child_process';
  try {
    const { fork } = (await import(module)) as typeof import('node:child_process');
    return fork(url, args, {
      env: { ...process.env, NODE_NO_WARNINGS: '1', ...variables },
      execArgv: [],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    });
  } catch {
    return undefined;
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n').map(line => line.trimEnd());
  return [...new Set(lines.filter(line => line !== ''))];
}
