// What the macroblocks of a picture are predicted from, and the weights that they hand on: for the macroblock tree.
// src/kernels/contracts/weight-kernels.ts draws how `found` and a dependence lie in memory.

export function squareErrors(squaredErrors: usize, found: usize, macroblocks: i32): void {
  const intra = found + 20 * <usize>macroblocks;
  for (let address: usize = 0; address < <usize>macroblocks; address++) {
    const sad = load<u32>(found + (address << 2));
    const error = <f64>sad * (1.0 / 256.0);
    // Without a branch, which would often be predicted wrong: all bits where intra is better.
    const isIntra = -(<u64>(sad > <u32>load<u16>(intra + (address << 1))));
    const bits = (reinterpret<u64>(error * error) & ~isIntra) | (reinterpret<u64>(Infinity) & isIntra);
    store<u64>(squaredErrors + (address << 3), bits);
  }
}

export function findDependence(
  dependence: usize,
  found: usize,
  columns: i32,
  rows: i32,
  anchor: i32,
  anchors: i32,
): void {
  const macroblocks = <usize>(columns * rows);
  const vectors = found + (12 + 4 * <usize>anchor) * macroblocks;
  const parts = dependence + 8 * macroblocks;
  let address: usize = 0;
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++, address++) {
      const x = 16 * column + <i32>load<i16>(vectors + (address << 1));
      const y = 16 * row + <i32>load<i16>(vectors + ((macroblocks + address) << 1));
      store<i32>(dependence + (address << 2), (y >> 4) * (columns + 1) + (x >> 4));
      store<u8>(parts + address, x & 15);
      store<u8>(parts + macroblocks + address, y & 15);
      let ofPast: f32 = 1;
      if (anchors > 1) {
        const sad = load<u32>(found + (address << 2));
        const past = load<u32>(found + ((macroblocks + address) << 2));
        const future = load<u32>(found + ((2 * macroblocks + address) << 2));
        const isBoth = i32(sad < past) & i32(sad < future);
        ofPast = 0.5 * <f32>(isBoth + 2 * (i32(past <= future) & ~isBoth));
      }
      store<f32>(dependence + ((macroblocks + address) << 2), anchor === 0 ? ofPast : 1 - ofPast);
    }
  }
}

export function findDivisors(divisors: usize, squaredErrors: usize, macroblocks: i32, perSquaredScale: f64): void {
  for (let at: usize = 0; at < <usize>macroblocks << 3; at += 8) {
    store<f64>(divisors + at, 1 + load<f64>(squaredErrors + at) * perSquaredScale);
  }
}

export function handOnWeights(
  to: usize,
  own: usize,
  dependence: usize,
  divisors: usize,
  columns: i32,
  rows: i32,
): void {
  const macroblocks = <usize>(columns * rows);
  const below = (<usize>columns + 1) << 3;
  const parts = dependence + 8 * macroblocks;
  let address: usize = 0;
  for (let row = 0; row < rows; row++) {
    for (const end = address + columns; address < end; address++) {
      const share = <f64>load<f32>(dependence + ((macroblocks + address) << 2));
      const handed = (share * (1 + load<f64>(own + (address << 3)))) / load<f64>(divisors + (address << 3));
      const toRight = handed * (<f64>load<u8>(parts + address) * (1.0 / 16.0));
      const toLeft = handed - toRight;
      const partBelow = <f64>load<u8>(parts + macroblocks + address) * (1.0 / 16.0);
      const partAbove = 1 - partBelow;
      const at = to + (<usize>load<i32>(dependence + (address << 2)) << 3);
      store<f64>(at, load<f64>(at) + toLeft * partAbove);
      store<f64>(at, load<f64>(at, 8) + toRight * partAbove, 8);
      store<f64>(at + below, load<f64>(at + below) + toLeft * partBelow);
      store<f64>(at + below, load<f64>(at + below, 8) + toRight * partBelow, 8);
    }
    // Weights have a column more than macroblocks.
    own += 8;
  }
}

export function addWeights(to: usize, weights: usize, count: i32): void {
  let at: usize = 0;
  const end = <usize>count << 3;
  for (; at + 8 < end; at += 16) v128.store(to + at, f64x2.add(v128.load(to + at), v128.load(weights + at)));
  if (at < end) store<f64>(to + at, load<f64>(to + at) + load<f64>(weights + at));
}
