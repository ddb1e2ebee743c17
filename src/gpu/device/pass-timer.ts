// Takes the times of the passes of a submission on the GPU.
import { BUFFER_USAGE } from './buffers.js';

/** Its start and its end. */
const QUERIES_OF_PASS = 2;
const QUERY_BYTES = 8;

/** Times the passes of one submission at a time, by timestamp queries. */
export class PassTimer {
  /** Bytes that the times take in a readback buffer. */
  readonly bytes: number;
  readonly #queries: GPUQuerySet;
  readonly #buffer: GPUBuffer;

  constructor(
    device: GPUDevice,
    label: string,
    readonly passes: number,
  ) {
    const { copySource, queryResolve } = BUFFER_USAGE;
    const count = QUERIES_OF_PASS * passes;
    this.bytes = QUERY_BYTES * count;
    this.#queries = device.createQuerySet({ label: `${label}.queries`, type: 'timestamp', count });
    this.#buffer = device.createBuffer({
      label: `${label}.timestamps`,
      size: this.bytes,
      usage: queryResolve | copySource,
    });
  }

  /** Describes pass `number`, which is timed. */
  pass(label: string, number: number): GPUComputePassDescriptor {
    const first = QUERIES_OF_PASS * number;
    const timestampWrites = {
      querySet: this.#queries,
      beginningOfPassWriteIndex: first,
      endOfPassWriteIndex: first + 1,
    };
    return { label, timestampWrites };
  }

  /** Records the copy of the times to byte `offset` of `readback`. */
  record(encoder: GPUCommandEncoder, readback: GPUBuffer, offset = 0): void {
    encoder.resolveQuerySet(this.#queries, 0, QUERIES_OF_PASS * this.passes, this.#buffer, 0);
    encoder.copyBufferToBuffer(this.#buffer, 0, readback, offset, this.bytes);
  }

  /** How long each pass took in ns, from byte `offset` of what was read back. */
  readNs(bytes: ArrayBuffer, offset = 0): number[] {
    const timestamps = new BigUint64Array(bytes.slice(offset, offset + this.bytes));
    return Array.from({ length: this.passes }, (_, pass) => Number(timestamps[2 * pass + 1]! - timestamps[2 * pass]!));
  }

  /** Frees the buffer and the queries. */
  destroy(): void {
    this.#buffer.destroy();
    this.#queries.destroy();
  }
}
