// Keeps blocks inside the number range that every decoder can represent.
import { inverseDctRows } from './inverse-dct.js';
import { SCAN } from './scan.js';

/**
 * Up to this sum of |coefficients| no intermediate of the row pass can leave int16: the largest constant of the pass is
 * 22725 / 2^11, and 2952 * 22725 / 2^11 < 32768.
 */
export const SAFE_MAGNITUDE = 2952;

/**
 * Makes a block safe for every decoder. Decoders keep the row pass of the inverse transform in int16; what does not
 * fit wraps in some and saturates in others. Removes levels from the end of the scan until everything fits. Returns
 * the scan position after the last level left. `levels` is in scan order, `reconstruction` column by column; both are
 * changed in place. Only coarse quantization of extreme contrasts needs this.
 */
export function limitToDecoderRange(
  levels: Int16Array,
  reconstruction: Int16Array,
  end: number,
  first: number,
): number {
  let last = end;
  while (last > first && inverseDctRows(reconstruction).some(value => value < -32768 || value > 32767)) {
    last--;
    while (last > first && levels[last] === 0) last--;
    levels[last] = 0;
    reconstruction[SCAN[last]!] = 0;
  }
  while (last > first && levels[last - 1] === 0) last--;
  return last;
}
