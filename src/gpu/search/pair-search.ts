// Searches pairs of pictures of one size on the GPU, several at a time.
import type { EstimateRequest, LumaPicture, MotionField } from '../../motion/estimator.js';
import { PictureSlots } from '../../motion/picture-slots.js';
import type { GpuDevice } from '../device/device.js';
import { PairLane, type PairTimes } from './pair-lane.js';
import type { PictureSlot, SearchPasses } from './search-passes.js';

/** The answer to one pair; no times where the device cannot take them. */
export interface PairResult {
  readonly field: MotionField;
  readonly times: PairTimes | undefined;
}

/**
 * Uploads each picture once, keeps the pictures used last, records one submission per pair and reads the field back. At
 * most `depth` pairs are under way; the others wait for their turn.
 *
 *     pels -> staging (mapped) -> slot -> prepare -> search -> field -> readback (mapped) -> MotionField
 *             up to two a lane                                          one a lane
 */
export class PairSearch {
  readonly #device: GPUDevice;
  readonly #lanes: readonly PairLane[];
  readonly #freeLanes: PairLane[];
  /** Pairs that wait for a lane, the oldest first. */
  readonly #waiting: ((lane: PairLane) => void)[] = [];
  readonly #slots: PictureSlots<PictureSlot>;
  #hasFailed = false;

  /** Keeps `keptPictures` pictures on the GPU, at least 2. */
  constructor(
    { device, hasTimestamps }: GpuDevice,
    readonly passes: SearchPasses,
    pictureBytes: number,
    depth: number,
    keptPictures: number,
  ) {
    this.#device = device;
    this.#lanes = Array.from(
      { length: depth },
      (_, index) => new PairLane(device, index, passes.shape, pictureBytes, hasTimestamps),
    );
    this.#freeLanes = [...this.#lanes];
    this.#slots = new PictureSlots(keptPictures, index => passes.createSlot(index));
  }

  /**
   * The field of one pair. Rejects with the error of the GPU: a validation or memory error, a lost device. When the
   * pair's turn comes, `isOver` is asked; if it is true, or a pair before has failed, the pair is not submitted and the
   * answer is null.
   */
  async search(request: EstimateRequest, isOver: () => boolean): Promise<PairResult | null> {
    const lane = this.#freeLanes.pop() ?? (await new Promise<PairLane>(resolve => this.#waiting.push(resolve)));
    try {
      if (this.#hasFailed || isOver()) return null;
      this.#submit(lane, request);
      return await lane.read();
    } catch (error) {
      this.#hasFailed = true;
      throw error;
    } finally {
      await lane.settle();
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#freeLanes.push(lane);
    }
  }

  #submit(lane: PairLane, { current, reference }: EstimateRequest): void {
    const device = this.#device;
    for (const kind of ['validation', 'out-of-memory', 'internal'] as const) device.pushErrorScope(kind);
    try {
      const encoder = device.createCommandEncoder({ label: 'PairSearch.encoder' });
      const newSlots: PictureSlot[] = [];
      const upload = (slot: PictureSlot, { pels }: LumaPicture) => {
        lane.upload(encoder, pels, slot);
        newSlots.push(slot);
      };
      const currentSlot = this.#slots.take(current, reference.id, upload);
      const referenceSlot = this.#slots.take(reference, current.id, upload);
      if (newSlots.length > 0) {
        const pass = encoder.beginComputePass(lane.preparePass());
        for (const slot of newSlots) this.passes.prepare(pass, slot);
        pass.end();
      }
      const pass = encoder.beginComputePass(lane.searchPass());
      this.passes.search(pass, currentSlot, referenceSlot);
      pass.end();
      lane.recordReadback(encoder, this.passes.field, newSlots.length > 0);
      lane.unmapStaging();
      device.queue.submit([encoder.finish()]);
    } finally {
      lane.startReading([device.popErrorScope(), device.popErrorScope(), device.popErrorScope()]);
    }
  }

  /** Frees the GPU's memory. Only when no pair is under way. */
  destroy(): void {
    for (const lane of this.#lanes) lane.destroy();
    this.passes.destroy();
  }
}
