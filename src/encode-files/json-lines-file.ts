// A file with a line of JSON per picture or per pair of frames.
import { OutputFile } from '../media/output/output-file.js';
import type { OutputOptions, OutputPlace } from '../media/output/output-place.js';
import type { PendingOutput } from './output-set.js';

/** Takes objects, one after another, and writes a line of JSON for each. */
export class JsonLinesFile<Entry extends object> implements PendingOutput {
  readonly #file: OutputFile;
  readonly #encoder = new TextEncoder();

  private constructor(file: OutputFile) {
    this.#file = file;
  }

  /** Opens `path` as `OutputFile.open` does, with its errors. */
  static async open<Entry extends object>(path: string, options: OutputOptions): Promise<JsonLinesFile<Entry>> {
    return new JsonLinesFile<Entry>(await OutputFile.open(path, options));
  }

  write(entry: Entry): Promise<void> {
    return this.#file.write(this.#encoder.encode(`${JSON.stringify(entry)}\n`));
  }

  get place(): OutputPlace {
    return this.#file.place;
  }

  complete(): Promise<void> {
    return this.#file.complete();
  }

  discard(): Promise<void> {
    return this.#file.discard();
  }
}
