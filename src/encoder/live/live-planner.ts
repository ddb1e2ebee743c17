// Plans the pictures of a live encode: each by itself, as soon as its frame is there.
import type { MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { MotionErrors } from '../lookahead/analysis/motion-errors.js';
import type { ForecastPicture, Planner } from '../lookahead/picture-planner.js';
import { bestVectors } from '../motion/best-vectors.js';
import { lumaOf, type MotionSearch } from '../motion/motion-search.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { LiveGroups } from './live-groups.js';

/** Gives each picture the plan that it got when its frame came, its motion, and at a bit rate its errors. */
export class LivePlanner implements Planner {
  readonly #groups: LiveGroups;
  readonly #motion: MotionSearch;
  readonly #errors: MotionErrors | undefined;
  readonly #searches: boolean;
  /** The picture before, and its motion, where the search of the next one starts. */
  #before: Picture | undefined;
  #motionBefore: MotionField | undefined;

  private constructor(
    groups: LiveGroups,
    motion: MotionSearch,
    { motionReference }: EncoderSettings,
    errors: MotionErrors | undefined,
  ) {
    this.#groups = groups;
    this.#motion = motion;
    this.#errors = errors;
    this.#searches = motionReference === 'source';
  }

  /** Rejects with UnsupportedError where the kernels cannot run. */
  static async create(groups: LiveGroups, motion: MotionSearch, settings: EncoderSettings): Promise<LivePlanner> {
    const wantsErrors = settings.rateMode.kind === 'bit-rate' && settings.motionReference === 'source';
    return new LivePlanner(groups, motion, settings, wantsErrors ? await MotionErrors.create(settings) : undefined);
  }

  get usesMotion(): boolean {
    return this.#searches;
  }

  async plan(picture: Picture): Promise<ForecastPicture[]> {
    const plan = this.#groups.takePlan();
    const field = this.#searches ? await this.#search(picture, plan) : undefined;
    const errors = this.#errors?.of(picture, field ? [{ field, reference: this.#before! }] : []);
    this.#before = picture;
    this.#motionBefore = field;
    const fields = field && { forward: field, backward: undefined };
    return [{ plan, fields, around: [], weightFactors: undefined, typed: [{ ...plan, errors }] }];
  }

  async end(): Promise<ForecastPicture[]> {
    return [];
  }

  async #search(picture: Picture, { forward }: PlannedPicture): Promise<MotionField | undefined> {
    if (forward === undefined || !this.#before) return undefined;
    const start = this.#motionBefore && (await this.#motion.usesStart()) ? bestVectors(this.#motionBefore) : undefined;
    return this.#motion.search(lumaOf(picture), lumaOf(this.#before), start);
  }
}
