// The buffer in which a search leaves its field on the GPU: its size, and the way from its words to a motion field.
import type { EstimatorParameters, MotionField } from '../../motion/estimator.js';
import { BUFFER_USAGE } from '../device/buffers.js';

/** The shape of the fields of a search. */
export type FieldShape = Pick<MotionField, 'blockSize' | 'blockColumns' | 'blockRows' | 'candidatesPerBlock'>;

/** The shape of the fields that estimators with these parameters give. */
export function fieldShape(parameters: EstimatorParameters): FieldShape {
  const { width, height, blockSize, candidatesPerBlock } = parameters;
  return { blockSize, blockColumns: width / blockSize, blockRows: height / blockSize, candidatesPerBlock };
}

/** Vectors of a field. */
export function fieldEntries({ blockColumns, blockRows, candidatesPerBlock }: FieldShape): number {
  return blockColumns * blockRows * candidatesPerBlock;
}

/** Bytes of a field in a buffer, see field_entry.wgsl. */
export function fieldBytes(shape: FieldShape): number {
  return 8 * fieldEntries(shape);
}

/** The buffers that the searches of a submission write their fields to; they can be copied from. */
export class FieldBuffers {
  readonly #buffers: GPUBuffer[] = [];

  constructor(
    readonly device: GPUDevice,
    readonly label: string,
    readonly shape: FieldShape,
  ) {}

  /** The buffer of the search with this number, 0, 1, 2 ...; made when it is first needed. */
  get(number: number): GPUBuffer {
    this.#buffers[number] ??= this.device.createBuffer({
      label: `${this.label}${number}`,
      size: fieldBytes(this.shape),
      usage: BUFFER_USAGE.storage | BUFFER_USAGE.copySource,
    });
    return this.#buffers[number];
  }

  /** Frees the buffers. */
  destroy(): void {
    for (const buffer of this.#buffers) buffer?.destroy();
  }
}

/** A copy of the field that starts at `offset` of `bytes`. Its arrays lie on one buffer, which has nothing else. */
export function copyField(bytes: ArrayBuffer, shape: FieldShape, offset = 0): MotionField {
  const entries = fieldEntries(shape);
  // The other ways to copy fill the new buffer with zeros first.
  const { buffer } = new Uint32Array(new Uint32Array(bytes, offset, 2 * entries));
  return {
    ...shape,
    dx: new Int16Array(buffer, 4 * entries, entries),
    dy: new Int16Array(buffer, 6 * entries, entries),
    cost: new Uint32Array(buffer, 0, entries),
  };
}
