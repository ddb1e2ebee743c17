// How far apart the anchors of a scene are: what each distance costs in the mean, which is best, and when to compare.

/** Distance of anchors at the start of a scene, in pictures. */
const INITIAL_DISTANCE = 2;
/** The distance changes only where that saves at least this cost: costs are estimates. */
const MIN_GAIN = 0.002;
/** Least weight of the newest measurement in the mean cost of a distance. Not measured. */
const MIN_WEIGHT = 0.25;
/**
 * After so many comparisons of a scene, there are as many decisions without one as comparisons in a row have agreed,
 * up to MAX_PAUSE. Measured with 0, 1, 2, 3 and 8 (docs/decisions/picture-types.md).
 */
const MIN_COMPARISONS = 4;
const MAX_PAUSE = 2;

/** Mean cost of a picture, and from how many measurements. */
interface MeanCost {
  readonly mean: number;
  readonly count: number;
}

/** The distances of a scene. A comparison costs searches, so there are fewer while they confirm the best distance. */
export class SceneDistances {
  /** Distance of the scene's anchors, in pictures. */
  best = INITIAL_DISTANCE;
  readonly #costs: MeanCost[] = [];
  #comparisons = 0;
  /** How many comparisons in a row found the scene's distance to cost least. */
  #agreeing = 0;
  /** How many of the next decisions take `best` without a comparison, once there have been MIN_COMPARISONS. */
  #pause = 0;

  /** Whether the next decision compares distances; with `decisionsAhead`, whether a later one probably does. */
  compares(decisionsAhead = 0): boolean {
    let [pause, agreeing, comparisons] = [this.#pause, this.#agreeing, this.#comparisons];
    const isPaused = () => pause > 0 && comparisons >= MIN_COMPARISONS;
    for (let decision = 0; decision < decisionsAhead; decision++) {
      if (isPaused()) pause--;
      else [pause, comparisons] = [Math.min(++agreeing, MAX_PAUSE), comparisons + 1];
    }
    return !isPaused();
  }

  /** A decision without a comparison: `distance` has this cost. What the others cost has probably changed as much. */
  follow(distance: number, cost: number): void {
    this.#pause--;
    const before = this.#costs[distance]!.mean;
    this.#add(distance, cost);
    if (before === 0) return;
    const change = this.#costs[distance]!.mean / before;
    this.#costs.forEach(({ mean, count }, other) => {
      if (other !== distance) this.#costs[other] = { mean: mean * change, count };
    });
  }

  /**
   * A decision between the distances from 1 on, which have these costs: the one that costs least in the mean, or the
   * scene's, unless another saves MIN_GAIN. `isFree`: no I picture and no cut is near; otherwise `best` stays.
   */
  compare(costs: readonly number[], isFree: boolean): number {
    for (const [index, cost] of costs.entries()) this.#add(index + 1, cost);
    const own = Math.min(this.best, costs.length);
    let best = own;
    let least = this.#costs[own]!.mean - MIN_GAIN;
    for (let distance = 1; distance <= costs.length; distance++) {
      const { mean } = this.#costs[distance]!;
      if (mean >= least) continue;
      least = mean;
      best = distance;
    }
    this.#comparisons++;
    if (isFree) {
      const agrees = costs[own - 1] === Math.min(...costs);
      this.#agreeing = agrees ? this.#agreeing + 1 : 0;
      this.#pause = Math.min(this.#agreeing, MAX_PAUSE);
      this.best = best;
    }
    return best;
  }

  #add(distance: number, cost: number): void {
    const { mean, count } = this.#costs[distance] ?? { mean: 0, count: 0 };
    const weight = Math.max(MIN_WEIGHT, 1 / (count + 1));
    this.#costs[distance] = { mean: mean + weight * (cost - mean), count: count + 1 };
  }
}
