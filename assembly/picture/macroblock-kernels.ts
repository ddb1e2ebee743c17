// Kernels on whole macroblocks in WASM SIMD; each equals its namesake in src/picture/macroblock-kernels.ts to the bit.
// The layouts are those of src/kernels/macroblock-kernels.ts.

import { forwardDct, reconstructBlock } from '../dct/forward-inverse-dct';
import { copyBlock, interpolate, sse16x16, sse8x8 } from './pixel-kernels';
import { quantizeBlock } from '../dct/quantize';
import { quantizeBlockByTrellis } from '../dct/trellis';

/** A picture's planes: pointers and strides. */
const PLANE_Y = 0;
const PLANE_U = 4;
const PLANE_V = 8;
const LUMA_STRIDE = 12;
const CHROMA_STRIDE = 16;

/** A trial. */
const COEFFICIENTS = 384;
const LEVELS = 1152;
const RECONSTRUCTION = 1920;
const DISTORTION = 2688;
const BITS = 2696;
const PATTERN = 2700;
const LEVEL_END = 2704;
const MAGNITUDE = 2712;

const BLOCKS = 6;
const BLOCK_BYTES = 128;

/** Predictions that stand for none, read with a stride of 0, and what quantizeBlock leaves. */
const gray: usize = memory.data<u8>([128, 128, 128, 128, 128, 128, 128, 128, 0, 0, 0, 0, 0, 0, 0, 0], 16);
const black: usize = memory.data(16, 16);
const cost: usize = memory.data(16, 16);

// @ts-ignore: decorator
@inline
function lumaStride(planes: usize): usize {
  return <usize>load<i32>(planes, LUMA_STRIDE);
}

// @ts-ignore: decorator
@inline
function chromaStride(planes: usize): usize {
  return <usize>load<i32>(planes, CHROMA_STRIDE);
}

// @ts-ignore: decorator
@inline
function lumaAt(planes: usize, mbX: i32, mbY: i32): usize {
  return <usize>(load<i32>(planes, PLANE_Y) + mbY * 16 * <i32>lumaStride(planes) + mbX * 16);
}

// @ts-ignore: decorator
@inline
function chromaOffset(planes: usize, mbX: i32, mbY: i32): usize {
  return <usize>(mbY * 8 * <i32>chromaStride(planes) + mbX * 8);
}

// @ts-ignore: decorator
@inline
function planeU(planes: usize): usize {
  return <usize>load<i32>(planes, PLANE_U);
}

// @ts-ignore: decorator
@inline
function planeV(planes: usize): usize {
  return <usize>load<i32>(planes, PLANE_V);
}

export function predictMacroblock(prediction: usize, planes: usize, mbX: i32, mbY: i32, x: i32, y: i32): void {
  const stride = lumaStride(planes);
  const at = lumaAt(planes, mbX, mbY) + <usize>((y >> 1) * <i32>stride + (x >> 1));
  interpolate(prediction, 16, at, stride, 16, x & 1, y & 1);
  // Half the vector, truncated toward zero.
  const chromaX = x / 2;
  const chromaY = y / 2;
  const narrow = chromaStride(planes);
  const offset = chromaOffset(planes, mbX, mbY) + <usize>((chromaY >> 1) * <i32>narrow + (chromaX >> 1));
  interpolate(prediction + 256, 8, planeU(planes) + offset, narrow, 8, chromaX & 1, chromaY & 1);
  interpolate(prediction + 320, 8, planeV(planes) + offset, narrow, 8, chromaX & 1, chromaY & 1);
}

export function averagePredictions(prediction: usize, other: usize): void {
  for (let i: usize = 0; i < 384; i += 64) {
    const at = prediction + i;
    const from = other + i;
    v128.store(at, v128.avgr<u8>(v128.load(at), v128.load(from)));
    v128.store(at, v128.avgr<u8>(v128.load(at, 16), v128.load(from, 16)), 16);
    v128.store(at, v128.avgr<u8>(v128.load(at, 32), v128.load(from, 32)), 32);
    v128.store(at, v128.avgr<u8>(v128.load(at, 48), v128.load(from, 48)), 48);
  }
}

export function predictionError(planes: usize, mbX: i32, mbY: i32, prediction: usize): i32 {
  const offset = chromaOffset(planes, mbX, mbY);
  const narrow = chromaStride(planes);
  return (
    sse16x16(lumaAt(planes, mbX, mbY), lumaStride(planes), prediction, 16) +
    sse8x8(planeU(planes) + offset, narrow, prediction + 256, 8) +
    sse8x8(planeV(planes) + offset, narrow, prediction + 320, 8)
  );
}

