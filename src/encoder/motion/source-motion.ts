// The motion of source pictures from each other: each pair is searched once, whoever asks for it.
import type { MotionField, StartField } from '../../motion/estimator.js';
import type { Picture } from '../../picture/picture.js';
import { AnchorWindow } from '../gop/anchor-window.js';
import type { KnownAnchors } from '../gop/known-anchors.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { bestVectors } from './best-vectors.js';
import { lumaOf, type MotionSearch } from './motion-search.js';

/** The motion of a picture from the one before it: a field, or its best vectors. */
type SearchedStep = StartField & Partial<Pick<MotionField, 'candidatesPerBlock'>>;

/** A picture, and its fields by the display number of the picture that they point into. */
interface SearchedPicture {
  readonly picture: Picture;
  readonly fields: Map<number, Promise<MotionField>>;
}

/** See {@link startDistanceOf}. */
const START_DISTANCE = 2;
const FIRST_PASS_START_DISTANCE = 4;

/**
 * How many pictures back the search of a picture from the one before it has its start. So many chains of these searches
 * do not wait for each other; with one chain, more threads do not help. Two cost up to 0.2 % of the bits of four clips,
 * nothing in the mean; four up to 0.5, but nothing in the first of two passes, whose motion the second does not use.
 */
export function startDistanceOf({ rateMode }: Pick<EncoderSettings, 'rateMode'>): number {
  return rateMode.kind === 'bit-rate' && rateMode.isFirstPass ? FIRST_PASS_START_DISTANCE : START_DISTANCE;
}

/**
 * The fields of the pictures that are being planned. A search starts from the motion of the same picture from the one
 * shown before it, scaled to the distance of the pair; that one starts from the same motion some pictures earlier, here
 * two. So a field depends on its pair alone, not on the order of the questions.
 *
 *     4 -> 3 starts from 2 -> 1      4 -> 1 from 4 -> 3, three times as long      4 -> 6 from 4 -> 3, turned round
 */
export class SourceMotion {
  readonly #motion: MotionSearch;
  readonly #startDistance: number;
  readonly #known: KnownAnchors | undefined;
  readonly #pictures = new AnchorWindow<SearchedPicture>();
  /** By display number, the motion of the last pictures from the one before. */
  readonly #steps = new Map<number, Promise<SearchedStep | undefined>>();

  /** `startDistance`: see {@link startDistanceOf}. `known`: the anchors, in a second pass. */
  constructor(motion: MotionSearch, startDistance: number, known?: KnownAnchors) {
    this.#motion = motion;
    this.#startDistance = startDistance;
    this.#known = known;
  }

  /**
   * Adds the next picture in display order; its id is its display number. Asks for its motion from the one before,
   * which other searches start from. `step`: its best vectors from the one before, if others search them; undefined
   * where they have not found any.
   */
  add(picture: Picture, step?: Promise<StartField | undefined>): void {
    const newest = picture.id;
    this.#pictures.add(newest, { picture, fields: new Map() });
    if (this.#pictures.find(newest - 1)) this.#addStep(newest, step);
  }

  /** Whether what is asked for early is there when it is needed. */
  get searchesAhead(): boolean {
    return this.#motion.searchesAhead;
  }

  /** The picture whose motion from the one before it is where the search of `displayNumber` from its own begins. */
  startOfStep(displayNumber: number): number | undefined {
    const number = displayNumber - this.#startDistance;
    return this.#steps.has(number) ? number : undefined;
  }

  /** The motion of one of the last pictures from the one before it. */
  async step(displayNumber: number): Promise<StartField | undefined> {
    const step = await this.#steps.get(displayNumber);
    return step && bestOf(step);
  }

  /** The smallest display number of a picture that may be searched from now on; infinite where there is none. */
  get oldest(): number {
    // They were added in display order.
    const [oldest] = this.#pictures.items;
    return oldest?.picture.id ?? Number.POSITIVE_INFINITY;
  }

  /** The next anchor is known: forgets the pictures that none is predicted from any more. */
  advanceTo(anchor: number): void {
    this.#pictures.advanceTo(anchor);
    for (const { fields } of this.#pictures.items) {
      for (const reference of fields.keys()) if (!this.#pictures.find(reference)) fields.delete(reference);
    }
    const firstStep = this.oldest - this.#startDistance;
    for (const number of this.#steps.keys()) if (number < firstStep) this.#steps.delete(number);
  }

  /** The motion of one picture from another; both have been added. Rejects as the estimator does. */
  field(current: number, reference: number): Promise<MotionField> {
    const { fields } = this.#pictures.get(current);
    let field = fields.get(reference);
    if (!field) {
      field = this.#search(current, reference);
      field.catch(() => {}); // whoever waits for it is told
      fields.set(reference, field);
    }
    return field;
  }

  /** Whether the motion of a picture from the one before it is searched when it comes. */
  async needsStep(displayNumber: number): Promise<boolean> {
    return (this.#known?.isPredictedFrom(displayNumber, displayNumber - 1) ?? true) || this.#motion.usesStart();
  }

  #addStep(newest: number, known: Promise<StartField | undefined> | undefined): void {
    const search = async () => ((await this.needsStep(newest)) ? this.field(newest, newest - 1) : undefined);
    const step = known ? known.then<SearchedStep | undefined>(found => found ?? search()) : search();
    step.catch(() => {}); // whoever waits for it is told
    this.#steps.set(newest, step);
  }

  async #search(current: number, reference: number): Promise<MotionField> {
    const { picture } = this.#pictures.get(current);
    const { picture: from } = this.#pictures.get(reference);
    return this.#motion.search(lumaOf(picture), lumaOf(from), await this.#start(current, reference));
  }

  async #start(current: number, reference: number): Promise<StartField | undefined> {
    const isFromBefore = reference === current - 1;
    const step = this.#steps.get(isFromBefore ? current - this.#startDistance : current);
    if (!step || !(await this.#motion.usesStart())) return undefined;
    const start = await step;
    return start && bestOf(start, isFromBefore ? 1 : current - reference);
  }
}

/** The best vectors of a step, `factor` times as long. */
function bestOf({ dx, dy, candidatesPerBlock = 1 }: SearchedStep, factor = 1): StartField {
  return bestVectors({ dx, dy, candidatesPerBlock }, factor);
}
