// The buffers that the pairs of one submission need for themselves while they are searched.
import type { MotionField } from '../../motion/estimator.js';
import { BUFFER_USAGE, MAP_MODE, StagingBuffers } from '../device/buffers.js';
import type { GpuDevice } from '../device/device.js';
import { whenAllSettle } from '../device/gpu-errors.js';
import type { PassTimer } from '../device/pass-timer.js';
import { copyField, type FieldShape, fieldBytes } from './field-buffer.js';
import type { PictureSlot } from './search-passes.js';

/** What the lanes of a search have in common. */
export interface LaneSetup {
  readonly gpu: GpuDevice;
  readonly shape: FieldShape;
  readonly pictureBytes: number;
  /** Pairs of a submission, at most. */
  readonly maxPairs: number;
  /** Whether the GPU's times are wanted, where the device can take them. */
  readonly isTimed: boolean;
}

/** The passes of a submission that is timed. */
export const PREPARE_PASS = 0;
export const SEARCH_PASS = 1;
const PASSES = 2;

/** Times of a submission on the GPU in ns. */
export interface SubmissionTimes {
  /** The work that is done once per picture (block sums, pyramid), for the pictures that came with these pairs. */
  readonly prepareNs: number;
  readonly searchNs: number;
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
  readonly timer: PassTimer | undefined;
  readonly #setup: LaneSetup;
  /** The times, if they are taken, then the fields. */
  readonly #readback: GPUBuffer;
  readonly #firstField: number;
  readonly #fieldBytes: number;
  readonly #staging: StagingBuffers;
  #pairs = 0;
  #pending: Promise<unknown>[] = [];

  constructor(setup: LaneSetup, index: number) {
    const { gpu, shape, pictureBytes, maxPairs, isTimed } = setup;
    const label = `PairLane${index}`;
    this.#setup = setup;
    this.#staging = new StagingBuffers(gpu.device, `${label}.staging`, pictureBytes);
    this.timer = isTimed ? gpu.createTimer(label, PASSES) : undefined;
    this.#firstField = this.timer?.bytes ?? 0;
    this.#fieldBytes = fieldBytes(shape);
    this.#readback = gpu.device.createBuffer({
      label: `${label}.readback`,
      size: this.#firstField + maxPairs * this.#fieldBytes,
      usage: BUFFER_USAGE.mapRead | BUFFER_USAGE.copyTarget,
    });
  }

  /** Writes pels to a staging buffer and records the copy to the slot. */
  upload(encoder: GPUCommandEncoder, pels: Uint8Array, slot: PictureSlot): void {
    const staging = this.#staging.fill(bytes => new Uint8Array(bytes).set(pels));
    encoder.copyBufferToBuffer(staging, 0, slot.pels, 0, this.#setup.pictureBytes);
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
    const readback = this.#readback.mapAsync(MAP_MODE.read, 0, this.#offsetOf(this.#pairs));
    this.#pending = [readback, ...this.#staging.map(), ...errorScopes];
  }

  /** Waits until no map is pending. The lane is free then. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#pending = [];
  }

  /** The answers, as soon as the GPU has them. Rejects with the error of the submission or of a map. */
  async read(): Promise<SubmissionResult> {
    await whenAllSettle(this.#pending);
    const bytes = this.#readback.getMappedRange(0, this.#offsetOf(this.#pairs));
    const fields: MotionField[] = [];
    for (let number = 0; number < this.#pairs; number++) {
      fields.push(copyField(bytes, this.#setup.shape, this.#offsetOf(number)));
    }
    const [prepareNs = 0, searchNs = 0] = this.timer?.readNs(bytes) ?? [];
    this.#readback.unmap();
    return { fields, times: this.timer && { prepareNs, searchNs } };
  }

  /** Where the field of pair `number` begins in the readback buffer. */
  #offsetOf(number: number): number {
    return this.#firstField + number * this.#fieldBytes;
  }

  /** Frees the buffers. */
  destroy(): void {
    this.#readback.destroy();
    this.#staging.destroy();
    this.timer?.destroy();
  }
}
