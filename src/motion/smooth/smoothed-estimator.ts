// An estimator that takes the vectors of another one and makes the field smooth.
import type {
  EstimateRequest,
  EstimatorParameters,
  EstimatorStatistics,
  EstimatorTraits,
  MotionEstimator,
  MotionField,
} from '../estimator.js';
import { checkRequest, closedError } from '../request-checks.js';
import { smoothField, smoothnessPenalties } from './smooth-field.js';

/** Least number of vectors a block to choose among. */
const LABELS = 8;

/** The parameters of the inner estimator, which gives the vectors to choose among. */
export function parametersOfLabels(parameters: EstimatorParameters): EstimatorParameters {
  return { ...parameters, candidatesPerBlock: Math.max(LABELS, parameters.candidatesPerBlock) };
}

/** See {@link smoothField}. `inner` was made with {@link parametersOfLabels}. */
export class SmoothedEstimator implements MotionEstimator {
  readonly traits: EstimatorTraits;
  #isClosed = false;

  constructor(
    name: string,
    readonly parameters: EstimatorParameters,
    readonly inner: MotionEstimator,
  ) {
    this.traits = { name, runsOn: inner.traits.runsOn, exhaustive: false };
  }

  get device(): string {
    return this.inner.device;
  }

  statistics(): EstimatorStatistics {
    return this.inner.statistics?.() ?? { busyMs: 0, pictures: 0 };
  }

  async estimate(request: EstimateRequest): Promise<MotionField> {
    const { parameters } = this;
    if (this.#isClosed) throw closedError(this.traits.name);
    checkRequest(request, parameters, this.traits.name);
    const field = await this.inner.estimate(request);
    return smoothField(field, smoothnessPenalties(parameters), parameters.candidatesPerBlock);
  }

  close(): Promise<void> {
    this.#isClosed = true;
    return this.inner.close();
  }
}
