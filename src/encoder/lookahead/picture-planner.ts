// Plans pictures: chooses their types, puts them into coded order and weighs their macroblocks.
import { InputError } from '../../errors.js';
import type { Picture } from '../../picture/picture.js';
import { CodedOrder, NO_ANCHOR, type PlannedPicture, patternType } from '../gop/gop-plan.js';
import type { KnownAnchors } from '../gop/known-anchors.js';
import type { SearchedFields } from '../motion/anchor-motion.js';
import { MotionAround, type MotionFrom } from '../motion/motion-around.js';
import type { MotionChanges } from '../motion/motion-changes.js';
import type { MotionSearch } from '../motion/motion-search.js';
import { SourceMotion, startDistanceOf } from '../motion/source-motion.js';
import type { FactorSource } from '../quantizer/macroblock-factors.js';
import { pictureShape } from '../rate-control/buffer/sparse-picture.js';
import { SparseReserve } from '../rate-control/buffer/sparse-reserve.js';
import type { UpcomingPicture } from '../rate-control/forecast/bit-model.js';
import { mostPicturesAhead } from '../settings/pictures-ahead.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { PictureAnalysis } from './analysis/picture-analysis.js';
import { AnchorCandidates } from './anchor-candidates.js';
import { MacroblockTree, type WeightedPicture } from './macroblock-tree.js';
import type { LookaheadPicture } from './picture-findings.js';
import { type PredictedPicture, predictPicture } from './predicted-picture.js';
import { SceneCosts } from './scene-costs.js';
import { TypeDecider, type TypedPicture } from './type-decider.js';

/** Pictures that the lookahead keeps beside two runs of B pictures: three anchors and the picture after them. */
const PICTURES_BESIDE_B = 4;

/** A planned picture, with what the coder needs of the lookahead's findings. */
export interface ForecastPicture extends Pick<FactorSource, 'plan' | 'weightFactors' | 'askWeightFactors'> {
  /** Its motion from its anchors; undefined where the plan did not need it. */
  readonly fields: SearchedFields | undefined;
  /** The motion between an anchor and pictures around it, where it is filtered by them; none elsewhere. */
  readonly around: readonly MotionFrom[];
  /**
   * The pictures that got their types since the plan before, this one or later ones, in coded order: rate control looks
   * at them before they are weighed. None where there is no rate control.
   */
  readonly typed: readonly UpcomingPicture[];
}

/** Plans pictures, in the calling thread or in another one. */
export interface Planner {
  /** Whether plans wait for motion. */
  readonly usesMotion: boolean;
  /**
   * The next picture in display order is there; its id is its display number. Returns the pictures that can be coded
   * now, in coded order. May be called again before it has resolved: then the motion of up to `picturesAhead`
   * pictures is under way at a time. `codedPictures`: how many have been coded; what is kept of them is dropped.
   */
  plan(picture: Picture, codedPictures: number): Promise<ForecastPicture[]>;
  /** No more pictures: returns those that are left, in coded order. */
  end(): Promise<ForecastPicture[]>;
}

/** What a planner decides by, as far as it has it. */
interface Findings {
  readonly costs?: SceneCosts;
  readonly tree?: MacroblockTree | undefined;
  readonly known?: KnownAnchors | undefined;
  readonly changes?: MotionChanges | undefined;
}

/** Plans by a pattern or by what the lookahead finds. */
export class PicturePlanner implements Planner {
  readonly #order = new CodedOrder();
  readonly #settings: EncoderSettings;
  /** What tells how many B pictures the pattern has, if that may change and no first pass tells it. */
  readonly #changes: MotionChanges | undefined;
  /** The anchors of a second pass. */
  readonly #known: KnownAnchors | undefined;
  /** The lookahead; undefined where types follow a pattern. */
  readonly #costs: SceneCosts | undefined;
  readonly #decider: TypeDecider | undefined;
  readonly #tree: MacroblockTree | undefined;
  /** The motion between anchors and pictures around them, by display number; undefined where none is filtered. */
  readonly #around: MotionAround | undefined;
  /** How many B pictures pay at most after the last anchor, as `changes` tells. */
  #mostB: number | undefined;
  /** Pictures that have got their types and are in no forecast yet. */
  #typed: UpcomingPicture[] = [];
  /** The plan that is under way, or the last one. */
  #plans: Promise<unknown> = Promise.resolve();

