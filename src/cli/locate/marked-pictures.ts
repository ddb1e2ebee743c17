// The pictures that `locate` writes: outlined, or white but for the places.
import { basename, extname, join } from 'node:path';
import { encodePng } from '../../media/images/png-encoder.js';
import type { Place } from '../../pattern/best-places.js';
import { outlinePlaces, whiteOutPlaces } from '../../pattern/marked-picture.js';
import type { PelImage } from '../../pattern/pel-image.js';
import { OutputFolder } from '../output-folder.js';

/** What is drawn, and where it goes. */
export interface MarkedOutput {
  readonly outline: boolean;
  readonly whiteOut: boolean;
  /** The folder; undefined: nothing is drawn. */
  readonly folder: string | undefined;
  readonly overwrite: boolean;
  /** Called with a line about files that a killed run has left in the folder. */
  readonly onLeftover: (message: string) => void;
}

/** The folder of the drawings. It is made once a picture has been searched; each file appears when it is complete. */
export class MarkedPictures {
  readonly #files: string[] = [];
  #folder: OutputFolder | undefined;

  constructor(
    readonly output: MarkedOutput,
    readonly pattern: PelImage,
    readonly signal: AbortSignal,
  ) {}

  /** Paths of the files that were written. */
  get files(): readonly string[] {
    return this.#files;
  }

  /** Makes the folder, if one was asked for and it is not there. Throws the errors of `OutputFolder.open`. */
  async open(): Promise<void> {
    const { folder, overwrite, onLeftover } = this.output;
    if (folder === undefined) return;
    this.#folder ??= await OutputFolder.open(folder, { overwrite, onLeftover, signal: this.signal });
  }

  /** Writes what is to be drawn of a picture in which the pattern was found; `number` counts all pictures. */
  async write(
    picture: PelImage,
    places: readonly Place[],
    { path, number }: { readonly path: string; readonly number: number },
  ): Promise<void> {
    if (!this.#folder || places.length === 0) return;
    const { outline, whiteOut } = this.output;
    const stem = basename(path, extname(path)).replaceAll(/[^\p{L}\p{N}._-]/gu, '_');
    const name = `${String(number).padStart(4, '0')}-${stem}`;
    const drawn = [
      ...(outline ? [{ ending: 'outlined', image: outlinePlaces(picture, places, this.pattern) }] : []),
      ...(whiteOut ? [{ ending: 'whitened', image: whiteOutPlaces(picture, places, this.pattern) }] : []),
    ];
    for (const { ending, image } of drawn) {
      const file = `${name}-${ending}.png`;
      await this.#folder.write(file, await encodePng(image));
      this.#files.push(join(this.#folder.path, file));
    }
  }
}
