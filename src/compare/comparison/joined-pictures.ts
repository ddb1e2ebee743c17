// Joins what comes of a picture at two times: how it looks, and its part of the stream.
import type { CodedMacroblocks } from '../../bitstream/reading/coded-macroblocks.js';
import type { MeasuredPicture } from './measured-picture.js';

/** A picture without what the stream says of it. */
type ShownPicture = Omit<MeasuredPicture, 'macroblocks'>;

/** Hands out pictures in display order, each as soon as both parts are there. */
export class JoinedPictures {
  readonly #onPicture: (picture: MeasuredPicture) => void | Promise<void>;
  readonly #shown: ShownPicture[] = [];
  readonly #macroblocks = new Map<number, CodedMacroblocks>();
  #handing: Promise<void> = Promise.resolve();

  constructor(onPicture: (picture: MeasuredPicture) => void | Promise<void>) {
    this.#onPicture = onPicture;
  }

  /** Takes the next picture in display order. Resolves when all complete ones have been handed out. */
  addShown(picture: ShownPicture): Promise<void> {
    this.#shown.push(picture);
    return this.#handOut();
  }

  /** Takes what the stream says of a picture. Resolves as `addShown` does. */
  addMacroblocks(frame: number, macroblocks: CodedMacroblocks): Promise<void> {
    this.#macroblocks.set(frame, macroblocks);
    return this.#handOut();
  }

  #handOut(): Promise<void> {
    this.#handing = this.#handing.then(async () => {
      for (let [first] = this.#shown; first; [first] = this.#shown) {
        const { frame } = first.figures;
        const macroblocks = this.#macroblocks.get(frame);
        if (!macroblocks) return;
        this.#shown.shift();
        this.#macroblocks.delete(frame);
        await this.#onPicture({ ...first, macroblocks });
      }
    });
    return this.#handing;
  }
}
