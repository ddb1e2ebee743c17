// Searches pairs of pictures of one size on the GPU, several at a time.
import type { EstimateRequest, LumaPicture, MotionField } from '../../motion/estimator.js';
import { PictureSlots } from '../../motion/picture-slots.js';
import type { GpuDevice } from '../device/device.js';
import { popErrorScopes, pushErrorScopes } from '../device/gpu-errors.js';
import type { PassTimer } from '../device/pass-timer.js';
import { PairLane, PREPARE_PASS, SEARCH_PASS, type SubmissionTimes } from './pair-lane.js';
import type { PictureSlot, SearchPasses, SlotPair } from './search-passes.js';

/** The answer to one pair. */
export interface PairResult {
  readonly field: MotionField;
  /** Those of its submission, told with the first of its pairs; undefined where they are not taken. */
  readonly times: SubmissionTimes | undefined;
}

/** The pass of a submission whose times are not taken. */
const PASS: GPUComputePassDescriptor = { label: 'PairSearch.pass' };

/** A pair that waits for a lane, and whom to tell its answer. */
interface WaitingPair {
  readonly request: EstimateRequest;
  readonly isOver: () => boolean;
  readonly resolve: (result: PairResult | null) => void;
  readonly reject: (error: unknown) => void;
}

/** How much is under way at a time, how much is kept, and what is measured. */
export interface PairSearchSettings {
  /** Submissions under way. */
  readonly depth: number;
  /** Pairs of a submission. */
  readonly pairs: number;
  /** Pictures kept on the GPU, at least 2. */
  readonly pictures: number;
  /** Whether the GPU's times are wanted, where the device can take them. */
  readonly isTimed: boolean;
  /**
   * Whether a submission catches its own errors, which takes longer. Else whoever listens to the device is told of
   * them, before the answers to the submission come.
   */
  readonly catchesErrors: boolean;
}

/**
 * Uploads each picture once, or copies it within the GPU, keeps the pictures used last and reads the fields back.
 * Pairs that wait together are one submission: their searches run side by side.
 *
 *     pels -> staging (mapped) -> slot -> prepare -> search -> fields -> readback (mapped) -> MotionField
 *             one a new picture                                           one a lane
 */
export class PairSearch {
  readonly #device: GPUDevice;
  readonly #settings: PairSearchSettings;
  /** Whether buffers of pictures lie on this device. */
  readonly #takesBuffers: boolean;
  readonly #lanes: readonly PairLane[];
  readonly #freeLanes: PairLane[];
  /** Pairs that wait for a lane, the oldest first. */
  readonly #waiting: WaitingPair[] = [];
  readonly #slots: PictureSlots<PictureSlot>;
  /** Is told of each picture that comes to the GPU; its luma may be copied from `pels` by the same commands. */
  onUpload: ((encoder: GPUCommandEncoder, picture: LumaPicture, pels: GPUBuffer) => void) | undefined;
  #isStarting = false;
  #hasFailed = false;

  constructor(
    gpu: GpuDevice,
    readonly passes: SearchPasses,
    pictureBytes: number,
    settings: PairSearchSettings,
  ) {
    this.#device = gpu.device;
    this.#takesBuffers = gpu.isGiven;
    this.#settings = settings;
    const { depth, pairs: maxPairs, pictures, isTimed } = settings;
    const lane = { gpu, shape: passes.shape, pictureBytes, maxPairs, isTimed };
    this.#lanes = Array.from({ length: depth }, (_, index) => new PairLane(lane, index));
    this.#freeLanes = [...this.#lanes];
    this.#slots = new PictureSlots(pictures, index => passes.createSlot(index));
  }

