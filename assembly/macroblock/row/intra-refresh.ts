// Makes a macroblock intra before drift adds up; see src/macroblock/row.
import { EARLIEST_REFRESH, MAX_PREDICTED, TURN_PICTURES, TURN_STEP } from '../../generated/tables';

export function isRefreshDue(predictions: i32, address: i32, anchorNumber: i32): bool {
  if (predictions >= MAX_PREDICTED) return true;
  return predictions >= EARLIEST_REFRESH && (address * TURN_STEP + anchorNumber) % TURN_PICTURES == 0;
}
