import type { EstimateRequest, LumaPicture, MotionField } from '../../motion/estimator.js';
import type { GpuDevice } from '../device/device.js';
import { BUFFER_USAGE, MAP_MODE } from '../layouts.js';
import type { PictureSlot, SearchPasses } from './search-passes.js';

/** Times of one pair on the GPU in ns, from timestamp queries. */
export interface PairTimes {
  /** What is done once per picture (block sums, pyramid), for the pictures that came with this pair. */
  readonly prepareNs: number;
  readonly searchNs: number;
}

/** The answer to one pair; no times where the device cannot take them. */
export interface PairResult {
  readonly field: MotionField;
  readonly times: PairTimes | undefined;
}

const TIMESTAMPS = 4;
const TIMESTAMP_BYTES = 8 * TIMESTAMPS;

/**
 * Searches pairs of pictures of one size: uploads each picture once, keeps the pictures used last, records one submission
 * per pair and reads the field back. At most `depth` pairs are under way; the others wait for their turn.
 *
 *     pels -> staging (mapped) -> slot -> prepare -> search -> field -> readback (mapped) -> MotionField
 *             one or two a lane   LRU                                   one a lane
 */
export class PairSearch {
  readonly #device: GPUDevice;
  readonly #lanes: Lane[];
  readonly #freeLanes: Lane[];
  readonly #waiting: ((lane: Lane) => void)[] = [];
  /** By picture id, the one used last at the end. */
  readonly #resident = new Map<number, PictureSlot>();
  #slotCount = 0;
  #broken = false;

