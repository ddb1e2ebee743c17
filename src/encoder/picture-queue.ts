// The pictures that are planned and wait for the coder, in coded order.

import type { MotionField } from '../motion/estimator.js';
import type { Picture } from '../picture/picture.js';
import type { PlannedPicture } from './gop/gop-plan.js';
import type { SourcePictures } from './gop/source-pictures.js';
import type { MotionErrors } from './lookahead/analysis/motion-errors.js';
import type { PictureErrors } from './lookahead/error-histogram.js';
import type { ForecastPicture } from './lookahead/picture-planner.js';
import { type AnchorMotion, searchedAnchors } from './motion/anchor-motion.js';
import { bestVectors } from './motion/best-vectors.js';
import { MotionChanges } from './motion/motion-changes.js';
import type { MotionPipeline, RequestedField, SearchStart } from './motion/motion-pipeline.js';
import { type MotionChange, motionChange } from './motion/steady-motion.js';
import type { ByDirection, ProposedField } from './motion/vector-proposals.js';
import type { PictureAround } from './picture/picture-job.js';
import type { Progress } from './progress.js';
import { constantBaseScale } from './quantizer/base-scale.js';
import type { FactorSource } from './quantizer/macroblock-factors.js';
import type { UpcomingPicture } from './rate-control/forecast/bit-model.js';
import type { EncoderSettings } from './settings/resolve-options.js';

/**
 * How many P pictures back a search looks for its start: so many searches can go on side by side. With two, as with
 * three and four, three clips had the same bits within 0.03 %; with 16 threads these searches kept the coders waiting.
 */
const START_DISTANCE = 4;
/** The same for the picture after an anchor: so many anchors back (docs/decisions/b-picture-search.md). */
const FIRST_STEP_DISTANCE = 3;

type SearchedField = RequestedField<MotionField>;
/** The fields of a picture whose plan has none; see {@link AnchorMotion}. */
interface RequestedFields extends ByDirection<RequestedField<MotionField | undefined> | undefined> {
  readonly firstStep?: SearchedField | undefined;
}

/** A picture that waits for the coder. */
export interface PendingPicture extends FactorSource {
  /** The fields asked of the estimator; none where motion is searched on reconstructed pictures. */
  readonly fields: AnchorMotion<RequestedField>;
  /** See {@link PictureJob.around}. */
  readonly around: readonly PictureAround[];
}

/** Queues planned pictures in coded order. */
export class PictureQueue {
  readonly #settings: EncoderSettings;
  readonly #sources: SourcePictures;
  readonly #progress: Progress;
  /** What tells how many B pictures the pattern has, if that may change; a second pass follows the first. */
  readonly changes: MotionChanges | undefined;
  /** What finds the errors that rate control looks at, where the plan has none and they are wanted. */
  errors: MotionErrors | undefined;
  /** The upcoming pictures whose errors are being found. */
  readonly #awaitingErrors = new Set<UpcomingPicture>();
  readonly #stepErrors = new WeakMap<SearchedField, Promise<PictureErrors>>();
  /** The last P pictures whose motion was asked for here. */
  readonly #lastSteps: { readonly plan: PlannedPicture; readonly field: SearchedField }[] = [];
  /** The motion of the picture after an anchor from that anchor, asked for once. */
  #firstStep: { readonly anchor: number; readonly field: SearchedField } | undefined;
  /** That of the last anchors that have one. */
  readonly #firstSteps: SearchedField[] = [];
  /** Of the motion between the anchors of the last P picture that follows B pictures. */
  #change: () => Promise<MotionChange> = async () => ({ isSteady: true, mostB: Number.POSITIVE_INFINITY });
  /** The coder takes the first. */
  readonly pending: PendingPicture[] = [];
  /** What rate control looks at: these pictures, and later ones that have their types; empty without rate control. */
  readonly upcoming: UpcomingPicture[] = [];

  /** `progress` is told when errors are found, or cannot be. */
  constructor(settings: EncoderSettings, sources: SourcePictures, progress: Progress) {
    this.#settings = settings;
    const { rateMode, tools } = settings;
    const isSecondPass = rateMode.kind === 'bit-rate' && rateMode.firstPass !== undefined;
    this.changes = tools.fewerBPictures && !isSecondPass ? new MotionChanges() : undefined;
    this.#sources = sources;
    this.#progress = progress;
  }

  /** How many pictures have been coded. */
  get codedCount(): number {
    return this.#sources.codedCount;
  }

