// The buffers of a pattern search on the GPU: the picture, its way there, and the way of the places back.
import type { FoundPlaces } from '../../pattern/place-finder.js';
import { BUFFER_USAGE, MAP_MODE } from '../device/buffers.js';

/** The count of places and a word that is reserved. */
const ANSWER_HEAD_BYTES = 8;
const PLACE_BYTES = 8;
/** The shader reads a word behind the last one of the picture, and does not use it. */
export const SLACK_BYTES = 4;

/** The picture on the GPU, and a mapped buffer that its pels are written to. Both keep the size of the largest. */
export class PictureUpload {
  #staging: GPUBuffer | undefined;
  #picture: GPUBuffer | undefined;
  #bytes = 0;

  constructor(readonly device: GPUDevice) {}

  /** Writes the pels and records their copy. Returns the buffer that has them, a word of slack behind. */
  record(encoder: GPUCommandEncoder, pels: Uint8Array | Uint8ClampedArray): GPUBuffer {
    const bytes = 4 * Math.ceil(pels.length / 4);
    if (bytes > this.#bytes) this.#make(bytes);
    new Uint8Array(this.#staging!.getMappedRange()).set(pels);
    this.#staging!.unmap();
    encoder.copyBufferToBuffer(this.#staging!, 0, this.#picture!, 0, bytes);
    return this.#picture!;
  }

  /** Makes the upload ready for the next picture. */
  async remap(): Promise<void> {
    await this.#staging?.mapAsync(MAP_MODE.write);
  }

  destroy(): void {
    for (const buffer of [this.#staging, this.#picture]) buffer?.destroy();
  }

  #make(bytes: number): void {
    this.destroy();
    const { mapWrite, copySource, copyTarget, storage } = BUFFER_USAGE;
    this.#staging = this.device.createBuffer({
      label: 'PatternSearch.staging',
      size: bytes,
      usage: mapWrite | copySource,
      mappedAtCreation: true,
    });
    this.#picture = this.device.createBuffer({
      label: 'PatternSearch.picture',
      size: bytes + SLACK_BYTES,
      usage: storage | copyTarget,
    });
    this.#bytes = bytes;
  }
}

/** Room for the places of an answer, and the way back. */
export class AnswerBuffers {
  readonly #answer: GPUBuffer;
  readonly #readback: GPUBuffer;

  constructor(
    device: GPUDevice,
    /** Places that there is room for. */
    readonly capacity: number,
  ) {
    const { storage, copySource, copyTarget, mapRead } = BUFFER_USAGE;
    const size = ANSWER_HEAD_BYTES + PLACE_BYTES * capacity;
    this.#answer = device.createBuffer({
      label: 'PatternSearch.answer',
      size,
      usage: storage | copySource | copyTarget,
    });
    this.#readback = device.createBuffer({ label: 'PatternSearch.readback', size, usage: mapRead | copyTarget });
  }

  /** Records that no place has been found yet; returns the buffer for the search. */
  recordStart(encoder: GPUCommandEncoder): GPUBuffer {
    encoder.clearBuffer(this.#answer, 0, ANSWER_HEAD_BYTES);
    return this.#answer;
  }

  /** Records the copy of the answer. */
  recordEnd(encoder: GPUCommandEncoder): void {
    encoder.copyBufferToBuffer(this.#answer, 0, this.#readback, 0, this.#readback.size);
  }

  /** The places; their number alone if there are more than there is room for. */
  async read(): Promise<FoundPlaces | number> {
    await this.#readback.mapAsync(MAP_MODE.read);
    const words = new Uint32Array(this.#readback.getMappedRange());
    const count = words[0]!;
    if (count > this.capacity) {
      this.#readback.unmap();
      return count;
    }
    const entry = (i: number, part: number) => words[ANSWER_HEAD_BYTES / 4 + 2 * i + part]!;
    const positions = Uint32Array.from({ length: count }, (_, i) => entry(i, 0));
    const sums = Uint32Array.from({ length: count }, (_, i) => entry(i, 1));
    this.#readback.unmap();
    return { positions, sums };
  }

  destroy(): void {
    for (const buffer of [this.#answer, this.#readback]) buffer.destroy();
  }
}
