// Lambda: how much distortion one bit is worth; see src/macroblock/row.
import { HIGH_RATE_SCALE, SQUARED_ERROR_PER_BIT } from '../../generated/tables';

// @ts-ignore: decorator
@inline
export function lambdaForSquaredError(scale: f64): f64 {
  return (SQUARED_ERROR_PER_BIT * scale * scale * scale) / (scale + HIGH_RATE_SCALE);
}
