import type { Picture } from '../../picture/picture.js';
import { CodedOrder, type PlannedPicture, patternType } from '../gop-plan.js';
import type { ResolvedOptions } from '../options.js';
import { SceneCosts } from './scene-costs.js';
import { TypeDecider, type TypedPicture } from './type-decider.js';

/** Pictures looked at together: B pictures, the anchors on both sides, and the picture after. */
const PICTURES_BESIDE_B = 3;

/** Plans pictures: their types, by a fixed pattern or by what the lookahead finds, and their coded order. */
export class PicturePlanner {
  readonly #order = new CodedOrder();
  readonly #options: ResolvedOptions;
  readonly #costs: SceneCosts | undefined;
  readonly #decider: TypeDecider | undefined;
  /** Pictures are taken one after the other, even when `push` is not waited for. */
  #turn: Promise<unknown> = Promise.resolve();

  private constructor(options: ResolvedOptions, costs: SceneCosts | undefined) {
    this.#options = options;
    this.#costs = costs;
    this.#decider = costs && new TypeDecider(costs, options.pattern);
  }

  static async create(options: ResolvedOptions): Promise<PicturePlanner> {
    const { grid, kernels, adaptiveTypes, pattern } = options;
    if (!adaptiveTypes) return new PicturePlanner(options, undefined);
    const most = pattern.bFrames + PICTURES_BESIDE_B;
    return new PicturePlanner(options, await SceneCosts.create(grid.codedWidth, grid.codedHeight, most, kernels));
  }

  /** Takes the next picture in display order; its id is its display number. Returns what can be coded now. */
  push(picture: Picture): Promise<PlannedPicture[]> {
    const { pattern } = this.#options;
    return this.#inTurn(async () => {
      const typed = this.#decider
        ? await this.#decider.push(picture)
        : [{ displayNumber: picture.id, type: patternType(picture.id, pattern) }];
      return this.#inCodedOrder(typed);
    });
  }

  /** No more pictures: returns what is left, in coded order. */
  end(): Promise<PlannedPicture[]> {
    return this.#inTurn(async () => {
      const typed = (await this.#decider?.end()) ?? [];
      return [...this.#inCodedOrder(typed), ...this.#order.end()];
    });
  }

  async close(): Promise<void> {
    await this.#costs?.close();
  }

  #inCodedOrder(typed: readonly TypedPicture[]): PlannedPicture[] {
    return typed.flatMap(({ displayNumber, type }) => this.#order.push(displayNumber, type));
  }

  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const result = this.#turn.then(work);
    this.#turn = result.catch(() => {});
    return result;
  }
}
