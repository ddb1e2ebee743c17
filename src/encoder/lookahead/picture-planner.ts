import type { Picture } from '../../picture/picture.js';
import { CodedOrder, type PlannedPicture, patternType } from '../gop/gop-plan.js';
import { initialScaleGuess } from '../quantizer/base-scale.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { MacroblockTree, type WeightedPicture } from './macroblock-tree.js';
import { PredictedPictures } from './predicted-pictures.js';
import { SceneCosts } from './scene-costs.js';
import { TypeDecider, type TypedPicture } from './type-decider.js';

/** Pictures looked at together beside two runs of B pictures: the anchors of both, and the picture after. */
const PICTURES_BESIDE_B = 4;

/** Plans pictures: their types, by a fixed pattern or by what the lookahead finds, and their coded order. */
export class PicturePlanner {
  readonly #order = new CodedOrder();
  readonly #options: EncoderSettings;
  readonly #costs: SceneCosts | undefined;
  readonly #decider: TypeDecider | undefined;
  readonly #predicted: PredictedPictures | undefined;
  readonly #tree: MacroblockTree | undefined;

  private constructor(options: EncoderSettings, costs: SceneCosts | undefined) {
    this.#options = options;
    this.#costs = costs;
    this.#decider = costs && new TypeDecider(costs, options.pattern, initialScaleGuess(options.rateMode));
    this.#predicted = costs && new PredictedPictures(costs);
    this.#tree = costs && options.tools.macroblockTree ? new MacroblockTree(options.grid) : undefined;
  }

  static async create(options: EncoderSettings): Promise<PicturePlanner> {
    const { grid, kernels, adaptiveTypes, pattern } = options;
    if (!adaptiveTypes) return new PicturePlanner(options, undefined);
    const most = 2 * pattern.bFrames + PICTURES_BESIDE_B;
    return new PicturePlanner(options, await SceneCosts.create(grid.codedWidth, grid.codedHeight, most, kernels));
  }

  /** Takes the next picture in display order; its id is its display number. Returns what can be coded now. */
  push(picture: Picture): WeightedPicture[] {
    const { pattern } = this.#options;
    if (!this.#costs || !this.#decider) {
      return this.#weigh(this.#order.push(picture.id, patternType(picture.id, pattern)));
    }
    const analysed = this.#costs.analyse(picture);
    this.#predicted?.analysed(analysed);
    return this.#weigh(this.#inCodedOrder(this.#decider.push(analysed)));
  }

  /** No more pictures: returns what is left, in coded order. */
  end(): WeightedPicture[] {
    const weighted: WeightedPicture[] = [];
    for (const typed of this.#decider?.end() ?? []) weighted.push(...this.#weigh(this.#inCodedOrder(typed)));
    return [...weighted, ...this.#weigh(this.#order.end()), ...(this.#tree?.end() ?? [])];
  }

  #weigh(plans: readonly PlannedPicture[]): WeightedPicture[] {
    const all = plans.map(plan => (this.#predicted ? this.#predicted.predict(plan) : { plan, prediction: undefined }));
    return this.#tree ? this.#tree.push(all) : all.map(picture => ({ ...picture, scaleFactors: undefined }));
  }

  #inCodedOrder(typed: readonly TypedPicture[]): PlannedPicture[] {
    return typed.flatMap(({ displayNumber, type }) => this.#order.push(displayNumber, type));
  }
}
