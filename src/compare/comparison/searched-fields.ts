// Keeps what an estimator answers during an encode.
import type { EstimatorFactory, MotionField } from '../../motion/estimator.js';

/** The best vectors of a field in full pels, one for each block in raster order. */
export interface SearchedField {
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/** The fields of a picture by the display number of the picture that they point into. */
export type SearchedFields = ReadonlyMap<number, SearchedField>;

/** Listens to an estimator, and keeps the best vectors of its answers until they are taken. */
export class FieldRecorder {
  readonly #fields = new Map<number, Map<number, SearchedField>>();

  /** Makes the same estimator, but with every answer kept. The encoder gives pictures their display numbers as ids. */
  record(make: EstimatorFactory): EstimatorFactory {
    return async parameters => {
      const estimator = await make(parameters);
      return {
        traits: estimator.traits,
        device: estimator.device,
        close: () => estimator.close(),
        estimate: async request => {
          const field = await estimator.estimate(request);
          this.#keep(request.current.id, request.reference.id, field);
          return field;
        },
      };
    };
  }

  /** The fields of a picture, which are forgotten with it; none if it was not searched. */
  take(current: number): SearchedFields {
    const fields = this.#fields.get(current);
    this.#fields.delete(current);
    return fields ?? new Map();
  }

  #keep(current: number, reference: number, field: MotionField): void {
    const fields = this.#fields.get(current) ?? new Map<number, SearchedField>();
    this.#fields.set(current, fields);
    // A reconstruction has the id -1 - number. The coder uses its field rather than that of the source picture.
    if (reference < 0) fields.set(-1 - reference, bestOf(field));
    else if (!fields.has(reference)) fields.set(reference, bestOf(field));
  }
}

/** The best vectors of a field, without the other candidates. */
export function bestOf({ dx, dy, blockColumns, blockRows, candidatesPerBlock: step }: MotionField): SearchedField {
  const length = blockColumns * blockRows;
  const best = (components: Int16Array) => Int16Array.from({ length }, (_, block) => components[block * step]!);
  return { dx: best(dx), dy: best(dy) };
}
