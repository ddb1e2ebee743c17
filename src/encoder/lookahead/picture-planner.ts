// Plans pictures: chooses their types, puts them into coded order and weighs their macroblocks.
import type { Picture } from '../../picture/picture.js';
import { CodedOrder, type PlannedPicture, patternType } from '../gop/gop-plan.js';
import { initialScaleGuess } from '../quantizer/base-scale.js';
import { SparseReserve } from '../rate-control/sparse-reserve.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { MacroblockTree, type WeightedPicture } from './macroblock-tree.js';
import { predictPicture } from './predicted-picture.js';
import { SceneCosts } from './scene-costs.js';
import { TypeDecider, type TypedPicture } from './type-decider.js';

/** Pictures that the lookahead keeps beside two runs of B pictures: three anchors and the picture after them. */
const PICTURES_BESIDE_B = 4;

/** Plans by a fixed pattern or by what the lookahead finds. */
export class PicturePlanner {
  readonly #order = new CodedOrder();
  readonly #options: EncoderSettings;
  /** The lookahead; undefined where types follow a fixed pattern. */
  readonly #costs: SceneCosts | undefined;
  readonly #decider: TypeDecider | undefined;
  readonly #tree: MacroblockTree | undefined;

  private constructor(options: EncoderSettings, costs: SceneCosts | undefined) {
    this.#options = options;
    this.#costs = costs;
    this.#decider =
      costs && new TypeDecider(costs, options.pattern, initialScaleGuess(options.rateMode), sparseReserve(options));
    this.#tree = costs && options.tools.macroblockTree ? new MacroblockTree(options.grid) : undefined;
  }

  static async create(options: EncoderSettings): Promise<PicturePlanner> {
    const { grid, kernels, adaptiveTypes, pattern } = options;
    if (!adaptiveTypes) return new PicturePlanner(options, undefined);
    const maxPictures = 2 * pattern.bFrames + PICTURES_BESIDE_B;
    return new PicturePlanner(
      options,
      await SceneCosts.create(grid.codedWidth, grid.codedHeight, maxPictures, kernels),
    );
  }

  /**
   * Takes the next picture in display order; its id is its display number. Returns the pictures that can be coded now.
   */
  push(picture: Picture): WeightedPicture[] {
    if (!this.#costs || !this.#decider) {
      return this.#weigh(this.#order.push(picture.id, patternType(picture.id, this.#options.pattern)));
    }
    return this.#weigh(this.#inCodedOrder(this.#decider.push(this.#costs.add(picture))));
  }

  /** No more pictures: returns those that are left, in coded order. */
  end(): WeightedPicture[] {
    const weighted: WeightedPicture[] = [];
    for (const typed of this.#decider?.end() ?? []) weighted.push(...this.#weigh(this.#inCodedOrder(typed)));
    return [...weighted, ...this.#weigh(this.#order.end()), ...(this.#tree?.end() ?? [])];
  }

  #weigh(plans: readonly PlannedPicture[]): WeightedPicture[] {
    const predicted = plans.map(plan => predictPicture(plan, this.#costs));
    return this.#tree
      ? this.#tree.push(predicted)
      : predicted.map(picture => ({ ...picture, scaleFactors: undefined }));
  }

  #inCodedOrder(typed: readonly TypedPicture[]): PlannedPicture[] {
    return typed.flatMap(({ displayNumber, type }) => this.#order.push(displayNumber, type));
  }
}

function sparseReserve({ rateMode, grid, sliceRows, pattern }: EncoderSettings): SparseReserve | undefined {
  if (rateMode.kind !== 'bit-rate' || !rateMode.buffer) return undefined;
  const shape = { macroblocks: grid.mbWidth * grid.mbHeight, slices: sliceRows.length, gop: pattern.gop };
  return new SparseReserve(rateMode.buffer, shape, pattern.bFrames);
}
