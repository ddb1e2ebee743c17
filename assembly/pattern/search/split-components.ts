// Takes coloured pels apart: sixteen pels at a time.

/** Sixteen pels: `first`, `second` and `third` are their 48 bytes. */
// @ts-ignore: decorator
@inline
function storeSixteen(planes: usize, count: usize, first: v128, second: v128, third: v128): void {
  const red = v128.shuffle<u8>(first, second, 0, 3, 6, 9, 12, 15, 18, 21, 24, 27, 30, 0, 0, 0, 0, 0);
  const green = v128.shuffle<u8>(first, second, 1, 4, 7, 10, 13, 16, 19, 22, 25, 28, 31, 0, 0, 0, 0, 0);
  const blue = v128.shuffle<u8>(first, second, 2, 5, 8, 11, 14, 17, 20, 23, 26, 29, 0, 0, 0, 0, 0, 0);
  v128.store(planes, v128.shuffle<u8>(red, third, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 17, 20, 23, 26, 29));
  v128.store(planes + count, v128.shuffle<u8>(green, third, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 18, 21, 24, 27, 30));
  v128.store(planes + 2 * count, v128.shuffle<u8>(blue, third, 0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 16, 19, 22, 25, 28, 31));
}

export function splitComponents(planes: usize, pels: usize, count: i32): void {
  let i = 0;
  for (; i + 16 <= count; i += 16) {
    storeSixteen(planes + i, count, v128.load(pels), v128.load(pels, 16), v128.load(pels, 32));
    pels += 48;
  }
  for (; i < count; i++) {
    store<u8>(planes + i, load<u8>(pels));
    store<u8>(planes + count + i, load<u8>(pels, 1));
    store<u8>(planes + 2 * count + i, load<u8>(pels, 2));
    pels += 3;
  }
}
