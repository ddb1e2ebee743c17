// Keeps what is known of source pictures and what they cost predicted from each other; finds out what is not.
import { mayUseGpu } from '../../motion/built-in-estimators.js';
import type { LumaPicture, MotionField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { AnchorWindow } from '../gop/anchor-window.js';
import { lumaOf } from '../motion/motion-search.js';
import type { SourceMotion } from '../motion/source-motion.js';
import {
  type ArrivalFindings,
  type ArrivalQuestion,
  type PictureAnalysis,
  withoutField,
} from './analysis/picture-analysis.js';
import {
  type AnalysedPicture,
  type AnalysisOptions,
  type BestMotion,
  knownFields,
  type MotionCosts,
  PictureAnalyst,
  type PicturePrediction,
} from './analysis/picture-analyst.js';
import { SourceCosts, type SourcePlane } from './analysis/source-costs.js';
import type { AnchorCandidates } from './anchor-candidates.js';
import type { CodingCosts } from './coding-cost.js';
import { type Findings, keepFindings, type LookaheadPicture, newFindings } from './picture-findings.js';
import { SceneDistances } from './scene-distances.js';

/**
 * How many decisions beyond the next one are prepared. What is prepared for an anchor that does not come is lost. Where
 * threads search, encodes with 1, 2 and 3 differed by no more than runs of one do. Answers of a GPU come later:
 * docs/decisions/lookahead-thread.md.
 */
const DECISIONS_AHEAD = 2;
const DECISIONS_AHEAD_OF_GPU = 8;

/** A new picture, and the one before it. */
type ArrivedPair = Pick<ArrivalQuestion, 'current' | 'before'>;

/**
 * Costs of source pictures. Where threads analyse pictures, they are asked ahead for what decisions need. What they
 * have not found is found here.
 */
export class SceneCosts {
  readonly #source: SourceCosts;
  readonly #analyst: PictureAnalyst;
  readonly #motion: SourceMotion;
  readonly #anchors: AnchorCandidates;
  /** Whether a GPU searches where analysis threads do not; false: a module does. */
  readonly #mayUseGpu: boolean;
  readonly #findings = new AnchorWindow<Findings>();
  #analysis: PictureAnalysis | undefined;
  /** The first picture that other threads analyse. */
  #firstAnalysed = Number.POSITIVE_INFINITY;
  /** The picture that comes next. */
  #next = 0;
  /** Resolves when other threads are asked about the last picture that has come. */
  #turn: Promise<unknown> = Promise.resolve();
  /** The newest anchor that is known, and what is known of the distance to the next ones. */
  #anchor = 0;
  #distances = new SceneDistances();
  /** By anchor after which other threads were asked: the one distance asked about, or undefined: all. */
  readonly #asked = new Map<number, number | undefined>();

  private constructor(source: SourceCosts, motion: SourceMotion, anchors: AnchorCandidates, isGpuPossible: boolean) {
    this.#source = source;
    this.#analyst = new PictureAnalyst(source);
    this.#motion = motion;
    this.#anchors = anchors;
    this.#mayUseGpu = isGpuPossible;
  }

  /**
   * Costs of pictures whose motion is searched by these options, with room for `maxPictures` at a time.
   */
  static async create(
    options: AnalysisOptions,
    maxPictures: number,
    motion: SourceMotion,
    anchors: AnchorCandidates,
  ): Promise<SceneCosts> {
    const source = await SourceCosts.create(options.grid, maxPictures, options.kernels, knownFields(options));
    return new SceneCosts(source, motion, anchors, mayUseGpu(options.estimator));
  }

  /** From now on, pictures that are added are analysed by other threads. */
  analyseBy(analysis: PictureAnalysis): void {
    this.#analysis = analysis;
    this.#firstAnalysed = this.#next;
  }

  /** Adds the next picture in display order. */
  async add(source: Picture): Promise<LookaheadPicture> {
    const { id: displayNumber } = source;
    const findings = newFindings(source);
    this.#findings.add(displayNumber, findings);
    this.#next = displayNumber + 1;
    if (this.#analysis) findings.arrival = this.#askOnArrival(this.#analysis, findings);
    else this.#motion.add(source);
    this.#askAhead();
    const arrival = await findings.arrival;
    if (arrival?.step) findings.motion.set(displayNumber - 1, arrival.step);
    const picture = { displayNumber, ...(arrival?.costs ?? this.#analyst.intraCosts(this.#planeOf(findings))) };
    findings.picture = picture;
    return picture;
  }

  /** The smallest display number of a picture that may still be searched; infinite where there is none. */
  get oldestSearched(): number {
    return Math.min(this.#motion.oldest, this.#analysis?.oldestRead ?? Number.POSITIVE_INFINITY);
  }

  /** A picture that was added, whose costs as intra have been found, and which is still kept. */
  picture(displayNumber: number): LookaheadPicture {
    return this.#findings.get(displayNumber).picture!;
  }

  /**
   * The next anchor is known, the distances of its scene, and the display number of the last I picture. Forgets the
   * pictures that none is predicted from any more.
   */
  advanceTo({ displayNumber }: LookaheadPicture, distances: SceneDistances, lastIntra: number): void {
    this.#anchor = displayNumber;
    this.#distances = distances;
    this.#anchors.lastIntra = lastIntra;
    for (const anchor of this.#asked.keys()) if (anchor < displayNumber) this.#asked.delete(anchor);
    for (const { plane } of this.#findings.advanceTo(displayNumber)) if (plane) this.#source.release(plane);
    const isKept = (number: number) => this.#findings.find(number) !== undefined;
    for (const findings of this.#findings.items) {
      for (const reference of findings.motion.keys()) if (!isKept(reference)) findings.motion.delete(reference);
      findings.predictions = findings.predictions.filter(({ past }) => isKept(past));
    }
    this.#motion.advanceTo(displayNumber);
    this.#askAhead();
  }

  /** See {@link MotionCosts.cost}. */
  async predictionCost(current: LookaheadPicture, reference: LookaheadPicture): Promise<number> {
    return (await this.#bestMotion(current, reference)).cost;
  }

  /** See {@link MotionCosts.error}. */
  async predictionError(current: LookaheadPicture, reference: LookaheadPicture): Promise<number> {
    return (await this.#bestMotion(current, reference)).error;
  }

  /** Rate-distortion cost of `current` predicted from one anchor or two, in the mean of its macroblocks. */
  async codingCost(
    current: LookaheadPicture,
    past: LookaheadPicture,
    future: LookaheadPicture | undefined,
    costs: CodingCosts,
  ): Promise<number> {
    return costs.mean(await this.predict(current, past, future), future ? 2 : 1, this.#source);
  }

  /** How each macroblock of `current` is predicted best: from one anchor, or from either or both of two. */
  async predict(
    current: LookaheadPicture,
    past: LookaheadPicture,
    future: LookaheadPicture | undefined,
  ): Promise<PicturePrediction> {
    const findings = this.#findings.get(current.displayNumber);
    await findings.between.get(past.displayNumber);
    const known = findings.predictions.find(
      other => other.past === past.displayNumber && other.future === future?.displayNumber,
    );
    if (known) return known.prediction;
    const forward = await this.#bestMotion(current, past);
    const backward = future && (await this.#bestMotion(current, future));
    const into = ({ displayNumber }: LookaheadPicture, vectors: BestMotion) => ({
      plane: this.#planeOf(this.#findings.get(displayNumber)),
      vectors,
    });
    const costs = backward
      ? this.#analyst.fromBoth(this.#analysed(findings), into(past, forward), into(future, backward))
      : this.#analyst.fromOne(current, forward);
    const motion = backward ? [forward, backward] : [forward];
    const prediction = { ...costs, intra: current.intra, motion };
    findings.predictions.push({ past: past.displayNumber, future: future?.displayNumber, prediction });
    return prediction;
  }

  async #bestMotion(current: LookaheadPicture, reference: LookaheadPicture): Promise<BestMotion> {
    const findings = this.#findings.get(current.displayNumber);
    if (reference.displayNumber !== current.displayNumber - 1) await findings.between.get(reference.displayNumber);
    let best = findings.motion.get(reference.displayNumber);
    if (!best) {
      const field = await this.#motion.field(current.displayNumber, reference.displayNumber);
      best = findings.motion.get(reference.displayNumber) ?? this.#best(findings, reference, field);
      findings.motion.set(reference.displayNumber, best);
    }
    return best;
  }

  #best(findings: Findings, reference: LookaheadPicture, field: MotionField): BestMotion {
    const planeOfReference = () => this.#planeOf(this.#findings.get(reference.displayNumber));
    return this.#analyst.bestMotion(this.#analysed(findings), planeOfReference, field);
  }

  /** A picture whose costs as intra have been found, with its pels in kernel memory. */
  #analysed(findings: Findings): AnalysedPicture {
    return { ...findings.picture!, plane: this.#planeOf(findings) };
  }

  #planeOf(findings: Findings): SourcePlane {
    if (!findings.plane) {
      findings.plane = this.#source.take();
      this.#source.fill(findings.plane, findings.source.y);
    }
    return findings.plane;
  }

  /** Has other threads find the costs of the newest picture and its motion from the one before. */
  #askOnArrival(analysis: PictureAnalysis, findings: Findings): Promise<ArrivalFindings | undefined> {
    const { source } = findings;
    const beforeIt = this.#findings.find(source.id - 1);
    const question = { current: lumaOf(source), before: beforeIt && lumaOf(beforeIt.source) };
    if (!analysis.searches) {
      this.#motion.add(source);
      return this.#askWithField(analysis, question);
    }
    const startFrom = this.#motion.startOfStep(source.id);
    const isFoundHere = startFrom !== undefined && startFrom < this.#firstAnalysed;
    const given = isFoundHere ? this.#motion.step(startFrom) : undefined;
    // Pictures are asked about in display order, as searches start from earlier ones.
    const turn = this.#turn.then(async () => [await given, await this.#needed(question)] as const);
    this.#turn = turn.catch(() => {}); // whoever waits for the answer is told
    const found = turn.then(([start, needed]) => analysis.arrival({ ...needed, field: undefined, startFrom, start }));
    this.#motion.add(
      source,
      found.then(arrival => arrival?.step),
    );
    return found;
  }

  /** The same where those threads do not search: they are given the field. */
  async #askWithField(analysis: PictureAnalysis, question: ArrivedPair): Promise<ArrivalFindings | undefined> {
    const needed = await this.#needed(question);
    const field = needed.before && (await this.#motion.field(needed.current.id, needed.before.id));
    return analysis.arrival({ ...needed, field, startFrom: undefined, start: undefined });
  }

  /** A new picture, and the one before it where the motion from that one is needed. */
  async #needed({ current, before }: ArrivedPair): Promise<ArrivedPair> {
    return { current, before: (await this.#motion.needsStep(current.id)) ? before : undefined };
  }

  /**
   * Has other threads find what the next decision is made of, and those that will probably follow: for each picture
   * after an anchor, its prediction from there and from each picture that may be the next anchor. In a second pass, and
   * where distances are not compared, that is one picture. Where none analyses pictures, a GPU searches these pairs.
   */
  #askAhead(): void {
    if (!this.#analysis && !this.#motion.searchesAhead) return;
    const { best } = this.#distances;
    const isByGpu = this.#mayUseGpu && this.#analysis?.searches === false;
    const decisions = isByGpu ? DECISIONS_AHEAD_OF_GPU : DECISIONS_AHEAD;
    let anchor = this.#anchor;
    for (let ahead = 0; ahead <= decisions; ahead++) {
      const distance = this.#distances.compares(ahead) ? undefined : best;
      if (this.#analysis) this.#askAfter(this.#analysis, anchor, distance);
      else this.#searchAfter(anchor, distance);
      anchor = this.#anchors.lastAfter(anchor, best);
    }
  }

  /** Searches the pairs that are needed after one anchor, at all distances or one, as far as pictures are there. */
  #searchAfter(anchor: number, distance: number | undefined): void {
    const isHere = (number: number) => this.#findings.find(number) !== undefined;
    for (const { displayNumber, futures } of this.#anchors.predictionsAfter(anchor, distance)) {
      if (!isHere(displayNumber)) return;
      for (const reference of [anchor, ...futures].filter(isHere)) void this.#motion.field(displayNumber, reference);
    }
  }

  /** Asks what is needed after one anchor, at all distances or one, once all of its pictures are there. */
  #askAfter(analysis: PictureAnalysis, anchor: number, distance: number | undefined): void {
    const isAsked = this.#asked.has(anchor) && [undefined, distance].includes(this.#asked.get(anchor));
    if (isAsked || !this.#findings.find(this.#anchors.lastAfter(anchor, distance))) return;
    const past = this.#findings.find(anchor);
    if (!past) return;
    this.#asked.set(anchor, distance);
    for (const { displayNumber, futures } of this.#anchors.predictionsAfter(anchor, distance)) {
      const sources = futures.map(number => lumaOf(this.#findings.get(number).source));
      this.#askBetween(analysis, past.source, this.#findings.get(displayNumber), sources);
    }
  }

  /** Asks about one picture after the anchor `past`; one of `futures` will be the next anchor. */
  #askBetween(analysis: PictureAnalysis, past: Picture, findings: Findings, futures: readonly LumaPicture[]): void {
    const { source, motion, turn } = findings;
    if (!findings.arrival) return;
    const question = { current: lumaOf(source), past: lumaOf(past), futures };
    const given = analysis.searches ? undefined : this.#newFields(findings, [question.past, ...futures]);
    const ask = async () => {
      const [arrival, fields] = await Promise.all([findings.arrival, given, turn]);
      if (!arrival) return;
      const { costs, step } = arrival;
      const known = new Map<number, MotionCosts>();
      for (const { id } of [question.past, ...futures]) {
        const best = motion.get(id);
        if (best) known.set(id, withoutField(best));
      }
      const sent = { costs, step: step && withoutField(step) };
      const found = await analysis.between({ ...question, arrival: sent, known, fields });
      if (found) keepFindings(findings, past.id, costs, found);
    };
    const asked = ask();
    // The next question about this picture waits for it, and is told what it finds.
    findings.turn = asked.catch(() => {}); // whoever waits for it is told
    findings.between.set(past.id, asked);
  }

  /** The motion of a picture from others, but for what the threads have been given already. */
  async #newFields(findings: Findings, references: readonly LumaPicture[]): Promise<ReadonlyMap<number, MotionField>> {
    const { source, given } = findings;
    const fields = new Map<number, Promise<MotionField>>();
    for (const { id } of references) {
      if (given.has(id)) continue;
      given.add(id);
      fields.set(id, this.#motion.field(source.id, id));
    }
    return new Map(await Promise.all([...fields].map(async ([id, field]) => [id, await field] as const)));
  }
}
