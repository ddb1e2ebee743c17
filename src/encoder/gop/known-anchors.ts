// The anchors of a second pass: they are those of the first.
import type { PictureType } from '../../bitstream/picture-type.js';
import { NO_ANCHOR } from './gop-plan.js';

/** An anchor, and where it is shown. */
export interface KnownAnchor {
  readonly displayNumber: number;
  readonly type: 'I' | 'P';
}

/** The anchors of an encode whose picture types are known. */
export class KnownAnchors {
  /** Each anchor by the display number of the anchor before it; the first one by NO_ANCHOR. */
  readonly #after = new Map<number, KnownAnchor>();
  /** By the display number of an anchor, the display number of the anchor before it. */
  readonly #before = new Map<number, number>();

  /** `pictures` are in coded order: the B pictures that are shown before an anchor follow it. */
  constructor(pictures: readonly { readonly type: PictureType }[]) {
    let before = NO_ANCHOR;
    for (let index = 0; index < pictures.length; ) {
      const { type } = pictures[index]!;
      if (type === 'B') return; // no encode begins with one
      let next = index + 1;
      while (pictures[next]?.type === 'B') next++;
      const displayNumber = before + next - index;
      this.#after.set(before, { displayNumber, type });
      this.#before.set(displayNumber, before);
      [before, index] = [displayNumber, next];
    }
  }

  /** The anchor after the one with a display number; undefined after the last, and where there is none with it. */
  after(displayNumber: number): KnownAnchor | undefined {
    return this.#after.get(displayNumber);
  }

  /** Whether a picture is predicted from another one, which has been shown before it or is shown after it. */
  isPredictedFrom(displayNumber: number, reference: number): boolean {
    const past = reference < displayNumber ? reference : this.#before.get(reference);
    const next = past === undefined ? undefined : this.#after.get(past);
    if (past === undefined || next === undefined || displayNumber <= past) return false;
    if (displayNumber === next.displayNumber) return next.type === 'P' && reference === past;
    return displayNumber < next.displayNumber;
  }
}
