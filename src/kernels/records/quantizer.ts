// All that quantizes one kind of block with one quantizer_scale and one matrix.
import { arrayOf, defineRecord } from './record.js';

/**
 * A quantizer: 64 entries of each kind, column by column.
 *
 *     0     reciprocal   float32: 1 / (quantizer_scale * weight)
 *     256   rounding     float32: added before truncation, in levels
 *     512   scale        int16: quantizer_scale * weight
 *     640   maxLevel     int16: largest level whose reconstruction a decoder need not clip
 *     768   deadZone     int16: largest |coefficient| that is quantized to level 0, at most 32767
 *     896
 */
export const QUANTIZER = defineRecord('Quantizer', {
  reciprocal: arrayOf('f32', 64),
  rounding: arrayOf('f32', 64),
  scale: arrayOf('i16', 64),
  maxLevel: arrayOf('i16', 64),
  deadZone: arrayOf('i16', 64),
});
