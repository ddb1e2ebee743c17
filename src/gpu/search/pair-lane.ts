// The buffers that the pairs of one submission need for themselves while they are searched.
import type { MotionField } from '../../motion/estimator.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';
import { copyField, type FieldShape, fieldBytes } from './field-buffer.js';
import type { PictureSlot } from './search-passes.js';
import { SubmissionTimer, type SubmissionTimes, TIMES_BYTES } from './submission-timer.js';

/** What the lanes of a search have in common. */
export interface LaneSetup {
  readonly device: GPUDevice;
  readonly shape: FieldShape;
  readonly pictureBytes: number;
  /** Pairs of a submission, at most. */
  readonly maxPairs: number;
  /** Whether the GPU's times are taken. */
  readonly isTimed: boolean;
}

/** The answers to the pairs of a submission. */
export interface SubmissionResult {
  /** In the order of the pairs. */
  readonly fields: readonly MotionField[];
  /** Undefined where no times are taken. */
  readonly times: SubmissionTimes | undefined;
}

/** A lane carries one submission at a time, from the upload of its pictures to the reading of its fields. */
export class PairLane {
  /** Takes the times of the GPU, where that is wanted. */
  readonly timer: SubmissionTimer | undefined;
  readonly #setup: LaneSetup;
  readonly #label: string;
  /** The times, if they are taken, then the fields. */
  readonly #readback: GPUBuffer;
  readonly #firstField: number;
  readonly #fieldBytes: number;
  /** All are mapped for writing while the lane is free. */
  readonly #staging: GPUBuffer[] = [];
  #stagingUsed = 0;
  #pairs = 0;
  #pending: Promise<unknown>[] = [];

  constructor(setup: LaneSetup, index: number) {
    const { device, shape, maxPairs, isTimed } = setup;
    this.#setup = setup;
    this.#label = `PairLane${index}`;
    this.#firstField = isTimed ? TIMES_BYTES : 0;
    this.#fieldBytes = fieldBytes(shape);
    this.#readback = device.createBuffer({
      label: `${this.#label}.readback`,
      size: this.#firstField + maxPairs * this.#fieldBytes,
      usage: BUFFER_USAGE.mapRead | BUFFER_USAGE.copyTarget,
    });
    this.timer = isTimed ? new SubmissionTimer(device, this.#label) : undefined;
  }

  /** Writes pels to a staging buffer and records the copy to the slot. */
  upload(encoder: GPUCommandEncoder, pels: Uint8Array, slot: PictureSlot): void {
    const { device, pictureBytes } = this.#setup;
    const number = this.#stagingUsed;
    this.#staging[number] ??= device.createBuffer({
      label: `${this.#label}.staging${number}`,
      size: pictureBytes,
      usage: BUFFER_USAGE.mapWrite | BUFFER_USAGE.copySource,
      mappedAtCreation: true,
    });
    const staging = this.#staging[number];
    this.#stagingUsed++;
    new Uint8Array(staging.getMappedRange()).set(pels);
    staging.unmap();
    encoder.copyBufferToBuffer(staging, 0, slot.pels, 0, pictureBytes);
  }

  /** Records the copy of pels that are on the device to the slot. */
  copy(encoder: GPUCommandEncoder, pels: GPUBuffer, slot: PictureSlot): void {
    encoder.copyBufferToBuffer(pels, 0, slot.pels, 0, this.#setup.pictureBytes);
  }

  /** Records the copies of the fields, at most `maxPairs`, and the times to the readback buffer. */
  recordReadback(encoder: GPUCommandEncoder, fields: readonly GPUBuffer[]): void {
    this.#pairs = fields.length;
    fields.forEach((field, number) => {
      encoder.copyBufferToBuffer(field, 0, this.#readback, this.#offsetOf(number), this.#fieldBytes);
    });
    this.timer?.record(encoder, this.#readback);
  }

  /** Asks for the maps of all buffers; `errorScopes` are those around the submission, see `popErrorScopes`. */
  startReading(errorScopes: readonly Promise<void>[]): void {
    // Only what was written: V8 counts what is mapped as if it were allocated.
    this.#pending = [this.#readback.mapAsync(MAP_MODE.read, 0, this.#offsetOf(this.#pairs))];
    for (let number = 0; number < this.#stagingUsed; number++) {
      this.#pending.push(this.#staging[number]!.mapAsync(MAP_MODE.write));
    }
    this.#pending.push(...errorScopes);
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
    const bytes = this.#readback.getMappedRange(0, this.#offsetOf(this.#pairs));
    const fields: MotionField[] = [];
    for (let number = 0; number < this.#pairs; number++) {
      fields.push(copyField(bytes, this.#setup.shape, this.#offsetOf(number)));
    }
    const times = this.timer?.read(bytes);
    this.#readback.unmap();
    return { fields, times };
  }

  /** Where the field of pair `number` begins in the readback buffer. */
  #offsetOf(number: number): number {
    return this.#firstField + number * this.#fieldBytes;
  }

  /** Frees the buffers. */
  destroy(): void {
    for (const buffer of [this.#readback, ...this.#staging]) buffer.destroy();
    this.timer?.destroy();
  }
}
