// Which pictures may be anchors, and which predictions are needed to choose among them.
import type { GopPattern } from '../gop/gop-plan.js';
import type { KnownAnchors } from '../gop/known-anchors.js';

/** A picture to predict from the anchor before it, alone and together with each of `futures`; display numbers. */
export interface WantedPrediction {
  readonly displayNumber: number;
  readonly futures: readonly number[];
}

/** In a first pass any picture up to the next I picture may be the next anchor, in a second pass it is known. */
export class AnchorCandidates {
  readonly #maxDistance: number;
  readonly #gop: number;
  readonly #closedGop: boolean;
  readonly #known: KnownAnchors | undefined;
  #lastIntra = 0;

  /**
   * `bFrames`: between two anchors, at most; `gop`: the distance of I pictures. `known`: the anchors of a second pass.
   */
  constructor({ bFrames, gop, closedGop }: Omit<GopPattern, 'gopMin'>, known?: KnownAnchors) {
    this.#maxDistance = bFrames + 1;
    this.#gop = gop;
    this.#closedGop = closedGop;
    this.#known = known;
  }

  /** The last I picture that is known. */
  set lastIntra(displayNumber: number) {
    this.#lastIntra = displayNumber;
  }

  /** The last picture that may be the next anchor after `anchor`; with `distance`, the one that probably will be. */
  lastAfter(anchor: number, distance = this.#maxDistance): number {
    const known = this.#known?.after(anchor);
    return known?.displayNumber ?? Math.min(anchor + distance, this.#lastBeforeGroup(anchor));
  }

  /** The I picture after an anchor, unless a scene begins before; in a closed group the last picture before that. */
  #lastBeforeGroup(anchor: number): number {
    const nextIntra = anchor + this.#gop - ((anchor - this.#lastIntra) % this.#gop);
    return this.#closedGop && anchor < nextIntra - 1 ? nextIntra - 1 : nextIntra;
  }

  /**
   * The predictions of the pictures after an anchor, up to the last that may be the next one; up to that at `distance`,
   * if distances are not compared.
   */
  predictionsAfter(anchor: number, distance?: number): WantedPrediction[] {
    const next = this.#known?.after(anchor);
    const last = this.lastAfter(anchor, distance);
    const hasOneFuture = next !== undefined || distance !== undefined;
    const wanted: WantedPrediction[] = [];
    for (let displayNumber = anchor + 1; displayNumber <= last; displayNumber++) {
      if (next?.type === 'I' && displayNumber === last) break;
      const futures: number[] = [];
      const first = hasOneFuture ? Math.max(last, displayNumber + 1) : displayNumber + 1;
      for (let future = first; future <= last; future++) futures.push(future);
      wanted.push({ displayNumber, futures });
    }
    return wanted;
  }
}