export function transformMacroblock(trial: usize, planes: usize, mbX: i32, mbY: i32, intra: bool): void {
  const stride = lumaStride(planes);
  const narrow = chromaStride(planes);
  const luma = lumaAt(planes, mbX, mbY);
  const below = luma + 8 * stride;
  const offset = chromaOffset(planes, mbX, mbY);
  const to = trial + COEFFICIENTS;
  if (intra) {
    forwardDct(to, luma, stride, gray, 0);
    forwardDct(to + 128, luma + 8, stride, gray, 0);
    forwardDct(to + 256, below, stride, gray, 0);
    forwardDct(to + 384, below + 8, stride, gray, 0);
    forwardDct(to + 512, planeU(planes) + offset, narrow, gray, 0);
    forwardDct(to + 640, planeV(planes) + offset, narrow, gray, 0);
    return;
  }
  forwardDct(to, luma, stride, trial, 16);
  forwardDct(to + 128, luma + 8, stride, trial + 8, 16);
  forwardDct(to + 256, below, stride, trial + 128, 16);
  forwardDct(to + 384, below + 8, stride, trial + 136, 16);
  forwardDct(to + 512, planeU(planes) + offset, narrow, trial + 256, 8);
  forwardDct(to + 640, planeV(planes) + offset, narrow, trial + 320, 8);
}

let distortion: f64 = 0;
let bits: i32 = 0;
let pattern: i32 = 0;

// @ts-ignore: decorator
@inline
function openSums(): void {
  distortion = 0;
  bits = 0;
  pattern = 0;
}

/** Takes a block, whose cost is at `cost`, into the sums. */
// @ts-ignore: decorator
@inline
function take(trial: usize, block: i32, end: i32, intra: bool, lambda: f64): void {
  store<u8>(trial + <usize>block, <u8>end, LEVEL_END);
  store<i32>(trial + (<usize>block << 2), load<i32>(cost, 12), MAGNITUDE);
  const coded = <f64>load<i32>(cost);
  const empty = <f64>load<i32>(cost, 4);
  const blockBits = load<i32>(cost, 8);
  if (intra || coded + lambda * <f64>blockBits < empty) {
    pattern |= 32 >> block;
    bits += blockBits;
    distortion += coded;
  } else distortion += empty;
}

// @ts-ignore: decorator
@inline
function storeSums(trial: usize): void {
  store<f64>(trial, distortion, DISTORTION);
  store<i32>(trial, bits, BITS);
  store<i32>(trial, pattern, PATTERN);
}

export function quantizeMacroblock(trial: usize, quantizer: usize, lengths: usize, intra: bool, lambda: f64): void {
  openSums();
  for (let block = 0; block < BLOCKS; block++) {
    const at = trial + <usize>(block * BLOCK_BYTES);
    const end = quantizeBlock(at + LEVELS, at + RECONSTRUCTION, at + COEFFICIENTS, quantizer, lengths, intra, cost);
    take(trial, block, end, intra, lambda);
  }
  storeSums(trial);
}

export function quantizeMacroblockByTrellis(
  trial: usize,
  quantizer: usize,
  lengths: usize,
  intra: bool,
  lambda: f64,
): void {
  const whole = <i32>Math.floor(lambda + 0.5);
  openSums();
  for (let block = 0; block < BLOCKS; block++) {
    const at = trial + <usize>(block * BLOCK_BYTES);
    const end = quantizeBlockByTrellis(
      at + LEVELS,
      at + RECONSTRUCTION,
      at + COEFFICIENTS,
      quantizer,
      lengths,
      intra,
      cost,
      whole,
    );
    take(trial, block, end, intra, lambda);
  }
  storeSums(trial);
}

// @ts-ignore: decorator
@inline
function reconstructOne(
  target: usize,
  stride: usize,
  prediction: usize,
  predictionStride: usize,
  trial: usize,
  block: i32,
  pattern: i32,
): void {
  if (pattern & (32 >> block)) {
    const reconstruction = trial + RECONSTRUCTION + <usize>(block * BLOCK_BYTES);
    reconstructBlock(target, stride, prediction, predictionStride, reconstruction);
  } else copyBlock(target, stride, prediction, predictionStride, 8);
}

export function reconstructMacroblock(
  planes: usize,
  mbX: i32,
  mbY: i32,
  trial: usize,
  pattern: i32,
  intra: bool,
): void {
  const stride = lumaStride(planes);
  const narrow = chromaStride(planes);
  const luma = lumaAt(planes, mbX, mbY);
  const below = luma + 8 * stride;
  const offset = chromaOffset(planes, mbX, mbY);
  const from = intra ? black : trial;
  const step: usize = intra ? 0 : 1;
  if (pattern & 0x3c) {
    reconstructOne(luma, stride, from, step * 16, trial, 0, pattern);
    reconstructOne(luma + 8, stride, from + step * 8, step * 16, trial, 1, pattern);
    reconstructOne(below, stride, from + step * 128, step * 16, trial, 2, pattern);
    reconstructOne(below + 8, stride, from + step * 136, step * 16, trial, 3, pattern);
  } else copyBlock(luma, stride, from, step * 16, 16);
  reconstructOne(planeU(planes) + offset, narrow, from + step * 256, step * 8, trial, 4, pattern);
  reconstructOne(planeV(planes) + offset, narrow, from + step * 320, step * 8, trial, 5, pattern);
}
