// The best vectors of motion fields, and how far vectors reach.

export function bestOfField(
  best: usize,
  dx: usize,
  dy: usize,
  costs: usize,
  candidates: i32,
  penalties: usize,
  macroblocks: i32,
): void {
  const step = <usize>candidates << 1;
  const array = <usize>macroblocks << 1;
  const end = best + array;
  for (; best < end; best += 2) {
    const x = <i32>load<i16>(dx);
    const y = <i32>load<i16>(dy);
    const cost = load<u32>(costs);
    const penalty = load<u32>(penalties + (<usize>abs(x) << 2)) + load<u32>(penalties + (<usize>abs(y) << 2));
    store<i16>(best, <i16>x);
    store<i16>(best + array, <i16>y);
    store<u16>(best + 2 * array, <u16>(cost > penalty ? cost - penalty : 0));
    dx += step;
    dy += step;
    costs += 2 * step;
  }
}

export function countExtents(counts: usize, dx: usize, dy: usize, candidates: i32, macroblocks: i32): void {
  const step = <usize>candidates << 1;
  for (let left = macroblocks; left > 0; left--) {
    const x = <i32>load<i16>(dx);
    const y = <i32>load<i16>(dy);
    const extent = max(2 * max(x, y) + 1, -2 * min(x, y));
    const at = counts + (<usize>(32 - clz(extent)) << 2);
    store<u32>(at, load<u32>(at) + 1);
    dx += step;
    dy += step;
  }
}

export function vectorExtent(flagsAt: usize, flags: i32, dx: usize, dy: usize, macroblocks: i32): i32 {
  const wanted = i8x16.splat(<i8>flags);
  const zero = i16x8.splat(0);
  let extents = zero;
  let left = macroblocks;
  for (; left >= 8; left -= 8) {
    const has = v128.and(v128.load64_zero(flagsAt), wanted);
    const counts = i16x8.ne(i16x8.extend_low_i8x16_u(has), zero);
    const x = v128.load(dx);
    const y = v128.load(dy);
    const extent = i16x8.max_s(i16x8.max_s(x, v128.not(x)), i16x8.max_s(y, v128.not(y)));
    extents = i16x8.max_s(extents, v128.and(extent, counts));
    flagsAt += 8;
    dx += 16;
    dy += 16;
  }
  extents = i16x8.max_s(extents, i16x8.shuffle(extents, extents, 4, 5, 6, 7, 0, 1, 2, 3));
  extents = i16x8.max_s(extents, i16x8.shuffle(extents, extents, 2, 3, 0, 1, 4, 5, 6, 7));
  let greatest = max(<i32>i16x8.extract_lane_s(extents, 0), <i32>i16x8.extract_lane_s(extents, 1));
  for (; left > 0; left--) {
    if (load<u8>(flagsAt) & flags) {
      const x = <i32>load<i16>(dx);
      const y = <i32>load<i16>(dy);
      greatest = max(greatest, max(max(x, ~x), max(y, ~y)));
    }
    flagsAt++;
    dx += 2;
    dy += 2;
  }
  return greatest;
}
