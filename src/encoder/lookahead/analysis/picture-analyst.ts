// Finds what pictures cost: without a prediction, by the motion from one picture, and from two.
import { isOurs } from '../../../motion/built-in-estimators.js';
import { penaltyTable } from '../../../motion/cost.js';
import type { MotionField } from '../../../motion/estimator.js';
import { MACROBLOCK_SIZE } from '../../../picture/picture.js';
import { bestVectors } from '../../motion/best-vectors.js';
import { type SearchOptions, searchParameters } from '../../motion/search-parameters.js';
import { type ProposedField, proposedField } from '../../motion/vector-proposals.js';
import type { EncoderSettings } from '../../settings/resolve-options.js';
import { nthSmallest } from '../nth-smallest.js';
import type { BestOfField, KnownFields, MotionInto, SourceCosts, SourcePlane } from './source-costs.js';

/** What a picture costs without a prediction. */
export interface IntraCosts {
  /** Cost of each macroblock: the sum of |pel - mean of its 8x8 block|. */
  readonly intra: Uint16Array;
  /** Cost of the picture; see {@link MotionCosts.cost}. */
  readonly intraTotal: number;
  /** Mean absolute deviation of the flattest macroblocks: the picture has no more noise than this. */
  readonly flattest: number;
  /** Mean of all pels. */
  readonly mean: number;
}

/** The best vectors of a picture's motion from another one, and what they cost. */
export interface MotionCosts extends BestOfField {
  /** Cost of the picture where every macroblock is predicted: the sum of the SADs. */
  readonly error: number;
  /**
   * Cost of the picture where a macroblock that costs less as intra counts as intra. An intra macroblock costs at least
   * MIN_INTRA_COST, so that what is uniform, or nearly so, is predicted by a picture that is equal to it.
   */
  readonly cost: number;
}

/** The best vectors of a motion, what they cost, and the field that they are from. */
export interface BestMotion extends MotionCosts {
  readonly field: ProposedField;
}

/** What the best prediction of each macroblock costs. */
export interface PredictionCosts {
  /** SAD of each macroblock with the prediction. */
  readonly sad: Uint16Array;
  /** Mean absolute noise of a pel, about: what no prediction takes away. */
  readonly noise: number;
}

/** How the macroblocks of a picture are predicted best; arrays in raster order. */
export interface PicturePrediction extends PredictionCosts {
  /** Cost of each macroblock without a prediction. */
  readonly intra: Uint16Array;
  /** The motion from the past anchor and, in B pictures, from the future one. */
  readonly motion: readonly BestMotion[];
}

/** A picture in kernel memory, and its costs as intra. */
export interface AnalysedPicture extends IntraCosts {
  readonly plane: SourcePlane;
}

/** The options that costs depend on. */
export type AnalysisOptions = SearchOptions & Pick<EncoderSettings, 'kernels' | 'estimator'>;

/** Which part of the macroblocks counts as the flattest, and as the best predicted, where noise is looked for. */
const FLATTEST_PART = 0.02;
const BEST_PREDICTED_PART = 0.1;
/** At most so many macroblocks are looked at for that. */
const MAX_SAMPLES = 1000;
/**
 * Least cost of a macroblock without a prediction, as a mean absolute error: even a uniform one takes about 20 bits.
 * So a cut between two greys is one from three levels on. docs/decisions/uniform-pictures.md has the figures.
 */
const MIN_INTRA_ERROR = 4;
const MIN_INTRA_COST = MIN_INTRA_ERROR * MACROBLOCK_SIZE ** 2;

/**
 * Costs of source pictures by full pels, at full resolution: grain, which no prediction takes away, counts as it does
 * in the coder.
 */
export class PictureAnalyst {
  readonly #source: SourceCosts;

  /** `source` is made for the `knownFields` of the options. */
  constructor(source: SourceCosts) {
    this.#source = source;
  }

  /** What a picture costs without a prediction. */
  intraCosts(plane: SourcePlane): IntraCosts {
    const { intra, total, mean } = this.#source.deviations(plane, MIN_INTRA_COST);
    const flattest = sampledQuantile(intra, FLATTEST_PART) / MACROBLOCK_SIZE ** 2;
    return { intra, intraTotal: total, flattest, mean };
  }

  /** What the best vectors of the field of `current` from `reference` cost. `reference` is asked for if it is read. */
  bestMotion(current: AnalysedPicture, reference: () => SourcePlane, field: MotionField): BestMotion {
    const source = this.#source;
    const best = source.knowsFields ? source.bestOf(field) : this.#withSads(current.plane, reference(), field);
    return { field: proposedField(field), ...best, ...source.costsOf(best.sad, current.intra, MIN_INTRA_COST) };
  }

  /** SAD of each macroblock of `current` by the best vectors of a field. `withReference` gives the other picture. */
  sadOf(
    current: SourcePlane,
    field: MotionField,
    withReference: (use: (reference: SourcePlane) => Uint16Array) => Uint16Array,
  ): Uint16Array {
    if (this.#source.knowsFields) return this.#source.bestOf(field).sad;
    return withReference(reference => this.#withSads(current, reference, field).sad);
  }

  #withSads(current: SourcePlane, reference: SourcePlane, field: MotionField): BestOfField {
    const vectors = bestVectors(field);
    return { ...vectors, sad: this.#source.sads(current, { plane: reference, vectors }) };
  }

  /** The prediction of a picture from one anchor. */
  fromOne(current: IntraCosts, { sad }: Pick<MotionCosts, 'sad'>): PredictionCosts {
    return { sad, noise: noiseOf(current, sad, 2) };
  }

  /** The prediction of a picture whose macroblocks are predicted from either of two anchors or from both. */
  fromBoth(current: AnalysedPicture, past: MotionInto<BestOfField>, future: MotionInto<BestOfField>): PredictionCosts {
    const sad = this.#source.leastSads(current.plane, past, future);
    return { sad, noise: noiseOf(current, sad, 1.5) };
  }
}

/**
 * Mean absolute noise of a picture: no more than its flattest macroblocks vary by, and no more than the error of its
 * best predicted ones has of it. That error has the picture's own noise and the prediction's: `power` times the squared
 * noise.
 */
function noiseOf({ flattest }: IntraCosts, sad: Uint16Array, power: number): number {
  return Math.min(flattest, sampledQuantile(sad, BEST_PREDICTED_PART) / MACROBLOCK_SIZE ** 2 / Math.sqrt(power));
}

/** The value below which this part of the values lies, about; they are sampled. */
function sampledQuantile(values: Uint16Array, part: number): number {
  const step = Math.ceil(values.length / MAX_SAMPLES);
  const samples = new Uint32Array(Math.ceil(values.length / step));
  for (let i = 0; i < samples.length; i++) samples[i] = values[i * step]!;
  return nthSmallest(samples, Math.floor(part * samples.length));
}

/**
 * What is known of fields whose costs are SADs but for their vectors. Undefined for others: a third party's vectors are
 * taken, its costs are not.
 */
export function knownFields(options: AnalysisOptions): KnownFields | undefined {
  const { metric, estimator, candidates } = options;
  if (metric !== 'sad' || !isOurs(estimator)) return undefined;
  const parameters = searchParameters(options);
  return { candidates, penalties: penaltyTable(parameters, Math.max(parameters.width, parameters.height)) };
}
