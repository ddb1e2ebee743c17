// Filters pictures of one size on the GPU, several at a time, with the pels of the kernel `filterLumaRow`.
import { UnsupportedError } from '../../errors.js';
import type { LumaPicture } from '../../motion/estimator.js';
import type { FilterRequest } from '../../motion/filter-request.js';
import { PictureSlots } from '../../motion/picture-slots.js';
import { BUFFER_USAGE } from '../device/buffers.js';
import type { GpuDevice } from '../device/device.js';
import { popErrorScopes, pushErrorScopes } from '../device/gpu-errors.js';
import { bindBuffers, createPipeline } from '../device/pipelines.js';
import { checkFilter } from './filter-check.js';
import { FilterLane, type FilterSize } from './filter-lane.js';
import { FILTER_LUMA } from './filter-layouts.js';
import { SHADER_SOURCES } from './shader-sources.js';

/** Pictures under way at a time. */
const LANES = 3;
/**
 * Pictures kept: at least those of two requests; at most as many as come between the search of a picture and its
 * filter, if they take so many bytes or less.
 */
const MIN_PICTURES = 12;
const MAX_PICTURES = 96;
const MAX_PICTURE_BYTES = 192 * 2 ** 20;
/** Differences of pels are squared. */
const OVERRIDES = { METRIC: 1 };

/**
 * Makes a filter on a device, which stays open. Rejects with `UnsupportedError` where its shader does not compile, and
 * for a GPU that computes other pels than the kernel.
 */
export async function createGpuFilter(gpu: GpuDevice, size: FilterSize): Promise<GpuFilter> {
  const pipeline = await createPipeline(gpu.device, FILTER_LUMA, OVERRIDES, SHADER_SOURCES);
  await checkFilter(gpu.name, trialSize => new GpuFilter(gpu, pipeline, trialSize, true));
  return new GpuFilter(gpu, pipeline, size, gpu.isGiven);
}

/**
 * Keeps the pictures that came last. One that a search has not brought is uploaded, or copied within the GPU.
 *
 *     pels -> staging (mapped) -> slot -> filter -> readback (mapped) -> target
 *             one a new picture           one a lane
 */
export class GpuFilter {
  readonly #slots: PictureSlots<GPUBuffer>;
  readonly #pictureBytes: number;
  readonly #lanes: readonly FilterLane[];
  readonly #freeLanes: FilterLane[];
  /** Give a lane to the requests that wait for one, the oldest first. */
  readonly #waiting: ((lane: FilterLane) => void)[] = [];
  readonly #pictures: GPUBuffer[] = [];
  /** The first error. */
  #failure: unknown;

  /**
   * `catchesErrors`: whether a submission catches its own errors. Else whoever listens to the device is told of them,
   * before the answer comes.
   */
  constructor(
    readonly gpu: GpuDevice,
    readonly pipeline: GPUComputePipeline,
    readonly size: FilterSize,
    readonly catchesErrors: boolean,
  ) {
    this.#lanes = Array.from({ length: LANES }, (_, index) => new FilterLane(gpu.device, size, index));
    this.#freeLanes = [...this.#lanes];
    this.#pictureBytes = 256 * size.mbWidth * size.mbHeight;
    const pictures = Math.min(Math.floor(MAX_PICTURE_BYTES / this.#pictureBytes), MAX_PICTURES);
    this.#slots = new PictureSlots(Math.max(pictures, MIN_PICTURES), index => this.#createSlot(index));
  }

  /** Records the copy of the luma of a picture that has come to the GPU for a search. */
  keep(encoder: GPUCommandEncoder, picture: LumaPicture, pels: GPUBuffer): void {
    this.#slots.take(picture, picture.id, slot => encoder.copyBufferToBuffer(pels, 0, slot, 0, slot.size));
  }

  #createSlot(index: number): GPUBuffer {
    const { storage, copyTarget } = BUFFER_USAGE;
    const slot = this.gpu.device.createBuffer({
      label: `Filter.picture${index}`,
      size: this.#pictureBytes,
      usage: storage | copyTarget,
    });
    this.#pictures.push(slot);
    return slot;
  }

  /**
   * Filters a picture. Rejects with the error of the GPU: a validation or memory error, a lost device. So do all others
   * from then on, since pictures may be missing.
   */
  async filter(request: FilterRequest): Promise<void> {
    const lane = this.#freeLanes.pop() ?? (await new Promise<FilterLane>(resolve => this.#waiting.push(resolve)));
    try {
      this.#throwFailure();
      this.#submit(lane, request);
      await lane.read(request.target);
      // One before may have spoilt these pels, too.
      this.#throwFailure();
    } catch (error) {
      this.#failure ??= error;
      throw error;
    } finally {
      await lane.settle();
      const next = this.#waiting.shift();
      if (next) next(lane);
      else this.#freeLanes.push(lane);
    }
  }

  #throwFailure(): void {
    const { fault } = this.gpu;
    if (this.#failure !== undefined) throw this.#failure;
    if (fault !== undefined) throw new UnsupportedError(fault);
  }

  #submit(lane: FilterLane, request: FilterRequest): void {
    const { gpu, size, catchesErrors } = this;
    const { device } = gpu;
    if (catchesErrors) pushErrorScopes(device);
    try {
      const encoder = device.createCommandEncoder({ label: 'Filter.encoder' });
      const upload = (slot: GPUBuffer, { pels, gpuBuffer }: LumaPicture) => {
        if (gpuBuffer && gpu.isGiven) encoder.copyBufferToBuffer(gpuBuffer, 0, slot, 0, slot.size);
        else lane.upload(encoder, pels, slot);
      };
      // There are more slots than pictures of a request, so that none takes the place of another one.
      const slotOf = (picture: LumaPicture) => this.#slots.take(picture, picture.id, upload);
      const current = slotOf(request.current);
      const references = request.references.map(({ picture }) => slotOf(picture));
      const [reference0 = current, reference1 = current, reference2 = current, reference3 = current] = references;
      lane.uploadJob(encoder, request);
      const { parameters, vectors, filtered } = lane;
      const buffers = { parameters, current, reference0, reference1, reference2, reference3, vectors, filtered };
      const pass = encoder.beginComputePass({ label: 'Filter.pass' });
      pass.setPipeline(this.pipeline);
      pass.setBindGroup(0, bindBuffers(device, this.pipeline, FILTER_LUMA, 'Filter.bindings', buffers));
      pass.dispatchWorkgroups(size.mbWidth, size.mbHeight);
      pass.end();
      lane.recordReadback(encoder);
      device.queue.submit([encoder.finish()]);
    } finally {
      lane.startReading(catchesErrors ? popErrorScopes(device) : []);
    }
  }

  /** Frees the GPU's memory. Only when no request is under way. */
  destroy(): void {
    for (const lane of this.#lanes) lane.destroy();
    for (const picture of this.#pictures) picture.destroy();
  }
}
