// Takes the times of a submission on the GPU.
import { BUFFER_USAGE } from '../device/buffers.js';

/** Times of a submission on the GPU in ns, from timestamp queries. */
export interface SubmissionTimes {
  /** The work that is done once per picture (block sums, pyramid), for the pictures that came with these pairs. */
  readonly prepareNs: number;
  readonly searchNs: number;
}

/** Queries: start and end of the preparation, start and end of the search. */
const FIRST_PREPARE_QUERY = 0;
const FIRST_SEARCH_QUERY = 2;
const QUERIES = 4;
const QUERY_BYTES = 8;

/** Bytes that the times take in a readback buffer. */
export const TIMES_BYTES = QUERIES * QUERY_BYTES;

/** Times one submission at a time. */
export class SubmissionTimer {
  readonly #queries: GPUQuerySet;
  readonly #buffer: GPUBuffer;

  constructor(device: GPUDevice, label: string) {
    const { copySource, queryResolve } = BUFFER_USAGE;
    this.#queries = device.createQuerySet({ label: `${label}.queries`, type: 'timestamp', count: QUERIES });
    this.#buffer = device.createBuffer({
      label: `${label}.timestamps`,
      size: TIMES_BYTES,
      usage: queryResolve | copySource,
    });
  }

  /** Describes the pass that prepares pictures. */
  preparePass(): GPUComputePassDescriptor {
    return this.#timedPass('PairSearch.prepare', FIRST_PREPARE_QUERY);
  }

  /** Describes the pass that searches. */
  searchPass(): GPUComputePassDescriptor {
    return this.#timedPass('PairSearch.search', FIRST_SEARCH_QUERY);
  }

  #timedPass(label: string, firstQuery: number): GPUComputePassDescriptor {
    const timestampWrites = {
      querySet: this.#queries,
      beginningOfPassWriteIndex: firstQuery,
      endOfPassWriteIndex: firstQuery + 1,
    };
    return { label, timestampWrites };
  }

  /** Records the copy of the times to the start of `readback`. */
  record(encoder: GPUCommandEncoder, readback: GPUBuffer): void {
    encoder.resolveQuerySet(this.#queries, 0, QUERIES, this.#buffer, 0);
    encoder.copyBufferToBuffer(this.#buffer, 0, readback, 0, TIMES_BYTES);
  }

  /** The times, from the start of what was read back. */
  read(bytes: ArrayBuffer): SubmissionTimes {
    const timestamps = new BigUint64Array(bytes, 0, QUERIES);
    const spanNs = (first: number) => Number(timestamps[first + 1]! - timestamps[first]!);
    return { prepareNs: spanNs(FIRST_PREPARE_QUERY), searchNs: spanNs(FIRST_SEARCH_QUERY) };
  }

  /** Frees the buffer and the queries. */
  destroy(): void {
    this.#buffer.destroy();
    this.#queries.destroy();
  }
}
