// A folder of output files.
import { mkdir, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { OptionError } from '../errors.js';
import { flushFolder } from '../media/output/flush.js';
import { removeLeftoversIn } from '../media/output/leftovers.js';
import { OutputFile } from '../media/output/output-file.js';
import type { OutputOptions } from '../media/output/output-place.js';
import { systemReason } from '../media/system-error.js';

/** A folder that receives files. Each file appears when it is complete. */
export class OutputFolder {
  private constructor(
    readonly path: string,
    readonly options: OutputOptions,
  ) {}

  /** Makes the folder if it is missing. Throws an OptionError `output` if its parent is missing or it is a file. */
  static async open(path: string, options: OutputOptions): Promise<OutputFolder> {
    const found = await stat(path).catch(() => undefined);
    if (found && !found.isDirectory()) throw new OptionError('output', `output ${path} is a file: a folder is needed`);
    if (!found) {
      await mkdir(path).catch((error: NodeJS.ErrnoException) => {
        const reason = error.code === 'ENOENT' ? `no such folder: ${dirname(path)}` : systemReason(error);
        throw new OptionError('output', `output folder ${path} cannot be made: ${reason}`);
      });
      flushFolder(dirname(path));
    }
    const { onLeftover, ...ofFiles } = options;
    if (onLeftover) await removeLeftoversIn(path, onLeftover);
    return new OutputFolder(path, ofFiles);
  }

  /** Writes a file into the folder. Throws the errors of `OutputFile.open`. */
  async write(name: string, bytes: Uint8Array): Promise<void> {
    const file = await OutputFile.open(join(this.path, name), this.options);
    try {
      await file.write(bytes);
      await file.finish();
    } finally {
      await file.discard();
    }
  }
}
