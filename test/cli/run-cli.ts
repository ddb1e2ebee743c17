// Runs the command line for tests: the built one in a process of its own, or its source in this process.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { constants } from 'node:os';
import { fileURLToPath } from 'node:url';
import { runCommandLine } from '../../src/cli/command-line.js';

/** The built command line: what users run. */
export const CLI = fileURLToPath(new URL('../../dist/package/mpegpu.js', import.meta.url));

/** How a run of the command line ended. */
export interface CliRun {
  /** As a shell reports it: 128 and the number of the signal, of a process that one has ended. */
  readonly status: number;
  readonly stdout: Buffer;
  readonly stderr: string;
}

/** Where and with what the command line runs. */
export interface CliSetting {
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
  /** Arguments of node itself. */
  readonly nodeArgs?: readonly string[];
  /** Whether it finds the tests' software GPU. `auto` never takes one, but asks its driver, in 0.25 s. */
  readonly softwareGpu?: boolean;
}

/** Starts `mpegpu`; its standard input is open. */
export function startCli(args: readonly string[], setting: CliSetting): ChildProcessWithoutNullStreams {
  const { VK_ICD_FILENAMES: driver, ...others } = process.env;
  const env = { ...others, ...(setting.softwareGpu && driver ? { VK_ICD_FILENAMES: driver } : {}), ...setting.env };
  return spawn(process.execPath, [...(setting.nodeArgs ?? []), CLI, ...args], { cwd: setting.cwd, env });
}

/** What a started `mpegpu` writes until it ends. */
export function outcomeOf(child: ChildProcessWithoutNullStreams): Promise<CliRun> {
  const stdout: Buffer[] = [];
  let stderr = '';
  child.stdout.on('data', bytes => stdout.push(bytes));
  child.stderr.on('data', bytes => {
    stderr += bytes;
  });
  return new Promise((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code, signal) => {
      const status = code ?? 128 + constants.signals[signal!];
      resolve({ status, stdout: Buffer.concat(stdout), stderr });
    });
  });
}

/** Runs `mpegpu` to its end with `input` on its standard input. */
export function runCli(
  args: readonly string[],
  setting: CliSetting,
  input: Uint8Array = Buffer.alloc(0),
): Promise<CliRun> {
  const child = startCli(args, setting);
  child.stdin.on('error', () => {}); // it need not read everything
  child.stdin.end(input);
  return outcomeOf(child);
}

/**
 * Runs the command line in this process, which takes a tenth of the time that a process of its own takes to start, and
 * without the software GPU. For what needs neither standard input nor signals, and where the exit status is what
 * `runCommandLine` resolves to.
 */
export async function runCliHere(args: readonly string[], { cwd }: { readonly cwd: string }): Promise<CliRun> {
  const stdout: Buffer[] = [];
  let stderr = '';
  const home = process.cwd();
  const restore = [
    replaceWrite(process.stdout, bytes => stdout.push(bytes)),
    replaceWrite(process.stderr, bytes => {
      stderr += bytes.toString();
    }),
  ];
  restore.push(hideSoftwareGpu());
  process.chdir(cwd);
  try {
    const status = await runCommandLine(args);
    return { status, stdout: Buffer.concat(stdout), stderr };
  } finally {
    process.chdir(home);
    for (const undo of restore) undo();
  }
}

/** Takes the software GPU's driver out of the environment. Returns what puts it back. */
function hideSoftwareGpu(): () => void {
  const { VK_ICD_FILENAMES: driver } = process.env;
  delete process.env.VK_ICD_FILENAMES;
  return () => {
    if (driver !== undefined) process.env.VK_ICD_FILENAMES = driver;
  };
}

/** Sends what is written to a stream elsewhere. Returns what takes that back, and the listeners that came meanwhile. */
function replaceWrite(stream: NodeJS.WriteStream, write: (bytes: Buffer) => void): () => void {
  const usual = stream.write;
  const listeners = stream.listeners('error');
  stream.write = (bytes: Uint8Array | string, ...rest: unknown[]) => {
    write(Buffer.from(bytes as string));
    const done = rest.find(argument => typeof argument === 'function');
    if (done) queueMicrotask(() => done());
    return true;
  };
  return () => {
    stream.write = usual;
    for (const listener of stream.listeners('error')) {
      if (!listeners.includes(listener)) stream.off('error', listener as () => void);
    }
  };
}

/**
 * Runs `mpegpu encode ... --json` where all must go well, in this process if that is enough; returns its report.
 */
export async function encodeJson(
  args: readonly string[],
  setting: CliSetting,
  input?: Uint8Array,
): Promise<EncodeJson> {
  const line = ['encode', ...args, '--json'];
  const needsProcess = input !== undefined || setting.env !== undefined || setting.nodeArgs !== undefined;
  const { status, stdout, stderr } = await (needsProcess ? runCli(line, setting, input) : runCliHere(line, setting));
  if (status !== 0) throw new Error(`mpegpu encode ${args.join(' ')}: status ${status}: ${stderr}`);
  return JSON.parse(stdout.toString()) as EncodeJson;
}

/** The report that scripts rely on. */
export interface EncodeJson {
  readonly frames: number;
  readonly width: number;
  readonly height: number;
  readonly bits: number;
  readonly seconds: number;
  readonly fps: number;
  readonly psnr: { readonly y: number; readonly u: number; readonly v: number; readonly all: number };
  readonly estimator: string;
  readonly device: string;
  readonly threads: number;
  readonly motion: { readonly waitMs: number; readonly busyMs: number; readonly pictures: number };
  readonly pictures: readonly {
    readonly frame: number;
    readonly type: string;
    readonly bits: number;
    readonly q: number;
    readonly psnrY: number;
  }[];
}

/** Everything in a folder, hidden files included. */
export function listing(folder: string): string[] {
  return readdirSync(folder).sort();
}
