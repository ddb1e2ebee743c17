// Finds out where a report comes from: program, time, command line, input and machine.
import { stat } from 'node:fs/promises';
import { cpus } from 'node:os';
import type { Machine, ReportOrigin } from '../../compare/report/report-origin.js';
import { InputError, UnsupportedError } from '../../errors.js';
import { describeFfmpeg } from '../../media/find-ffmpeg.js';
import type { AdapterReport } from '../devices/describe-gpu.js';

/** What the command line knows. */
interface OriginJob {
  readonly version: string;
  /** The arguments after `mpegpu`. */
  readonly args: readonly string[];
  readonly input: string;
  /** As `reportDate` gives it. */
  readonly date: string;
  readonly gpu: Promise<AdapterReport>;
}

/** Characters that a shell leaves alone. */
const PLAIN_ARGUMENT = /^[\w@%+=:,./-]+$/;

/** The origin of a report that is made now. */
export async function reportOrigin({ version, args, input, date, gpu }: OriginJob): Promise<ReportOrigin> {
  const file = await stat(input).catch(() => undefined);
  return {
    version,
    date,
    commandLine: ['mpegpu', ...args].map(quoteArgument).join(' '),
    inputBytes: file?.isFile() ? file.size : null,
    machine: await describeMachine(await gpu),
  };
}

/** An argument as a POSIX shell takes it. */
function quoteArgument(argument: string): string {
  return PLAIN_ARGUMENT.test(argument) ? argument : `'${argument.replaceAll("'", `'\\''`)}'`;
}

/**
 * The time in whole seconds, or that of SOURCE_DATE_EPOCH, with which reports can be made again byte for byte. Throws
 * an InputError if that is no time.
 */
export function reportDate(): string {
  const { SOURCE_DATE_EPOCH: epoch } = process.env;
  if (epoch === undefined || epoch === '') return isoSeconds(Date.now());
  const time = /^\d{1,12}$/.test(epoch) ? new Date(1000 * Number(epoch)) : undefined;
  if (time === undefined || Number.isNaN(time.getTime())) {
    throw new InputError(
      `SOURCE_DATE_EPOCH is '${epoch}': it must be a time in seconds since 1970, such as 1767225600`,
    );
  }
  return isoSeconds(time.getTime());
}

function isoSeconds(timeMs: number): string {
  return new Date(timeMs).toISOString().replace(/\.\d+Z$/, 'Z');
}

async function describeMachine({ adapters }: AdapterReport): Promise<Machine> {
  const processors = cpus();
  const names = adapters.map(({ name, software }) => (software ? `${name} (software)` : name));
  return {
    cpu: processors[0]?.model.trim() ?? 'unknown',
    threads: processors.length,
    node: process.version,
    gpu: names.length === 0 ? null : names.join(', '),
    ffmpeg: await ffmpegVersion(),
  };
}

/** The bare version, without the copyright that follows it. */
async function ffmpegVersion(): Promise<string | null> {
  try {
    const { version } = await describeFfmpeg();
    return /^ffmpeg version (\S+)/.exec(version)?.[1] ?? version;
  } catch (error) {
    if (error instanceof UnsupportedError) return null;
    throw error;
  }
}
