// Plans pictures: chooses their types, puts them into coded order and weighs their macroblocks.
import type { Picture } from '../../picture/picture.js';
import { CodedOrder, type PlannedPicture, patternType } from '../gop/gop-plan.js';
import type { MotionPipeline } from '../motion/motion-pipeline.js';
import { SourceMotion } from '../motion/source-motion.js';
import { initialScaleGuess } from '../quantizer/base-scale.js';
import { SparseReserve } from '../rate-control/sparse-reserve.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { MacroblockTree, type WeightedPicture } from './macroblock-tree.js';
import { type PredictedPicture, predictPicture } from './predicted-picture.js';
import { type LookaheadPicture, SceneCosts } from './scene-costs.js';
import { TypeDecider, type TypedPicture } from './type-decider.js';

/** Pictures that the lookahead keeps beside two runs of B pictures: three anchors and the picture after them. */
const PICTURES_BESIDE_B = 4;
/** Pictures that may be announced and not planned yet. */
export const MAX_PICTURES_AHEAD = 8;

/** A picture that is known to the planner and not planned yet. */
export interface AnnouncedPicture {
  readonly displayNumber: number;
  /** What the lookahead knows of it, if there is one. */
  readonly known: LookaheadPicture | undefined;
}

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

  /** `motion` is asked where types do not follow a fixed pattern. */
  static async create(options: EncoderSettings, motion: MotionPipeline): Promise<PicturePlanner> {
    const { adaptiveTypes, pattern } = options;
    if (!adaptiveTypes) return new PicturePlanner(options, undefined);
    const maxPictures = 2 * pattern.bFrames + PICTURES_BESIDE_B + MAX_PICTURES_AHEAD;
    const sourceMotion = new SourceMotion(motion, pattern.bFrames + 1);
    return new PicturePlanner(options, await SceneCosts.create(options, maxPictures, sourceMotion));
  }

  /** Whether plans wait for motion. */
  get usesMotion(): boolean {
    return this.#costs !== undefined;
  }

  /**
   * The next picture in display order is known; its id is its display number. Its motion is asked for. At most
   * MAX_PICTURES_AHEAD pictures may be announced and not planned yet.
   */
  announce(picture: Picture): AnnouncedPicture {
    return { displayNumber: picture.id, known: this.#costs?.add(picture) };
  }

  /** Plans the pictures in the order in which they were announced. Returns those that can be coded now. */
  async push({ displayNumber, known }: AnnouncedPicture): Promise<WeightedPicture[]> {
    if (!known || !this.#decider) {
      return this.#weigh(this.#order.push(displayNumber, patternType(displayNumber, this.#options.pattern)));
    }
    return this.#weigh(this.#inCodedOrder(await this.#decider.push(known)));
  }

  /** No more pictures: returns those that are left, in coded order. */
  async end(): Promise<WeightedPicture[]> {
    const weighted: WeightedPicture[] = [];
    for await (const typed of this.#decider?.end() ?? []) {
      weighted.push(...(await this.#weigh(this.#inCodedOrder(typed))));
    }
    return [...weighted, ...(await this.#weigh(this.#order.end())), ...(this.#tree?.end() ?? [])];
  }

  async #weigh(plans: readonly PlannedPicture[]): Promise<WeightedPicture[]> {
    const predicted: PredictedPicture[] = [];
    for (const plan of plans) predicted.push(await predictPicture(plan, this.#costs));
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