  /**
   * Queues planned pictures, which come in coded order. Where motion is searched on source pictures, it is that of the
   * plan; where the plan did not need it, it is asked for now.
   */
  add(motion: MotionPipeline, planned: readonly ForecastPicture[]): void {
    const searched = new Map<number, RequestedFields>();
    for (const { plan, fields: ofPlan, around: found, weightFactors, askWeightFactors, typed } of planned) {
      const picture = this.#sources.get(plan.displayNumber);
      let fields: PendingPicture['fields'] = { forward: undefined, backward: undefined };
      if (ofPlan) fields = { forward: knownField(ofPlan.forward), backward: knownField(ofPlan.backward) };
      else if (this.#settings.motionReference === 'source') {
        const requested = this.#search(motion, plan);
        searched.set(plan.codedNumber, requested);
        fields = requested;
      }
      // None lies beyond the anchors around it, so all are kept until it is coded.
      const around = found.map(({ reference, ...motion }) => ({ ...motion, picture: this.#sources.get(reference) }));
      this.pending.push({ picture, plan, weightFactors, askWeightFactors, fields, around });
      this.upcoming.push(...typed);
    }
    if (!this.errors) return;
    for (const upcoming of this.upcoming) {
      const fields = searched.get(upcoming.codedNumber);
      if (fields) void this.#findErrors(this.errors, upcoming, fields);
    }
  }

  /** Whether the errors of the first `pictures` upcoming ones are known, as far as they ever will be. */
  knowsErrors(pictures: number): boolean {
    return (
      this.#awaitingErrors.size === 0 ||
      !this.upcoming.slice(0, pictures).some(upcoming => this.#awaitingErrors.has(upcoming))
    );
  }

  /** The coder has taken the first picture. */
  shift(): void {
    this.pending.shift();
    this.upcoming.shift();
  }

  /** Finds the errors of an upcoming picture by its motion. */
  async #findErrors(errors: MotionErrors, upcoming: UpcomingPicture, fields: RequestedFields): Promise<void> {
    this.#awaitingErrors.add(upcoming);
    try {
      const found = await this.#errorsOf(errors, upcoming, fields);
      this.upcoming[this.upcoming.indexOf(upcoming)] = { ...upcoming, errors: found };
      this.#awaitingErrors.delete(upcoming);
      this.#progress.notify();
    } catch (error) {
      this.#progress.fail(error);
    }
  }

  /** The errors of a picture by its motion; of a B picture without any, those of the picture after its past anchor. */
  async #errorsOf(
    errors: MotionErrors,
    { displayNumber, forward: past, backward: future }: PlannedPicture,
    { forward, backward, firstStep }: RequestedFields,
  ): Promise<PictureErrors> {
    const pairs = [[await forward?.find(), past] as const, [await backward?.find(), future] as const];
    const isSearched = pairs.some(([field]) => field);
    if (firstStep && !isSearched) return this.#errorsOfStep(errors, firstStep, past!);
    if (firstStep && displayNumber === past! + 1) pairs.push([await firstStep.find(), past]);
    const motions = pairs.flatMap(([field, anchor]) =>
      field ? [{ field, reference: this.#sources.get(anchor!) }] : [],
    );
    return errors.of(this.#sources.get(displayNumber), motions);
  }

  /** The errors of the picture after an anchor, by its motion from that anchor; found once. */
  #errorsOfStep(errors: MotionErrors, firstStep: SearchedField, anchor: number): Promise<PictureErrors> {
    let found = this.#stepErrors.get(firstStep);
    if (!found) {
      const [picture, reference] = [this.#sources.get(anchor + 1), this.#sources.get(anchor)];
      found = firstStep.find().then(field => errors.of(picture, [{ field, reference }]));
      this.#stepErrors.set(firstStep, found);
    }
    return found;
  }

  /** Asks for the motion of a picture whose plan has none. */
  #search(motion: MotionPipeline, plan: PlannedPicture): RequestedFields {
    const { bPictureMotion } = this.#settings.tools;
    const firstStep = bPictureMotion === 'first' ? this.#searchFirstStep(motion, plan) : undefined;
    if (plan.type === 'B' && firstStep) return this.#searchIfUnsteady(motion, plan, firstStep);
    const start = this.#startOf(plan, firstStep);
    const search = (anchor: number | undefined) =>
      anchor === undefined ? undefined : motion.request(...this.#pair(plan.displayNumber, anchor), start);
    const { forward, backward } = searchedAnchors(plan, bPictureMotion);
    const fields = { forward: search(forward), backward: search(backward) };
    if (plan.type === 'P' && fields.forward) this.#keepStep(plan, fields.forward, firstStep);
    if (plan.type === 'I') this.changes?.add(plan.anchorNumber);
    return fields;
  }

  /** The motion of the picture after a past anchor from that anchor, if it is a B picture; asked for once. */
  #searchFirstStep(
    motion: MotionPipeline,
    { type, displayNumber, forward: past }: PlannedPicture,
  ): SearchedField | undefined {
    if (past !== undefined && this.#firstStep?.anchor !== past) {
      const hasB = type === 'B' || displayNumber > past + 1;
      this.#firstStep = hasB ? { anchor: past, field: this.#requestFirstStep(motion, past) } : undefined;
    }
    return this.#firstStep?.field;
  }

  /** Asks for the motion of the picture after an anchor; it may start from that of the picture some anchors before. */
  #requestFirstStep(motion: MotionPipeline, anchor: number): SearchedField {
    const steps = this.#firstSteps;
    const before = steps.length === FIRST_STEP_DISTANCE ? steps.shift() : undefined;
    const isStart = this.#settings.tools.motionFromBefore && before !== undefined;
    const start = isStart ? async () => bestVectors(await before.find()) : undefined;
    const field = motion.request(...this.#pair(anchor + 1, anchor), start);
    steps.push(field);
    return field;
  }

  /** Asks for the motion of a B picture where motion is not steady. */
  #searchIfUnsteady(
    motion: MotionPipeline,
    { displayNumber, forward: past, backward: future }: PlannedPicture,
    firstStep: SearchedField,
  ): RequestedFields {
    const change = this.#change;
    const isUnsteady = async () => !(await change()).isSteady;
    const search = (anchor: number) => {
      const start = async () => bestVectors(await firstStep.find(), displayNumber - anchor);
      return motion.requestIf(isUnsteady, ...this.#pair(displayNumber, anchor), start);
    };
    return { forward: displayNumber > past! + 1 ? search(past!) : undefined, backward: search(future!), firstStep };
  }

  /** A picture and its reference, by display numbers. */
  #pair(current: number, reference: number): [Picture, Picture] {
    return [this.#sources.get(current), this.#sources.get(reference)];
  }

  /** Remembers the motion asked for a P picture. `firstStep`: that of the first picture after the same anchor. */
  #keepStep(plan: PlannedPicture, field: SearchedField, firstStep: SearchedField | undefined): void {
    this.#lastSteps.push({ plan, field });
    if (this.#lastSteps.length > START_DISTANCE) this.#lastSteps.shift();
    const change = firstStep && this.#findsChange(plan, field, firstStep);
    if (change) this.#change = change;
    this.changes?.add(plan.anchorNumber, change);
  }

  /** What the motion to a P picture is like, `firstStep` that of the first picture after the same anchor. */
  #findsChange(plan: PlannedPicture, whole: SearchedField, firstStep: SearchedField): () => Promise<MotionChange> {
    const first = this.changes && this.#sources.get(plan.forward! + 1);
    const { rateMode } = this.#settings;
    const scale = rateMode.kind === 'bit-rate' ? undefined : constantBaseScale(rateMode);
    const find = async () => motionChange(await firstStep.find(), await whole.find(), distance(plan), first, scale);
    let found: Promise<MotionChange> | undefined;
    // Asked for before the first B picture is coded, whose pels are looked at.
    return () => {
      found ??= find();
      return found;
    };
  }

  /** Where the search of a P picture starts: at the first step, or the motion some P pictures before, scaled. */
  #startOf(plan: PlannedPicture, firstStep: SearchedField | undefined): SearchStart | undefined {
    if (firstStep) return async () => bestVectors(await firstStep.find(), distance(plan));
    const [before] = this.#lastSteps;
    if (!this.#settings.tools.motionFromBefore || plan.type !== 'P') return undefined;
    if (this.#lastSteps.length < START_DISTANCE || before === undefined) return undefined;
    return async () => bestVectors(await before.field.find(), distance(plan) / distance(before.plan));
  }
}

/** From a P picture to its anchor, in pictures. */
function distance({ displayNumber, forward }: PlannedPicture): number {
  return displayNumber - forward!;
}

/** A field that need not be searched. */
function knownField(field: ProposedField | undefined): RequestedField | undefined {
  return field && { take: async () => field, find: async () => field };
}
