// The vectors that the estimator has found. They stay in the worker that encodes, so the same is asked once more.
import {
  createEstimator,
  Encoder,
  type EncoderOptions,
  type EstimatorParameters,
  type Frame,
  frameFromI420,
  i420Bytes,
  type LumaPicture,
  type MotionField,
  type StartField,
} from 'mpegpu';
import type { VectorPlanes } from '../../src/bitstream/reading/coded-macroblocks.ts';

/** The encoder has each search start from the motion of the picture so many before; see its `SourceMotion`. */
const START_DISTANCE = 2;

/** What is searched. */
interface VectorsJob {
  /** The pictures of the encode, from the first. */
  frames(): AsyncIterable<Frame>;
  /** The encode's options; without B pictures. */
  readonly options: EncoderOptions;
  /** Ends the search. */
  readonly signal: AbortSignal;
  /** Called when a picture has been searched. */
  onChange(): void;
}

/**
 * The estimator's best vector for each macroblock of a picture, from the picture before. Each field depends on its
 * pictures alone, so they are those of the encode. The search begins when the first picture is asked for.
 */
export class EstimatorVectors {
  readonly #job: VectorsJob;
  readonly #fields: VectorPlanes[] = [];
  #searched: Promise<void> | undefined;

  constructor(job: VectorsJob) {
    this.#job = job;
  }

  /** The vectors of a picture in half-pels; undefined for the first one, and for one that is not searched yet. */
  at(number: number): VectorPlanes | undefined {
    this.searchAll().catch(() => {}); // what the estimator cannot do, the encode tells
    return this.#fields[number];
  }

  /** Resolves when all pictures are searched. Rejects as the estimator does. */
  searchAll(): Promise<void> {
    this.#searched ??= this.#search();
    return this.#searched;
  }

  async #search(): Promise<void> {
    const { frames, options, signal, onChange } = this.#job;
    const { workerUrl } = options;
    const parameters = await parametersOf(options);
    const { estimator } = await createEstimator(options.estimator ?? 'auto', parameters, { threads: 1, workerUrl });
    try {
      /** By number, the best vectors in full pels. */
      const steps: (StartField | undefined)[] = [];
      let reference: LumaPicture | undefined;
      for await (const frame of frames()) {
        if (signal.aborted) return;
        const number = steps.length;
        const current = lumaPicture(frame, number, parameters);
        const start = estimator.traits.usesStart ? steps[number - START_DISTANCE] : undefined;
        const field = reference && (await estimator.estimate({ current, reference, ...(start && { start }) }));
        const step = field && bestVectors(field);
        steps.push(step);
        if (step) this.#fields[number] = { dx: step.dx.map(twice), dy: step.dy.map(twice) };
        reference = current;
        onChange();
      }
    } finally {
      await estimator.close();
    }
  }
}

/** What the encoder asks of its estimator with these options. */
async function parametersOf(options: EncoderOptions): Promise<EstimatorParameters> {
  let found: EstimatorParameters | undefined;
  const estimator = async (parameters: EstimatorParameters) => {
    found = parameters;
    throw new Error('the parameters are known');
  };
  const encoder = new Encoder({ ...options, threads: 1, estimator });
  const { width, height } = options;
  const black = frameFromI420(width, height, new Uint8Array(i420Bytes(width, height)));
  await encoder.add(black).catch(() => {}); // by the error above
  await encoder.finish().catch(() => {});
  if (!found) throw new Error('the encoder has made no estimator');
  return found;
}

/** Luma of whole macroblocks, as the encoder has it: the last column and row are repeated. */
function lumaPicture(frame: Frame, id: number, { width, height }: EstimatorParameters): LumaPicture {
  const pels = new Uint8Array(width * height);
  for (let row = 0; row < height; row++) {
    const from = Math.min(row, frame.height - 1) * frame.width;
    const line = frame.y.subarray(from, from + frame.width);
    pels.set(line, row * width);
    pels.fill(line[frame.width - 1]!, row * width + frame.width, (row + 1) * width);
  }
  return { id, width, height, pels };
}

function bestVectors({ dx, dy, candidatesPerBlock }: MotionField): StartField {
  const length = dx.length / candidatesPerBlock;
  const best = (all: Int16Array) => Int16Array.from({ length }, (_, block) => all[block * candidatesPerBlock]!);
  return { dx: best(dx), dy: best(dy) };
}

const twice = (fullPels: number): number => 2 * fullPels;
