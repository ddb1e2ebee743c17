// Writes a stream to standard output.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import type { PendingOutput } from '../../encode-files/output-set.js';
import { OptionError } from '../../errors.js';
import type { ContainerWriter } from '../../media/containers/container-writer.js';
import { ElementaryStreamWriter } from '../../media/containers/elementary-stream.js';
import { writeStandardOutput } from '../standard-output.js';

/** A stream without sound on standard output. It is written at once, so nothing is discarded. */
export class StdoutWriter implements PendingOutput {
  readonly #container: ContainerWriter;

  /** By default the elementary stream. Throws an OptionError if standard output is a terminal. */
  constructor(container: ContainerWriter = new ElementaryStreamWriter()) {
    this.#container = container;
    if (process.stdout.isTTY) {
      throw new OptionError(
        'output',
        '-o - writes a video, and standard output is a terminal: pipe it, or name a file',
      );
    }
  }

  readonly place = undefined;
  readonly soundFrames = 0;

  async write(unit: AccessUnit): Promise<void> {
    for (const part of this.#container.write(unit)) await writeStandardOutput(part);
  }

  async complete(): Promise<void> {
    for (const part of this.#container.end()) await writeStandardOutput(part);
  }

  async discard(): Promise<void> {}
}
