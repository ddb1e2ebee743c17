// The buffers that one picture needs for itself while it is filtered.
import type { FilterRequest } from '../../motion/filter-request.js';
import { BUFFER_USAGE, MAP_MODE, StagingBuffers } from '../device/buffers.js';
import { whenAllSettle } from '../device/gpu-errors.js';
import { structWords } from '../layouts.js';
import { FILTER_LUMA } from './filter-layouts.js';

/** The size of the pictures in macroblocks. */
export interface FilterSize {
  readonly mbWidth: number;
  readonly mbHeight: number;
}

const PARAMETER_BYTES = 4 * FILTER_LUMA.fields.length;

/** A lane carries one picture at a time, from the upload of what it is filtered with to the reading of its pels. */
export class FilterLane {
  readonly parameters: GPUBuffer;
  /** dx, then dy of each reference; each starts at a whole word. */
  readonly vectors: GPUBuffer;
  readonly filtered: GPUBuffer;
  readonly #readback: GPUBuffer;
  readonly #pels: StagingBuffers;
  /** The parameters, then the vectors. */
  readonly #job: StagingBuffers;
  readonly #componentBytes: number;
  #pending: Promise<unknown>[] = [];

  constructor(
    device: GPUDevice,
    readonly size: FilterSize,
    index: number,
  ) {
    const { uniform, storage, copySource, copyTarget, mapRead } = BUFFER_USAGE;
    const label = `FilterLane${index}`;
    const make = (name: string, bytes: number, usage: number) =>
      device.createBuffer({ label: `${label}.${name}`, size: bytes, usage });
    const macroblocks = size.mbWidth * size.mbHeight;
    this.#componentBytes = 4 * Math.ceil(macroblocks / 2);
    const vectorBytes = 2 * FILTER_LUMA.constants.MAX_REFERENCES * this.#componentBytes;
    this.parameters = make('parameters', PARAMETER_BYTES, uniform | copyTarget);
    this.vectors = make('vectors', vectorBytes, storage | copyTarget);
    this.filtered = make('filtered', 256 * macroblocks, storage | copySource);
    this.#readback = make('readback', 256 * macroblocks, mapRead | copyTarget);
    this.#pels = new StagingBuffers(device, `${label}.staging`, 256 * macroblocks);
    this.#job = new StagingBuffers(device, `${label}.job`, PARAMETER_BYTES + vectorBytes);
  }

  /** Records the upload of a picture to its buffer. */
  upload(encoder: GPUCommandEncoder, pels: Uint8Array, to: GPUBuffer): void {
    const staging = this.#pels.fill(bytes => new Uint8Array(bytes).set(pels));
    encoder.copyBufferToBuffer(staging, 0, to, 0, to.size);
  }

  /** Records the upload of what the shader is told. */
  uploadJob(encoder: GPUCommandEncoder, request: FilterRequest): void {
    const components = request.references.flatMap(({ dx, dy }) => [dx, dy]);
    const job = this.#job.fill(bytes => {
      new Uint32Array(bytes).set(this.#parametersOf(request));
      for (const [number, component] of components.entries()) {
        new Int16Array(bytes, PARAMETER_BYTES + number * this.#componentBytes).set(component);
      }
    });
    encoder.copyBufferToBuffer(job, 0, this.parameters, 0, PARAMETER_BYTES);
    encoder.copyBufferToBuffer(job, PARAMETER_BYTES, this.vectors, 0, this.vectors.size);
  }

  #parametersOf({ references, numbers }: FilterRequest): number[] {
    const { strengths, ...ranges } = numbers;
    const [strength0 = 0, strength1 = 0, strength2 = 0, strength3 = 0] = strengths;
    return structWords(FILTER_LUMA, {
      ...this.size,
      count: references.length,
      reversed: references.reduce((bits, { isReversed }, i) => bits | (Number(isReversed) << i), 0),
      ...ranges,
      strength0,
      strength1,
      strength2,
      strength3,
    });
  }

  /** Records the copy of the filtered pels to the readback buffer. */
  recordReadback(encoder: GPUCommandEncoder): void {
    encoder.copyBufferToBuffer(this.filtered, 0, this.#readback, 0, this.filtered.size);
  }

  /** Asks for the maps of all buffers; `errorScopes` are those around the submission, see `popErrorScopes`. */
  startReading(errorScopes: readonly Promise<void>[]): void {
    this.#pending = [...errorScopes, this.#readback.mapAsync(MAP_MODE.read), ...this.#pels.map(), ...this.#job.map()];
  }

  /** Copies the filtered pels to `target`, as soon as they are there. Rejects with the error of the submission. */
  async read(target: Uint8Array): Promise<void> {
    await whenAllSettle(this.#pending);
    target.set(new Uint8Array(this.#readback.getMappedRange()));
    this.#readback.unmap();
  }

  /** Waits until no map is pending. The lane is free then. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#pending);
    this.#pending = [];
  }

  /** Frees the buffers. */
  destroy(): void {
    for (const buffer of [this.parameters, this.vectors, this.filtered, this.#readback]) buffer.destroy();
    this.#pels.destroy();
    this.#job.destroy();
  }
}
