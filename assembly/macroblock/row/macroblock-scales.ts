// Gives macroblocks whole quantizer_scales; see src/macroblock/row.
import { MAX_KEPT_DEVIATION, MAX_QUANTIZER_SCALE } from '../../generated/tables';

// @ts-ignore: decorator
@inline
export function keepsScale(previous: i32, wanted: f64): bool {
  return abs(<f64>previous / wanted - 1) < MAX_KEPT_DEVIATION;
}

export function wholeScale(wanted: f64, address: i32, start: i32, count: i32): i32 {
  const whole = <i32>wanted;
  if (<f64>whole == wanted) return max(1, min(MAX_QUANTIZER_SCALE, whole)); // most are: this takes no division
  const threshold = (<f64>((address + start) % count) + 0.5) / <f64>count;
  return <i32>max<f64>(1, min<f64>(MAX_QUANTIZER_SCALE, Math.floor(wanted + 1 - threshold)));
}
