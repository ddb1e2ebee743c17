// Writes the elementary stream to standard output.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { BrokenPipe } from '../failure.js';
import type { PendingOutput } from '../output-set.js';

/** The elementary stream on standard output. It is written at once, so nothing is completed or discarded. */
export class StdoutWriter implements PendingOutput {
  write({ data }: AccessUnit): Promise<void> {
    return new Promise((resolve, reject) => {
      process.stdout.write(data, error => {
        if (!error) resolve();
        else reject((error as NodeJS.ErrnoException).code === 'EPIPE' ? new BrokenPipe(error.message) : error);
      });
    });
  }

  async finish(): Promise<void> {}

  async keepPartial(): Promise<string> {
    return 'standard output';
  }

  async discard(): Promise<void> {}
}
