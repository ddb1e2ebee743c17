// Writes to standard output, and says so when that fails.
import { fstatSync, write } from 'node:fs';
import { promisify } from 'node:util';
import { OptionError, OutputError } from '../errors.js';
import { systemReason } from '../media/system-error.js';
import { BrokenPipe } from './failure.js';

/**
 * Writes to standard output. Resolves when the system has taken everything. Throws BrokenPipe if the reader has closed
 * it, an OutputError for any other failure, such as a full disk.
 */
export async function writeStandardOutput(data: string | Uint8Array): Promise<void> {
  const { stdout } = process;
  // Node's stream for a file takes it for success if a part was written, as at the end of a disk.
  const isFile = stdout.fd !== undefined && fstatSync(stdout.fd).isFile();
  try {
    if (isFile) await writeWhole(stdout.fd, Buffer.from(data as Uint8Array));
    else await new Promise<void>((resolve, reject) => stdout.write(data, error => (error ? reject(error) : resolve())));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EPIPE') throw new BrokenPipe((error as Error).message);
    throw new OutputError(`standard output cannot be written: ${systemReason(error)}`, { cause: error });
  }
}

/** Pictures of a report that are written at a time: what days of video have is longer than a string can be. */
const PICTURES_AT_A_TIME = 100_000;

/** Writes the report of a video to standard output as JSON; its last key is `pictures`. Throws as the above. */
export async function writeReport(report: object, pictures: readonly object[]): Promise<void> {
  const whole = JSON.stringify({ ...report, pictures: [] });
  await writeStandardOutput(whole.slice(0, -']}'.length));
  for (let i = 0; i < pictures.length; i += PICTURES_AT_A_TIME) {
    const some = JSON.stringify(pictures.slice(i, i + PICTURES_AT_A_TIME)).slice(1, -1);
    await writeStandardOutput(i === 0 ? some : `,${some}`);
  }
  await writeStandardOutput(']}\n');
}

/** Throws an OptionError if the video and the report both go to standard output. */
export function checkStandardOutput({ json, output }: { readonly json?: boolean; readonly output: string }): void {
  if (json && output === '-') throw new OptionError('json', '--json and -o - both want standard output: choose one');
}

async function writeWhole(file: number, bytes: Buffer): Promise<void> {
  for (let written = 0; written < bytes.length; ) {
    written += (await promisify(write)(file, bytes, written)).bytesWritten;
  }
}
