// Keeps blocks inside the number range that every decoder can represent; see src/dct/decoder-range.ts.
import {
  INVERSE_COSINES_1 as W1,
  INVERSE_COSINES_2 as W2,
  INVERSE_COSINES_3 as W3,
  INVERSE_COSINES_4 as W4,
  INVERSE_COSINES_5 as W5,
  INVERSE_COSINES_6 as W6,
  INVERSE_COSINES_7 as W7,
  SCAN,
} from '../generated/tables';

const ROW_SHIFT: i32 = 11;
const DC_SHIFT: i32 = 3;

// @ts-ignore: decorator
@inline
function leavesInt16(value: i32): bool {
  return value < -32768 || value > 32767;
}

// @ts-ignore: decorator
@inline
function at(coefficients: usize, u: usize, v: usize): i32 {
  return <i32>load<i16>(coefficients + ((u * 8 + v) << 1));
}

/** Whether a value of the even and the odd half of the row pass, added or subtracted, leaves int16. */
// @ts-ignore: decorator
@inline
function halvesLeaveInt16(a: i32, b: i32): bool {
  return leavesInt16((a + b) >> ROW_SHIFT) || leavesInt16((a - b) >> ROW_SHIFT);
}

/** Whether a result of the row pass of the inverse transform leaves int16. */
function rowPassOverflows(coefficients: usize): bool {
  for (let v: usize = 0; v < 8; v++) {
    const x0 = at(coefficients, 0, v);
    const x1 = at(coefficients, 1, v);
    const x2 = at(coefficients, 2, v);
    const x3 = at(coefficients, 3, v);
    const x4 = at(coefficients, 4, v);
    const x5 = at(coefficients, 5, v);
    const x6 = at(coefficients, 6, v);
    const x7 = at(coefficients, 7, v);
    if ((x1 | x2 | x3 | x4 | x5 | x6 | x7) == 0) {
      if (leavesInt16(x0 << DC_SHIFT)) return true;
      continue;
    }
    const rounding = W4 * x0 + (1 << (ROW_SHIFT - 1));
    const a0 = rounding + W2 * x2 + W4 * x4 + W6 * x6;
    const a1 = rounding + W6 * x2 - W4 * x4 - W2 * x6;
    const a2 = rounding - W6 * x2 - W4 * x4 + W2 * x6;
    const a3 = rounding - W2 * x2 + W4 * x4 - W6 * x6;
    if (halvesLeaveInt16(a0, W1 * x1 + W3 * x3 + W5 * x5 + W7 * x7)) return true;
    if (halvesLeaveInt16(a1, W3 * x1 - W7 * x3 - W1 * x5 - W5 * x7)) return true;
    if (halvesLeaveInt16(a2, W5 * x1 - W1 * x3 + W7 * x5 + W3 * x7)) return true;
    if (halvesLeaveInt16(a3, W7 * x1 - W5 * x3 + W3 * x5 - W1 * x7)) return true;
  }
  return false;
}

// @ts-ignore: decorator
@inline
function levelAt(levels: usize, position: i32): i32 {
  return <i32>load<i16>(levels + (<usize>position << 1));
}

/** Removes levels from the end of the scan until the row pass fits; returns the position after the last level left. */
export function limitToDecoderRange(levels: usize, reconstruction: usize, end: i32, first: i32): i32 {
  let last = end;
  while (last > first && rowPassOverflows(reconstruction)) {
    last--;
    while (last > first && levelAt(levels, last) == 0) last--;
    store<i16>(levels + (<usize>last << 1), 0);
    store<i16>(reconstruction + (<usize>load<u8>(SCAN + <usize>last) << 1), 0);
  }
  while (last > first && levelAt(levels, last - 1) == 0) last--;
  return last;
}
