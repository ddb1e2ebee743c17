// A quantizer by itself.
import { type QuantizerParameters, writeQuantizer } from '../../src/dct/quantizer-record.js';
import { QUANTIZER } from '../../src/kernels/records/quantizer.js';

/** A QUANTIZER as bytes. */
export function quantizerBytes(parameters: QuantizerParameters): Uint8Array {
  const buffer = new ArrayBuffer(QUANTIZER.bytes);
  writeQuantizer({ f32: new Float32Array(buffer), i16: new Int16Array(buffer) }, 0, parameters);
  return new Uint8Array(buffer);
}
