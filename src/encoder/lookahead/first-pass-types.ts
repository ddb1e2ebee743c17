// The picture types of a second pass: those of the first.
import type { PassStatistics } from '../rate-control/pass-statistics.js';

/** The next anchor: how many pictures after the last one it is shown, and its type. */
export interface NextAnchor {
  readonly distance: number;
  readonly type: 'I' | 'P';
}

/** Walks through the anchors of a first pass. */
export class FirstPassTypes {
  readonly #pictures: PassStatistics;
  #next = 0;

  constructor(pictures: PassStatistics) {
    this.#pictures = pictures;
  }

  /** The next anchor; undefined after the last one. In coded order the B pictures before it follow it. */
  take(): NextAnchor | undefined {
    const anchor = this.#pictures[this.#next];
    if (!anchor || anchor.type === 'B') return undefined;
    let end = this.#next + 1;
    while (this.#pictures[end]?.type === 'B') end++;
    const distance = end - this.#next;
    this.#next = end;
    return { distance, type: anchor.type };
  }
}
