// What the macroblocks of a source picture cost without a prediction, and with the mean of two: for the lookahead.
import { absoluteDifference, addAbsoluteDifferences, sumLanes16, twoRowsOf8 } from '../lanes';

// @ts-ignore: decorator
@inline
function pairs(pels: v128): v128 {
  return i16x8.extadd_pairwise_i8x16_u(pels);
}

/** Sum of the pels of the block visited last. */
let blockSum: i32 = 0;

/** The sum of |pel - mean of the block| of an 8x8 block. */
function deviation8x8(at: usize, stride: usize): i32 {
  const r0 = twoRowsOf8(at, stride);
  const r1 = twoRowsOf8(at + 2 * stride, stride);
  const r2 = twoRowsOf8(at + 4 * stride, stride);
  const r3 = twoRowsOf8(at + 6 * stride, stride);
  blockSum = sumLanes16(i16x8.add(i16x8.add(pairs(r0), pairs(r1)), i16x8.add(pairs(r2), pairs(r3))));
  const mean = i8x16.splat(<i8>((blockSum + 32) >> 6));
  const d01 = addAbsoluteDifferences(pairs(absoluteDifference(r0, mean)), r1, mean);
  const d23 = addAbsoluteDifferences(pairs(absoluteDifference(r2, mean)), r3, mean);
  return sumLanes16(i16x8.add(d01, d23));
}

export function macroblockDeviations(deviations: usize, plane: usize, width: i32, height: i32): f64 {
  const stride = <usize>width;
  let total: u32 = 0; // of the largest picture 4096 * 2800 * 255, beyond i32
  for (let y = 0; y < height; y += 16) {
    for (let x = 0; x < width; x += 16) {
      const at = plane + <usize>(y * width + x);
      let sum = deviation8x8(at, stride);
      total += blockSum;
      sum += deviation8x8(at + 8, stride);
      total += blockSum;
      sum += deviation8x8(at + 8 * stride, stride);
      total += blockSum;
      sum += deviation8x8(at + 8 * stride + 8, stride);
      total += blockSum;
      store<u16>(deviations, <u16>sum);
      deviations += 2;
    }
  }
  return <f64>total;
}

/** Address of the match of the block at `at` by component arrays of a field; `macroblocks` entries each. */
// @ts-ignore: decorator
@inline
function matchOf(at: usize, vectors: usize, address: usize, macroblocks: usize, stride: i32): usize {
  const dx = <i32>load<i16>(vectors + (address << 1));
  const dy = <i32>load<i16>(vectors + ((macroblocks + address) << 1));
  return at + <usize>(dy * stride + dx);
}

export function interpolatedSads(
  sads: usize,
  vectors: usize,
  current: usize,
  past: usize,
  future: usize,
  columns: i32,
  rows: i32,
): void {
  const macroblocks = <usize>(columns * rows);
  const stride = 16 * columns;
  let address: usize = 0;
  for (let y = 0; y < rows; y++) {
    for (let x = 0; x < columns; x++, address++) {
      const place = <usize>(16 * (y * stride + x));
      let a = current + place;
      let b = matchOf(past + place, vectors, address, macroblocks, stride);
      let c = matchOf(future + place, vectors + (macroblocks << 2), address, macroblocks, stride);
      let sum = i16x8.splat(0);
      for (let row = 0; row < 16; row++) {
        sum = addAbsoluteDifferences(sum, v128.load(a), i8x16.avgr_u(v128.load(b), v128.load(c)));
        a += stride;
        b += stride;
        c += stride;
      }
      store<u16>(sads + (address << 1), <u16>sumLanes16(sum));
    }
  }
}

/** As MAX_COST_PRODUCT of the contract. */
const MAX_PRODUCT: f64 = 1e280;

export function sumCodingCosts(sums: usize, sads: usize, intra: usize, first: i32, macroblocks: i32): i32 {
  let sum = load<f64>(sums);
  let product = load<f64>(sums, 8);
  const a = v128.load64_splat(sums, 16);
  const b = v128.load64_splat(sums, 24);
  const c = v128.load64_splat(sums, 32);
  const d = v128.load64_splat(sums, 40);
  const e = v128.load64_splat(sums, 48);
  const one = f64x2.splat(1);
  let address = first;
  // Two macroblocks at a time; what they cost is added one after the other, as floating point sums depend on the order.
  for (; address < macroblocks && product <= MAX_PRODUCT; address++) {
    const sad = i32x4.extend_low_i16x8_u(v128.load32_zero(sads + (<usize>address << 1)));
    const ofIntra = i32x4.extend_low_i16x8_u(v128.load32_zero(intra + (<usize>address << 1)));
    const error = f64x2.mul(f64x2.convert_low_i32x4_u(i32x4.min_u(sad, ofIntra)), a);
    const squared = f64x2.mul(error, error);
    const power = f64x2.sub(f64x2.add(squared, b), f64x2.mul(c, f64x2.pmin(d, f64x2.mul(squared, e))));
    const costs = f64x2.pmin(power, one);
    const factors = f64x2.pmax(power, one);
    sum += f64x2.extract_lane(costs, 0);
    product *= f64x2.extract_lane(factors, 0);
    if (product > MAX_PRODUCT || address + 1 === macroblocks) continue;
    sum += f64x2.extract_lane(costs, 1);
    product *= f64x2.extract_lane(factors, 1);
    address++;
  }
  store<f64>(sums, sum);
  store<f64>(sums, product, 8);
  return address;
}

/** The sum of four u32 lanes, a number that may need more than 32 bits. */
function sumUnsignedLanes(lanes: v128): f64 {
  const low = f64x2.convert_low_i32x4_u(lanes);
  const high = f64x2.convert_low_i32x4_u(i32x4.shuffle(lanes, lanes, 2, 3, 0, 1));
  const sums = f64x2.add(low, high);
  return f64x2.extract_lane(sums, 0) + f64x2.extract_lane(sums, 1);
}

export function sumAtLeast(values: usize, least: i32, count: i32): f64 {
  const floor = i16x8.splat(<i16>least);
  let sums = i32x4.splat(0);
  let left = count;
  for (; left >= 8; left -= 8) {
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(i16x8.max_u(v128.load(values), floor)));
    values += 16;
  }
  let sum = sumUnsignedLanes(sums);
  for (; left > 0; left--) {
    sum += <f64>max(<i32>load<u16>(values), least);
    values += 2;
  }
  return sum;
}

export function sumLesser(values: usize, others: usize, least: i32, count: i32): f64 {
  const floor = i16x8.splat(<i16>least);
  let sums = i32x4.splat(0);
  let left = count;
  for (; left >= 8; left -= 8) {
    const lesser = i16x8.min_u(v128.load(values), i16x8.max_u(v128.load(others), floor));
    sums = i32x4.add(sums, i32x4.extadd_pairwise_i16x8_u(lesser));
    values += 16;
    others += 16;
  }
  let sum = sumUnsignedLanes(sums);
  for (; left > 0; left--) {
    sum += <f64>min(<i32>load<u16>(values), max(<i32>load<u16>(others), least));
    values += 2;
    others += 2;
  }
  return sum;
}

export function takeLesser(values: usize, others: usize, count: i32): void {
  let left = count;
  for (; left >= 8; left -= 8) {
    v128.store(values, i16x8.min_u(v128.load(values), v128.load(others)));
    values += 16;
    others += 16;
  }
  for (; left > 0; left--) {
    store<u16>(values, min(load<u16>(values), load<u16>(others)));
    values += 2;
    others += 2;
  }
}
