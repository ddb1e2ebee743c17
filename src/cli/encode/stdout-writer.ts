// Writes the elementary stream to standard output.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import type { PendingOutput } from '../../encode-files/output-set.js';
import { OptionError } from '../../errors.js';
import { writeStandardOutput } from '../standard-output.js';

/** The elementary stream on standard output. It is written at once, so nothing is completed or discarded. */
export class StdoutWriter implements PendingOutput {
  /** Throws an OptionError if standard output is a terminal. */
  constructor() {
    if (process.stdout.isTTY) {
      throw new OptionError(
        'output',
        '-o - writes a video, and standard output is a terminal: pipe it, or name a file',
      );
    }
  }

  readonly place = undefined;
  /** The elementary stream has no place for sound. */
  readonly soundFrames = 0;

  write({ data }: AccessUnit): Promise<void> {
    return writeStandardOutput(data);
  }

  async complete(): Promise<void> {}

  async discard(): Promise<void> {}
}
