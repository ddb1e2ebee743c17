// Which pictures may be anchors, and which predictions are needed to choose among them.
import type { KnownAnchors } from '../gop/known-anchors.js';

/** A picture to predict from the anchor before it, alone and together with each of `futures`; display numbers. */
export interface WantedPrediction {
  readonly displayNumber: number;
  readonly futures: readonly number[];
}

/** In a first pass each of the next pictures may be the next anchor, in a second one it is known. */
export class AnchorCandidates {
  readonly #maxDistance: number;
  readonly #known: KnownAnchors | undefined;

  /** `maxDistance`: of two anchors, at most, in pictures. `known`: the anchors of a second pass. */
  constructor(maxDistance: number, known?: KnownAnchors) {
    this.#maxDistance = maxDistance;
    this.#known = known;
  }

  /** The last picture that may be the anchor after one. */
  lastAfter(anchor: number): number {
    return this.#known?.after(anchor)?.displayNumber ?? anchor + this.#maxDistance;
  }

  /** The anchor after one, which is probably `distance` pictures after it. */
  probableAfter(anchor: number, distance: number): number {
    return this.#known?.after(anchor)?.displayNumber ?? anchor + distance;
  }

  /** The predictions of the pictures after an anchor, up to the last that may be the next one. */
  predictionsAfter(anchor: number): WantedPrediction[] {
    const next = this.#known?.after(anchor);
    const last = this.lastAfter(anchor);
    const wanted: WantedPrediction[] = [];
    for (let displayNumber = anchor + 1; displayNumber <= last; displayNumber++) {
      if (next?.type === 'I' && displayNumber === last) break;
      const futures: number[] = [];
      const first = next ? Math.max(last, displayNumber + 1) : displayNumber + 1;
      for (let future = first; future <= last; future++) futures.push(future);
      wanted.push({ displayNumber, futures });
    }
    return wanted;
  }
}
