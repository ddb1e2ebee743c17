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
  #hasPrepared = false;

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
    this.#hasPrepared = true;
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
    // Without a preparation, its two queries have not been written.
    const first = this.#hasPrepared ? FIRST_PREPARE_QUERY : FIRST_SEARCH_QUERY;
    encoder.resolveQuerySet(this.#queries, first, QUERIES - first, this.#buffer, 0);
    encoder.copyBufferToBuffer(this.#buffer, 0, readback, 0, QUERY_BYTES * (QUERIES - first));
  }

  /** The times, from the start of what was read back; the next submission may begin. */
  read(bytes: ArrayBuffer): SubmissionTimes {
    const timestamps = new BigUint64Array(bytes, 0, QUERIES);
    const spanNs = (first: number) => Number(timestamps[first + 1]! - timestamps[first]!);
    const times = this.#hasPrepared
      ? { prepareNs: spanNs(0), searchNs: spanNs(2) }
      : { prepareNs: 0, searchNs: spanNs(0) };
    this.#hasPrepared = false;
    return times;
  }

  /** Frees the buffer and the queries. */
  destroy(): void {
    this.#buffer.destroy();
    this.#queries.destroy();
  }
}