  private constructor(settings: EncoderSettings, { costs, tree, known, changes }: Findings) {
    this.#settings = settings;
    this.#changes = changes;
    this.#known = known;
    this.#costs = costs;
    this.#decider = costs && new TypeDecider(costs, settings, sparseReserve(settings), known);
    this.#tree = tree;
    if (costs && settings.tools.temporalFilter) {
      this.#around = new MotionAround(async (number, reference) => {
        const { motion, noise } = await costs.predict(costs.picture(number), costs.picture(reference), undefined);
        const { dx, dy } = motion[0]!;
        return { dx, dy, noise };
      });
    }
  }

  /**
   * `motion` is asked where types do not follow a pattern. Where they do, the first pass or `changes` may tell how many
   * B pictures it has. Rejects with InputError for a first pass whose types the options forbid.
   */
  static async create(
    settings: EncoderSettings,
    motion: MotionSearch,
    changes?: MotionChanges,
  ): Promise<PicturePlanner> {
    const { adaptiveTypes } = settings;
    if (!adaptiveTypes && !settings.tools.fewerBPictures) return new PicturePlanner(settings, {});
    const known = await knownAnchors(settings);
    if (!adaptiveTypes) return new PicturePlanner(settings, { changes, known });
    if (known) requireLegal(known, settings);
    const candidates = new AnchorCandidates(settings.pattern, known);
    const sourceMotion = new SourceMotion(motion, startDistanceOf(settings), known);
    const costs = await SceneCosts.create(
      settings,
      maxPicturesKept(settings, mostPicturesAhead(settings)),
      sourceMotion,
      candidates,
    );
    const tree = settings.tools.macroblockTree ? await MacroblockTree.create(settings) : undefined;
    return new PicturePlanner(settings, { costs, tree, known });
  }

  /** From now on, pictures that come are analysed by other threads. */
  analyseBy(analysis: PictureAnalysis): void {
    this.#costs?.analyseBy(analysis);
  }

  get usesMotion(): boolean {
    return this.#costs !== undefined || this.#changes !== undefined;
  }

  plan(picture: Picture): Promise<ForecastPicture[]> {
    const known = this.#costs?.add(picture);
    known?.catch(() => {}); // the plan rejects
    return this.#next(() => this.#push(picture.id, known));
  }

  end(): Promise<ForecastPicture[]> {
    return this.#next(() => this.#end());
  }

  /** The smallest display number of a picture that may still be searched; infinite where there is none. */
  get oldestKept(): number {
    return this.#costs?.oldestSearched ?? Number.POSITIVE_INFINITY;
  }

  /** See `MacroblockTree.mean`. */
  get meanFactor(): number | undefined {
    return this.#tree?.mean;
  }

  set meanFactor(mean: number | undefined) {
    if (this.#tree) this.#tree.mean = mean;
  }

  /** One plan after the other; once one has failed, so do all others. */
  #next(plan: () => Promise<WeightedPicture[]>): Promise<ForecastPicture[]> {
    const planned = this.#plans.then(plan).then(pictures => pictures.map(picture => this.#forecast(picture)));
    this.#plans = planned;
    return planned;
  }

  async #push(displayNumber: number, known: Promise<LookaheadPicture> | undefined): Promise<WeightedPicture[]> {
    if (!known || !this.#decider) {
      const pattern = { ...this.#settings.pattern, bFrames: await this.#maxBPictures(displayNumber) };
      const type = patternType(displayNumber, this.#order.lastAnchor, pattern);
      return this.#weigh(this.#order.push(displayNumber, type));
    }
    return this.#weigh(this.#inCodedOrder(await this.#decider.push(await known)));
  }

  /** How many B pictures the pattern has after the last anchor. */
  async #maxBPictures(displayNumber: number): Promise<number> {
    const { bFrames, gop } = this.#settings.pattern;
    const { lastAnchor, anchors } = this.#order;
    if (lastAnchor === NO_ANCHOR) return bFrames;
    const known = this.#known?.after(lastAnchor);
    if (known) return Math.min(bFrames, known.displayNumber - lastAnchor - 1);
    // Where the group ends before a P picture that follows B pictures, the motion would not be looked at.
    const position = displayNumber % gop;
    const hasRoom = position > 0 && position + bFrames < gop;
    if (displayNumber === lastAnchor + 1 && hasRoom) this.#mostB = await this.#changes?.mostB(anchors);
    return Math.min(bFrames, this.#mostB ?? bFrames);
  }

  async #end(): Promise<WeightedPicture[]> {
    const weighted: WeightedPicture[] = [];
    for await (const typed of this.#decider?.end() ?? []) {
      weighted.push(...(await this.#weigh(this.#inCodedOrder(typed))));
    }
    return [...weighted, ...(await this.#weigh(this.#order.end())), ...(this.#tree?.end() ?? [])];
  }

  async #weigh(plans: readonly PlannedPicture[]): Promise<WeightedPicture[]> {
    const predicted: PredictedPicture[] = [];
    const isRated = this.#settings.rateMode.kind === 'bit-rate';
    for (const plan of plans) predicted.push(await predictPicture(plan, this.#costs, isRated));
    if (isRated) this.#typed.push(...predicted.map(({ plan, errors }) => ({ ...plan, errors })));
    await this.#around?.find(plans);
    return this.#tree
      ? this.#tree.push(predicted)
      : predicted.map(picture => ({ ...picture, weightFactors: undefined }));
  }

  #forecast({ plan, prediction, weightFactors }: WeightedPicture): ForecastPicture {
    const [forward, backward] = prediction?.motion ?? [];
    const fields = prediction && { forward: forward?.field, backward: backward?.field };
    const typed = this.#typed;
    this.#typed = [];
    return { plan, weightFactors, fields, around: this.#around?.take(plan) ?? [], typed };
  }

  #inCodedOrder(typed: readonly TypedPicture[]): PlannedPicture[] {
    return typed.flatMap(({ displayNumber, type }) => this.#order.push(displayNumber, type));
  }
}

/** The greatest distance of two anchors, in pictures. */
export function maxAnchorDistance({ pattern }: Pick<EncoderSettings, 'pattern'>): number {
  return pattern.bFrames + 1;
}

/** How many pictures the lookahead keeps, at most, where so many may be ahead. */
export function maxPicturesKept({ pattern }: Pick<EncoderSettings, 'pattern'>, ahead: number): number {
  return 2 * pattern.bFrames + PICTURES_BESIDE_B + ahead;
}

/** The anchors of a second pass; undefined in a first one. */
async function knownAnchors({ rateMode }: EncoderSettings): Promise<KnownAnchors | undefined> {
  const firstPass = rateMode.kind === 'bit-rate' && rateMode.firstPass;
  if (!firstPass) return undefined;
  // Pages need not load what they do not use.
  const { KnownAnchors } = await import('../gop/known-anchors.js');
  return new KnownAnchors(firstPass);
}

/** Throws InputError where the pattern forbids the anchors of a first pass. */
function requireLegal(known: KnownAnchors, { pattern: { gop, bFrames } }: EncoderSettings): void {
  let [before, lastIntra] = [NO_ANCHOR, 0];
  for (let anchor = known.after(before); anchor; anchor = known.after(before)) {
    const { displayNumber, type } = anchor;
    if (displayNumber - before > bFrames + 1 || displayNumber - lastIntra > (type === 'I' ? gop : gop - 1)) {
      throw new InputError('the first pass has other picture types: both passes need the same frames and options');
    }
    before = displayNumber;
    if (type === 'I') lastIntra = displayNumber;
  }
}

function sparseReserve({ rateMode, grid, sliceRows, pattern }: EncoderSettings): SparseReserve | undefined {
  if (rateMode.kind !== 'bit-rate' || !rateMode.buffer) return undefined;
  const shape = pictureShape(grid, sliceRows.length, pattern.gop);
  return new SparseReserve(rateMode.buffer, shape, pattern.bFrames);
}
