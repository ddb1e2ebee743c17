// The buffers that the pairs of one submission need for themselves while they are searched.
import type { MotionField } from '../../motion/estimator.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';
import { type FieldShape, fieldBytes, unpackField } from './field-buffer.js';
import type { PictureSlot } from './search-passes.js';

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

/** The answers to the pairs of a submission. */
export interface SubmissionResult {
  /** In the order of the pairs. */
  readonly fields: readonly MotionField[];
  /** Undefined where the device cannot take times. */
  readonly times: SubmissionTimes | undefined;
}

/** A lane carries one submission at a time, from the upload of its pictures to the reading of its fields. */
export class PairLane {
  /** The fields, then the timestamps. */
  readonly #readback: GPUBuffer;
  readonly #querySet: GPUQuerySet | undefined;
  readonly #queryBuffer: GPUBuffer | undefined;
  /** All are mapped for writing while the lane is free. */
  readonly #staging: GPUBuffer[] = [];
  #stagingUsed = 0;
  #hasPrepared = false;
  #pairs = 0;
  #pending: Promise<unknown>[] = [];

  constructor(
    readonly device: GPUDevice,
    readonly index: number,
    readonly shape: FieldShape,
    readonly pictureBytes: number,
    readonly maxPairs: number,
    hasTimestamps: boolean,
  ) {
    const { mapRead, copyTarget, copySource, queryResolve } = BUFFER_USAGE;
    this.#readback = device.createBuffer({
      label: `PairLane${index}.readback`,
      size: maxPairs * fieldBytes(shape) + QUERIES * QUERY_BYTES,
      usage: mapRead | copyTarget,
    });
    if (!hasTimestamps) return;
    this.#querySet = device.createQuerySet({ label: `PairLane${index}.queries`, type: 'timestamp', count: QUERIES });
    this.#queryBuffer = device.createBuffer({
      label: `PairLane${index}.timestamps`,
      size: QUERIES * QUERY_BYTES,
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
    if (!this.#querySet) return { label };
    const timestampWrites = {
      querySet: this.#querySet,
      beginningOfPassWriteIndex: firstQuery,
      endOfPassWriteIndex: firstQuery + 1,
    };
    return { label, timestampWrites };
  }

  /** Writes pels to a staging buffer and records the copy to the slot. */
  upload(encoder: GPUCommandEncoder, pels: Uint8Array, slot: PictureSlot): void {
    const { mapWrite, copySource } = BUFFER_USAGE;
    const number = this.#stagingUsed++;
    this.#staging[number] ??= this.device.createBuffer({
      label: `PairLane${this.index}.staging${number}`,
      size: this.pictureBytes,
      usage: mapWrite | copySource,
      mappedAtCreation: true,
    });
    const staging = this.#staging[number];
    new Uint8Array(staging.getMappedRange()).set(pels);
    encoder.copyBufferToBuffer(staging, 0, slot.pels, 0, this.pictureBytes);
  }

  /** Records the copy of pels that are on the device to the slot. */
  copy(encoder: GPUCommandEncoder, pels: GPUBuffer, slot: PictureSlot): void {
    encoder.copyBufferToBuffer(pels, 0, slot.pels, 0, this.pictureBytes);
  }

  /** Gives the written staging buffers to the GPU; to be called right before the submission. */
  unmapStaging(): void {
    for (const staging of this.#staging.slice(0, this.#stagingUsed)) staging.unmap();
  }

  /** Records the copies of the fields, at most `maxPairs`, and the timestamps to the readback buffer. */
  recordReadback(encoder: GPUCommandEncoder, fields: readonly GPUBuffer[], hasPrepared: boolean): void {
    this.#hasPrepared = hasPrepared;
    this.#pairs = fields.length;
    const bytes = fieldBytes(this.shape);
    fields.forEach((field, number) => {
      encoder.copyBufferToBuffer(field, 0, this.#readback, number * bytes, bytes);
    });
    if (!this.#querySet || !this.#queryBuffer) return;
    // Without a preparation, its two queries have not been written.
    const first = hasPrepared ? FIRST_PREPARE_QUERY : FIRST_SEARCH_QUERY;
    const count = QUERIES - first;
    encoder.resolveQuerySet(this.#querySet, first, count, this.#queryBuffer, 0);
    encoder.copyBufferToBuffer(this.#queryBuffer, 0, this.#readback, this.#timesOffset, QUERY_BYTES * count);
  }

  /** Asks for the maps of all buffers; `errorScopes` are those around the submission. */
  startReading(errorScopes: readonly Promise<GPUError | null>[]): void {
    const errors = errorScopes.map(async scope => {
      const error = await scope;
      if (error) throw error;
    });
    const maps = this.#staging.slice(0, this.#stagingUsed).map(staging => staging.mapAsync(MAP_MODE.write));
    this.#pending = [...errors, this.#readback.mapAsync(MAP_MODE.read), ...maps];
  }

  /** Waits until no map is pending, and returns the outcomes. A process that ends with a pending map is aborted. */
  async settle(): Promise<PromiseSettledResult<unknown>[]> {
    const outcomes = await Promise.allSettled(this.#pending);
    this.#pending = [];
    this.#stagingUsed = 0;
    return outcomes;
  }

  /** The answers, as soon as the GPU has them. Rejects with the error of the submission or of a map. */
  async read(): Promise<SubmissionResult> {
    for (const outcome of await this.settle()) if (outcome.status === 'rejected') throw outcome.reason;
    const bytes = this.#readback.getMappedRange();
    const offsets = Array.from({ length: this.#pairs }, (_, number) => number * fieldBytes(this.shape));
    const fields = offsets.map(offset => unpackField(bytes, this.shape, offset));
    const times = this.#querySet ? this.#readTimes(bytes) : undefined;
    this.#readback.unmap();
    return { fields, times };
  }

  get #timesOffset(): number {
    return this.maxPairs * fieldBytes(this.shape);
  }

  #readTimes(bytes: ArrayBuffer): SubmissionTimes {
    const timestamps = new BigUint64Array(bytes, this.#timesOffset, QUERIES);
    const spanNs = (first: number) => Number(timestamps[first + 1]! - timestamps[first]!);
    return this.#hasPrepared ? { prepareNs: spanNs(0), searchNs: spanNs(2) } : { prepareNs: 0, searchNs: spanNs(0) };
  }

  /** Frees the buffers. */
  destroy(): void {
    for (const buffer of [this.#readback, this.#queryBuffer, ...this.#staging]) buffer?.destroy();
    this.#querySet?.destroy();
  }
}
