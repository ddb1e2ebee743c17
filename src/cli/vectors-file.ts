import type { VectorReport } from '../encoder/report/picture-report.js';
import { OutputFile, type OutputOptions } from '../media/output/output-file.js';
import type { PendingOutput } from './output-set.js';

/** The vectors that the coder chose, a line of JSON per coded picture, in half-pels. */
export class VectorsFile implements PendingOutput {
  readonly #file: OutputFile;
  readonly #encoder = new TextEncoder();

  private constructor(file: OutputFile) {
    this.#file = file;
  }

  /** Opens `path` as `OutputFile.open` does, with its errors. */
  static async open(path: string, options: OutputOptions): Promise<VectorsFile> {
    return new VectorsFile(await OutputFile.open(path, options));
  }

  write(report: VectorReport): Promise<void> {
    return this.#file.write(this.#encoder.encode(`${JSON.stringify(report)}\n`));
  }

  finish(): Promise<void> {
    return this.#file.finish();
  }

  keepPartial(): Promise<string> {
    return this.#file.keepPartial();
  }

  discard(): Promise<void> {
    return this.#file.discard();
  }
}
