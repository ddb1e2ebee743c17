// Picture types by a pattern: an I picture every so many pictures, B pictures between anchors.
import type { PictureType } from '../../bitstream/picture-type.js';
import type { GopPattern } from './gop-plan.js';

/** Gives pictures their types, in display order from 0 on. */
export class TypePattern {
  readonly #pattern: Omit<GopPattern, 'gopMin'>;
  /** Display number of the last anchor. */
  #anchor = 0;
  #anchors = 0;

  constructor(pattern: Omit<GopPattern, 'gopMin'>) {
    this.#pattern = pattern;
  }

  /** Display number of the last anchor that has got its type. */
  get lastAnchor(): number {
    return this.#anchor;
  }

  /** How many anchors have got their types: the anchorNumber of the next one. */
  get anchors(): number {
    return this.#anchors;
  }

  /** The type of the next picture. At most `bFrames` B pictures lie between the last anchor and the next one. */
  next(displayNumber: number, bFrames = this.#pattern.bFrames): PictureType {
    const { gop, closedGop } = this.#pattern;
    const position = displayNumber % gop;
    const endsGroup = closedGop && position === gop - 1;
    if (position > 0 && !endsGroup && displayNumber - this.#anchor <= bFrames) return 'B';
    this.#anchor = displayNumber;
    this.#anchors++;
    return position === 0 ? 'I' : 'P';
  }
}