  /**
   * The field of one pair. Rejects with the error of the GPU: a validation or memory error, a lost device. When the
   * pair's turn comes, `isOver` is asked; if it is true, or a pair before has failed, the pair is not submitted and the
   * answer is null.
   */
  search(request: EstimateRequest, isOver: () => boolean): Promise<PairResult | null> {
    return new Promise((resolve, reject) => {
      this.#waiting.push({ request, isOver, resolve, reject });
      if (this.#isStarting) return;
      this.#isStarting = true;
      // Whoever asks may have more pairs.
      queueMicrotask(() => {
        this.#isStarting = false;
        this.#start();
      });
    });
  }

  /** Gives the pairs that wait to the lanes that are free. */
  #start(): void {
    while (this.#waiting.length > 0 && this.#freeLanes.length > 0) {
      void this.#answer(this.#freeLanes.pop()!, this.#waiting.splice(0, this.#submissionLength()));
    }
  }

  /** How many of the waiting pairs make the next submission: there must be room for all of its pictures. */
  #submissionLength(): number {
    const ids = new Set<number>();
    for (const [index, { request }] of this.#waiting.entries()) {
      ids.add(request.current.id).add(request.reference.id);
      if (index === this.#settings.pairs || (ids.size > this.#settings.pictures && index > 0)) return index;
    }
    return this.#waiting.length;
  }

  /** Submits the pairs and tells them the answer. */
  async #answer(lane: PairLane, pairs: readonly WaitingPair[]): Promise<void> {
    try {
      const open = pairs.filter(({ isOver }) => !(this.#hasFailed || isOver()));
      for (const pair of pairs) if (!open.includes(pair)) pair.resolve(null);
      if (open.length === 0) return;
      const requests = open.map(({ request }) => request);
      this.#submit(lane, requests);
      const { fields, times } = await lane.read();
      for (const [number, { resolve }] of open.entries()) {
        resolve({ field: fields[number]!, times: number === 0 ? times : undefined });
      }
    } catch (error) {
      this.#hasFailed = true;
      for (const { reject } of pairs) reject(error);
    } finally {
      await lane.settle();
      this.#freeLanes.push(lane);
      this.#start();
    }
  }

  #submit(lane: PairLane, requests: readonly EstimateRequest[]): void {
    const device = this.#device;
    const { catchesErrors } = this.#settings;
    if (catchesErrors) pushErrorScopes(device);
    try {
      const encoder = device.createCommandEncoder({ label: 'PairSearch.encoder' });
      const newSlots: PictureSlot[] = [];
      const upload = (slot: PictureSlot, picture: LumaPicture) => {
        const { pels, gpuBuffer } = picture;
        if (gpuBuffer && this.#takesBuffers) lane.copy(encoder, gpuBuffer, slot);
        else lane.upload(encoder, pels, slot);
        this.onUpload?.(encoder, picture, slot.pels);
        newSlots.push(slot);
      };
      const pairs = requests.map(({ current, reference }) => ({
        current: this.#slots.take(current, reference.id, upload),
        reference: this.#slots.take(reference, current.id, upload),
      }));
      this.#record(encoder, lane.timer, newSlots, pairs);
      const fields = pairs.map((_, number) => this.passes.field(number));
      lane.recordReadback(encoder, fields);
      device.queue.submit([encoder.finish()]);
    } finally {
      lane.startReading(catchesErrors ? popErrorScopes(device) : []);
    }
  }

  /** Records the passes of a submission: one, or two where their times are taken. */
  #record(
    encoder: GPUCommandEncoder,
    timer: PassTimer | undefined,
    newSlots: readonly PictureSlot[],
    pairs: readonly SlotPair[],
  ): void {
    let pass = encoder.beginComputePass(timer?.pass('PairSearch.prepare', PREPARE_PASS) ?? PASS);
    if (newSlots.length > 0) this.passes.prepare(pass, newSlots);
    if (timer) {
      pass.end();
      pass = encoder.beginComputePass(timer.pass('PairSearch.search', SEARCH_PASS));
    }
    this.passes.search(pass, pairs);
    pass.end();
  }

  /** Frees the GPU's memory. Only when no pair is under way. */
  destroy(): void {
    for (const lane of this.#lanes) lane.destroy();
    this.passes.destroy();
  }
}
