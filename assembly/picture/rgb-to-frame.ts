// Converts RGB images to frames, eight columns of two rows at a time.
import { C_OFFSET, CB_B, CB_G, CB_R, CR_B, CR_G, CR_R, Y_B, Y_G, Y_OFFSET, Y_R } from '../generated/tables';
import { scratch } from '../scratch';

/** Columns that are converted at a time, and bytes of so many pels of four bytes. */
const GROUP = 8;
const GROUP_BYTES = 32;
/** The last pels of two rows, and what is made of them: two rows of luma, one of U and one of V. */
const tailPels: usize = scratch(2 * GROUP_BYTES + 16);
const tailPlanes: usize = scratch(4 * GROUP);

/** 33039 does not fit in 16 bits: green counts in both products. */
const Y_G_WITH_R: i32 = Y_G >> 1;
const Y_G_WITH_B: i32 = Y_G - Y_G_WITH_R;

/** Factors of pairs of 16 bits. */
// @ts-ignore: decorator
@inline
function factors(first: i32, second: i32): v128 {
  return i32x4.splat((first & 0xffff) | (second << 16));
}

/** The luma of four pels, i32, of their red and green, and of their green and blue. */
// @ts-ignore: decorator
@inline
function luma(redGreen: v128, greenBlue: v128): v128 {
  const sum = i32x4.add(
    i32x4.dot_i16x8_s(redGreen, factors(Y_R, Y_G_WITH_R)),
    i32x4.dot_i16x8_s(greenBlue, factors(Y_G_WITH_B, Y_B)),
  );
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat(Y_OFFSET)), 16);
}

/** Four chroma samples, i32, of the sums of 2x2 pels. */
// @ts-ignore: decorator
@inline
function chroma(redGreen: v128, greenBlue: v128, ofRedGreen: v128, ofBlue: v128): v128 {
  const sum = i32x4.add(i32x4.dot_i16x8_s(redGreen, ofRedGreen), i32x4.dot_i16x8_s(greenBlue, ofBlue));
  return i32x4.shr_u(i32x4.add(sum, i32x4.splat(C_OFFSET)), 18);
}

/** Eight values of i32, 0..255, as bytes in the low half. */
// @ts-ignore: decorator
@inline
function bytes(low: v128, high: v128): v128 {
  const words = i16x8.narrow_i32x4_u(low, high);
  return i8x16.narrow_i16x8_u(words, words);
}

/** Pairs of four columns and of the next four, added up two columns at a time. */
// @ts-ignore: decorator
@inline
function addColumns(left: v128, right: v128): v128 {
  return i16x8.add(v128.shuffle<i32>(left, right, 0, 2, 4, 6), v128.shuffle<i32>(left, right, 1, 3, 5, 7));
}

/**
 * Converts eight columns of two rows. `redGreen` and `greenBlue` pick the pairs of four pels, each as two u16; four
 * pels have `step` bytes.
 */
function convertGroup(
  yTop: usize,
  yBottom: usize,
  u: usize,
  v: usize,
  top: usize,
  bottom: usize,
  step: usize,
  redGreen: v128,
  greenBlue: v128,
): void {
  const top0 = v128.load(top);
  const top1 = v128.load(top + step);
  const bottom0 = v128.load(bottom);
  const bottom1 = v128.load(bottom + step);
  const topRg0 = v128.swizzle(top0, redGreen);
  const topRg1 = v128.swizzle(top1, redGreen);
  const topGb0 = v128.swizzle(top0, greenBlue);
  const topGb1 = v128.swizzle(top1, greenBlue);
  const bottomRg0 = v128.swizzle(bottom0, redGreen);
  const bottomRg1 = v128.swizzle(bottom1, redGreen);
  const bottomGb0 = v128.swizzle(bottom0, greenBlue);
  const bottomGb1 = v128.swizzle(bottom1, greenBlue);
  v128.store64_lane(yTop, bytes(luma(topRg0, topGb0), luma(topRg1, topGb1)), 0);
  v128.store64_lane(yBottom, bytes(luma(bottomRg0, bottomGb0), luma(bottomRg1, bottomGb1)), 0);
  const rg = addColumns(i16x8.add(topRg0, bottomRg0), i16x8.add(topRg1, bottomRg1));
  const gb = addColumns(i16x8.add(topGb0, bottomGb0), i16x8.add(topGb1, bottomGb1));
  const ofU = chroma(rg, gb, factors(CB_R, CB_G), factors(0, CB_B));
  const ofV = chroma(rg, gb, factors(CR_R, CR_G), factors(0, CR_B));
  const both = bytes(ofU, ofV);
  v128.store32_lane(u, both, 0);
  v128.store32_lane(v, both, 1);
}

/** A swizzle that picks two bytes of each of four pels as u16. */
// @ts-ignore: decorator
@inline
function picking(first: i32, second: i32, pelBytes: i32): v128 {
  // A byte from beyond the vector is 0.
  const pel = i32x4.splat(first | 0x8000 | (second << 16) | 0x80000000);
  return i32x4.add(pel, i32x4.mul(i32x4(0, 1, 2, 3), i32x4.splat(pelBytes * 0x10001)));
}

export function convertRgb(
  y: usize,
  u: usize,
  v: usize,
  pels: usize,
  rowBytes: i32,
  pelBytes: i32,
  redAt: i32,
  width: i32,
  height: i32,
): void {
  const redGreen = picking(redAt, 1, pelBytes);
  const greenBlue = picking(1, 2 - redAt, pelBytes);
  const step = <usize>(4 * pelBytes);
  const rest = width & (GROUP - 1);
  const whole = width - rest;
  for (let row = 0; row < height; row += 2) {
    const hasRowBelow = row + 1 < height;
    let top = pels + <usize>(row * rowBytes);
    let bottom = hasRowBelow ? top + rowBytes : top;
    let yTop = y + <usize>(row * width);
    let yBottom = hasRowBelow ? yTop + width : yTop;
    for (let x = 0; x < whole; x += GROUP) {
      convertGroup(yTop, yBottom, u, v, top, bottom, step, redGreen, greenBlue);
      top += 2 * step;
      bottom += 2 * step;
      yTop += GROUP;
      yBottom += GROUP;
      u += GROUP / 2;
      v += GROUP / 2;
    }
    if (rest == 0) continue;
    const tailBytes = <usize>(rest * pelBytes);
    memory.copy(tailPels, top, tailBytes);
    memory.copy(tailPels + GROUP_BYTES, bottom, tailBytes);
    if (rest & 1) {
      memory.copy(tailPels + tailBytes, tailPels + tailBytes - pelBytes, pelBytes);
      memory.copy(tailPels + GROUP_BYTES + tailBytes, tailPels + GROUP_BYTES + tailBytes - pelBytes, pelBytes);
    }
    const tailU = tailPlanes + 2 * GROUP;
    const tailV = tailPlanes + 3 * GROUP;
    const bottomPels = tailPels + GROUP_BYTES;
    convertGroup(
      tailPlanes,
      tailPlanes + GROUP,
      tailU,
      tailV,
      tailPels,
      bottomPels,
      step,
      redGreen,
      greenBlue,
    );
    memory.copy(yTop, tailPlanes, rest);
    memory.copy(yBottom, tailPlanes + GROUP, rest);
    const chromaRest = (rest + 1) >> 1;
    memory.copy(u, tailU, chromaRest);
    memory.copy(v, tailV, chromaRest);
    u += chromaRest;
    v += chromaRest;
  }
}