  constructor(
    { device, hasTimestamps }: GpuDevice,
    readonly passes: SearchPasses,
    pictureBytes: number,
    depth: number,
    readonly mostSlots: number,
  ) {
    this.#device = device;
    this.#lanes = Array.from(
      { length: depth },
      (_, index) => new Lane(device, index, passes.fieldBytes, pictureBytes, hasTimestamps),
    );
    this.#freeLanes = [...this.#lanes];
  }

  /** Pairs that wait for a lane. */
  get waiting(): number {
    return this.#waiting.length;
  }

  /**
   * The field of one pair. Rejects with whatever the GPU complains about: a validation or memory error, a lost device.
   * `isOver` is asked when the pair's turn comes; where it says so, or a pair before has failed, the pair is not submitted
   * and the answer is null.
   */
  async search(request: EstimateRequest, isOver: () => boolean): Promise<PairResult | null> {
    const lane = this.#freeLanes.pop() ?? (await new Promise<Lane>(resolve => this.#waiting.push(resolve)));
    try {
      if (this.#broken || isOver()) return null;
      this.#submit(lane, request);
      return await lane.read(this.passes.shape);
    } catch (error) {
      this.#broken = true;
      throw error;
    } finally {
      await lane.settle();
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#freeLanes.push(lane);
    }
  }

  #submit(lane: Lane, { current, reference }: EstimateRequest): void {
    const device = this.#device;
    for (const kind of ['validation', 'out-of-memory', 'internal'] as const) device.pushErrorScope(kind);
    try {
      const encoder = device.createCommandEncoder({ label: 'PairSearch.encoder' });
      const fresh: PictureSlot[] = [];
      const currentSlot = this.#slotOf(current, reference.id, encoder, lane, fresh);
      const referenceSlot = this.#slotOf(reference, current.id, encoder, lane, fresh);
      if (fresh.length > 0) {
        const pass = encoder.beginComputePass(lane.timed('PairSearch.prepare', 0));
        for (const slot of fresh) this.passes.prepare(pass, slot);
        pass.end();
      }
      const pass = encoder.beginComputePass(lane.timed('PairSearch.search', 2));
      this.passes.search(pass, currentSlot, referenceSlot);
      pass.end();
      lane.recordReadback(encoder, this.passes.field, fresh.length > 0);
      lane.unmapStaging();
      device.queue.submit([encoder.finish()]);
    } finally {
      lane.startReading([device.popErrorScope(), device.popErrorScope(), device.popErrorScope()]);
    }
  }

  /** The slot that holds a picture; uploads it if there is none. The picture `other` keeps its slot. */
  #slotOf(
    picture: LumaPicture,
    other: number,
    encoder: GPUCommandEncoder,
    lane: Lane,
    fresh: PictureSlot[],
  ): PictureSlot {
    let slot = this.#resident.get(picture.id);
    if (slot) {
      this.#resident.delete(picture.id);
    } else {
      slot = this.#takeSlot(other);
      lane.upload(encoder, picture.pels, slot);
      fresh.push(slot);
    }
    this.#resident.set(picture.id, slot);
    return slot;
  }

  #takeSlot(other: number): PictureSlot {
    if (this.#slotCount < this.mostSlots) return this.passes.createSlot(this.#slotCount++);
    for (const [id, slot] of this.#resident) {
      if (id === other) continue;
      this.#resident.delete(id);
      return slot;
    }
    return this.passes.createSlot(this.#slotCount++);
  }

  /** Frees the GPU's memory. Only when no pair is under way. */
  destroy(): void {
    for (const lane of this.#lanes) lane.destroy();
    this.passes.destroy();
  }
}

/** What one pair needs for itself while it is under way. */
class Lane {
  readonly #readback: GPUBuffer;
  readonly #querySet: GPUQuerySet | undefined;
  readonly #queryBuffer: GPUBuffer | undefined;
  /** All mapped for writing while the lane is free. */
  readonly #staging: GPUBuffer[] = [];
  #stagingUsed = 0;
  #prepared = false;
  #pending: Promise<unknown>[] = [];

  constructor(
    readonly device: GPUDevice,
    readonly index: number,
    readonly fieldBytes: number,
    readonly pictureBytes: number,
    hasTimestamps: boolean,
  ) {
    const { mapRead, copyTarget, copySource, queryResolve } = BUFFER_USAGE;
    this.#readback = device.createBuffer({
      label: `Lane${index}.readback`,
      size: fieldBytes + TIMESTAMP_BYTES,
      usage: mapRead | copyTarget,
    });
    if (!hasTimestamps) return;
    this.#querySet = device.createQuerySet({ label: `Lane${index}.queries`, type: 'timestamp', count: TIMESTAMPS });
    this.#queryBuffer = device.createBuffer({
      label: `Lane${index}.timestamps`,
      size: TIMESTAMP_BYTES,
      usage: queryResolve | copySource,
    });
  }

  /** A pass descriptor that takes the time into queries `first` and `first + 1`. */
  timed(label: string, first: number): GPUComputePassDescriptor {
    if (!this.#querySet) return { label };
    const timestampWrites = {
      querySet: this.#querySet,
      beginningOfPassWriteIndex: first,
      endOfPassWriteIndex: first + 1,
    };
    return { label, timestampWrites };
  }

  /** Copies pels into a staging buffer and records the copy into the slot. */
  upload(encoder: GPUCommandEncoder, pels: Uint8Array, slot: PictureSlot): void {
    const { mapWrite, copySource } = BUFFER_USAGE;
    const number = this.#stagingUsed++;
    this.#staging[number] ??= this.device.createBuffer({
      label: `Lane${this.index}.staging${number}`,
      size: this.pictureBytes,
      usage: mapWrite | copySource,
      mappedAtCreation: true,
    });
    const staging = this.#staging[number];
    new Uint8Array(staging.getMappedRange()).set(pels);
    encoder.copyBufferToBuffer(staging, 0, slot.pels, 0, this.pictureBytes);
  }

  /** Gives the filled staging buffers to the GPU; to be called right before the submission. */
  unmapStaging(): void {
    for (const staging of this.#staging.slice(0, this.#stagingUsed)) staging.unmap();
  }

  recordReadback(encoder: GPUCommandEncoder, field: GPUBuffer, prepared: boolean): void {
    this.#prepared = prepared;
    encoder.copyBufferToBuffer(field, 0, this.#readback, 0, this.fieldBytes);
    if (!this.#querySet || !this.#queryBuffer) return;
    const first = prepared ? 0 : 2;
    encoder.resolveQuerySet(this.#querySet, first, TIMESTAMPS - first, this.#queryBuffer, 0);
    encoder.copyBufferToBuffer(this.#queryBuffer, 0, this.#readback, this.fieldBytes, 8 * (TIMESTAMPS - first));
  }

  /** Asks for the maps back; `scopes` tell of errors in the submission. */
  startReading(scopes: readonly Promise<GPUError | null>[]): void {
    const errors = scopes.map(async scope => {
      const error = await scope;
      if (error) throw error;
    });
    const maps = this.#staging.slice(0, this.#stagingUsed).map(staging => staging.mapAsync(MAP_MODE.write));
    this.#pending = [...errors, this.#readback.mapAsync(MAP_MODE.read), ...maps];
  }

  /** Waits until no map is pending: one that is when the process leaves aborts it. Returns what became of them. */
  async settle(): Promise<PromiseSettledResult<unknown>[]> {
    const outcomes = await Promise.allSettled(this.#pending);
    this.#pending = [];
    this.#stagingUsed = 0;
    return outcomes;
  }

  /** The answer, when the GPU has it; the lane is ready for the next pair then. Rejects with what went wrong. */
  async read(shape: SearchPasses['shape']): Promise<PairResult> {
    for (const outcome of await this.settle()) if (outcome.status === 'rejected') throw outcome.reason;
    const words = new Int32Array(this.#readback.getMappedRange());
    const field = unpackField(words, this.fieldBytes / 8, shape);
    const times = this.#querySet ? this.#timesOf(words) : undefined;
    this.#readback.unmap();
    return { field, times };
  }

  #timesOf(words: Int32Array): PairTimes {
    const at = this.fieldBytes / 4;
    const stamps = new BigUint64Array(words.slice(at, at + TIMESTAMP_BYTES / 4).buffer);
    const spanNs = (first: number) => Number(stamps[first + 1]! - stamps[first]!);
    return this.#prepared ? { prepareNs: spanNs(0), searchNs: spanNs(2) } : { prepareNs: 0, searchNs: spanNs(0) };
  }

  destroy(): void {
    for (const buffer of [this.#readback, this.#queryBuffer, ...this.#staging]) buffer?.destroy();
    this.#querySet?.destroy();
  }
}

/** A field from the shaders' answer: `entries` packed vectors (dx in the low half), then `entries` costs. */
function unpackField(words: Int32Array, entries: number, shape: SearchPasses['shape']): MotionField {
  const dx = new Int16Array(entries);
  const dy = new Int16Array(entries);
  for (let entry = 0; entry < entries; entry++) {
    const vector = words[entry]!;
    dx[entry] = vector; // the low half: an Int16Array takes the value modulo 2^16
    dy[entry] = vector >> 16;
  }
  const cost = new Uint32Array(entries);
  cost.set(new Uint32Array(words.buffer, words.byteOffset + 4 * entries, entries));
  return { ...shape, dx, dy, cost };
}
