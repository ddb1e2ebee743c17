// Looking for the vectors of macroblocks in WASM SIMD; each kernel equals its namesake in src/motion/search/macroblock-vectors.ts to
// the bit. The layouts are those of src/kernels/vector-kernels.ts.

import { interpolate, sad16x16, sadAverage16x16, sadHalfPel16x16, sadHalfPelNeighbours16x16 } from '../../picture/pixel-kernels';

/** A vector search. */
const SOURCE = 0;
const REFERENCE = 4;
const DIFFERENCE_BITS = 8;
const LEAST = 12;
const GREATEST = 16;
const RIGHT = 20;
const BOTTOM = 24;
const ROUNDS = 28;
const MB_WIDTH = 32;
const CANDIDATES = 36;
const FIELD_X = 40;
const FIELD_Y = 44;
const CHOSEN_X = 48;
const CHOSEN_Y = 52;
const LAMBDA = 56;
const COST = 64;
const X = 72;
const Y = 76;
const SAD = 80;
const ZERO_SAD = 84;
const TRIED_COUNT = 88;
const PREDICTED_X = 92;
const PREDICTED_Y = 96;
const MB_X = 100;
const MB_Y = 104;
const NEIGHBOURS_TOO = 108;
const TRIED_COST = 112;
const TRIED = 624;
const MAX_TRIED = 64;

/** A picture's planes. */
const PLANE_Y = 0;
const LUMA_STRIDE = 12;

/** A joint search. */
const JOINT_FORWARD = 0;
const JOINT_BACKWARD = 4;
const JOINT_ROUNDS = 8;
const JOINT_SCRATCH = 12;
const JOINT_COST = 16;
const JOINT_FORWARD_X = 24;
const JOINT_FORWARD_Y = 28;
const JOINT_BACKWARD_X = 32;
const JOINT_BACKWARD_Y = 36;
const JOINT_SAD = 40;

/** The eight half-pel neighbours of a vector as bytes x, y, the nearest first, and their SADs. */
const NEIGHBOURS: usize = memory.data<i8>([0, -1, -1, 0, 1, 0, 0, 1, -1, -1, 1, -1, -1, 1, 1, 1]);
const neighbourSads: usize = memory.data(32, 16);

/** What is true of all vectors of the open search. */
let least: i32 = 0;
let greatest: i32 = 0;
/** Extremes of the components that keep the macroblock inside the picture. */
let leastX: i32 = 0;
let leastY: i32 = 0;
let greatestX: i32 = 0;
let greatestY: i32 = 0;
let pels: usize = 0;
let stride: usize = 0;
let match0: usize = 0;
let matchStride: usize = 0;
let bitsX: usize = 0;
let bitsY: usize = 0;
let lambda: f64 = 0;

/** Makes a search that knows its macroblock the open one. */
function open(search: usize): void {
  const mbX = load<i32>(search, MB_X);
  const mbY = load<i32>(search, MB_Y);
  least = load<i32>(search, LEAST);
  greatest = load<i32>(search, GREATEST);
  leastX = max(least, -32 * mbX);
  leastY = max(least, -32 * mbY);
  greatestX = min(greatest, load<i32>(search, RIGHT) - 32 * mbX);
  greatestY = min(greatest, load<i32>(search, BOTTOM) - 32 * mbY);
  const source = <usize>load<i32>(search, SOURCE);
  const reference = <usize>load<i32>(search, REFERENCE);
  stride = <usize>load<i32>(source, LUMA_STRIDE);
  matchStride = <usize>load<i32>(reference, LUMA_STRIDE);
  pels = <usize>load<i32>(source, PLANE_Y) + <usize>(16 * mbY) * stride + <usize>(16 * mbX);
  match0 = <usize>load<i32>(reference, PLANE_Y) + <usize>(16 * mbY) * matchStride + <usize>(16 * mbX);
  const table = load<i32>(search, DIFFERENCE_BITS);
  bitsX = <usize>(table - load<i32>(search, PREDICTED_X));
  bitsY = <usize>(table - load<i32>(search, PREDICTED_Y));
  lambda = load<f64>(search, LAMBDA);
}

// @ts-ignore: decorator
@inline
function allows(x: i32, y: i32): bool {
  return x >= leastX && x <= greatestX && y >= leastY && y <= greatestY;
}

/** lambda * bits of a vector in the open search. */
// @ts-ignore: decorator
@inline
function bitCost(x: i32, y: i32): f64 {
  return lambda * <f64>(<i32>load<u8>(bitsX + <usize>x) + <i32>load<u8>(bitsY + <usize>y));
}

/** The pel that a vector names. */
// @ts-ignore: decorator
@inline
function matchAt(x: i32, y: i32): usize {
  return match0 + <usize>((y >> 1) * <i32>matchStride + (x >> 1));
}

/** A vector in one word. */
// @ts-ignore: decorator
@inline
function pack(x: i32, y: i32): i32 {
  return (x & 0xffff) | (y << 16);
}

// @ts-ignore: decorator
@inline
function wasTried(search: usize, vector: i32, count: i32): bool {
  const wanted = i32x4.splat(vector);
  const end = search + (<usize>count << 2);
  let at = search;
  for (; at + 16 <= end; at += 16) if (v128.any_true(v128.eq<i32>(v128.load(at, TRIED), wanted))) return true;
  for (; at < end; at += 4) if (load<i32>(at, TRIED) == vector) return true;
  return false;
}

/** Remembers a vector that was compared, and keeps the better one. */
// @ts-ignore: decorator
@inline
function note(search: usize, count: i32, x: i32, y: i32, sad: i32): void {
  const cost = <f64>sad + bitCost(x, y);
  store<i32>(search + (<usize>count << 2), pack(x, y), TRIED);
  store<f64>(search + (<usize>count << 3), cost, TRIED_COST);
  store<i32>(search, count + 1, TRIED_COUNT);
  if ((x | y) == 0) store<i32>(search, sad, ZERO_SAD);
  if (cost >= load<f64>(search, COST)) return;
  store<f64>(search, cost, COST);
  store<i32>(search, x, X);
  store<i32>(search, y, Y);
  store<i32>(search, sad, SAD);
}

/** Compares one vector; one that is not allowed or has been tried is passed over. */
function propose(search: usize, x: i32, y: i32): void {
  const count = load<i32>(search, TRIED_COUNT);
  if (count == MAX_TRIED || !allows(x, y) || wasTried(search, pack(x, y), count)) return;
  const at = matchAt(x, y);
  const sad =
    ((x | y) & 1) == 0
      ? sad16x16(pels, stride, at, matchStride)
      : sadHalfPel16x16(pels, stride, at, matchStride, x & 1, y & 1);
  note(search, count, x, y, sad);
}

// @ts-ignore: decorator
@inline
function proposeNeighbour(search: usize, address: i32): void {
  const offset = <usize>address << 1;
  const x = <i32>load<i16>(<usize>load<i32>(search, CHOSEN_X) + offset);
  propose(search, x, <i32>load<i16>(<usize>load<i32>(search, CHOSEN_Y) + offset));
}

/** Compares the half-pel neighbours of a full-pel vector in one go. */
function proposeAround(search: usize, x: i32, y: i32): void {
  sadHalfPelNeighbours16x16(pels, stride, matchAt(x, y), matchStride, neighbourSads);
  for (let i: usize = 0; i < 8; i++) {
    const nearX = x + <i32>load<i8>(NEIGHBOURS + 2 * i);
    const nearY = y + <i32>load<i8>(NEIGHBOURS + 2 * i, 1);
    const count = load<i32>(search, TRIED_COUNT);
    if (!allows(nearX, nearY) || wasTried(search, pack(nearX, nearY), count)) continue;
    note(search, count, nearX, nearY, load<i32>(neighbourSads + 4 * i));
  }
}

export function findVector(search: usize, mbX: i32, mbY: i32, predictedX: i32, predictedY: i32): void {
  store<i32>(search, mbX, MB_X);
  store<i32>(search, mbY, MB_Y);
  store<i32>(search, predictedX, PREDICTED_X);
  store<i32>(search, predictedY, PREDICTED_Y);
  store<i32>(search, 0, TRIED_COUNT);
  store<i32>(search, 0, X);
  store<i32>(search, 0, Y);
  store<i32>(search, 0, SAD);
  store<i32>(search, 0, ZERO_SAD);
  store<f64>(search, Infinity, COST);
  open(search);
  const mbWidth = load<i32>(search, MB_WIDTH);
  const address = mbY * mbWidth + mbX;
  propose(search, 0, 0);
  propose(search, predictedX, predictedY);
  const candidates = load<i32>(search, CANDIDATES);
  let fieldX = <usize>(load<i32>(search, FIELD_X) + 2 * address * candidates);
  let fieldY = <usize>(load<i32>(search, FIELD_Y) + 2 * address * candidates);
  for (let i = 0; i < candidates; i++) {
    propose(search, 2 * <i32>load<i16>(fieldX), 2 * <i32>load<i16>(fieldY));
    fieldX += 2;
    fieldY += 2;
  }
  if (load<i32>(search, NEIGHBOURS_TOO) != 0) {
    if (mbX > 0) proposeNeighbour(search, address - 1);
    if (mbY > 0) {
      proposeNeighbour(search, address - mbWidth);
      if (mbX + 1 < mbWidth) proposeNeighbour(search, address - mbWidth + 1);
    }
  }
  const rounds = load<i32>(search, ROUNDS);
  for (let round = 0; round < rounds; round++) {
    const x = load<i32>(search, X);
    const y = load<i32>(search, Y);
    if (((x | y) & 1) == 0 && load<i32>(search, TRIED_COUNT) + 8 <= MAX_TRIED) proposeAround(search, x, y);
    else {
      for (let i: usize = 0; i < 16; i += 2) {
        propose(search, x + <i32>load<i8>(NEIGHBOURS + i), y + <i32>load<i8>(NEIGHBOURS + i, 1));
      }
    }
    if (load<i32>(search, X) == x && load<i32>(search, Y) == y) return;
  }
}

/** Forms the prediction of a search with a vector in half-pels at `scratch`; the search becomes the open one. */
// @ts-ignore: decorator
@inline
function fix(search: usize, scratch: usize, x: i32, y: i32): void {
  open(search);
  interpolate(scratch, 16, matchAt(x, y), matchStride, 16, x & 1, y & 1);
}

// @ts-ignore: decorator
@inline
function jointSad(scratch: usize, x: i32, y: i32): i32 {
  return sadAverage16x16(pels, stride, scratch, matchAt(x, y), matchStride, x & 1, y & 1);
}

/** Moves the vector at `joint + at` in the open search to its best neighbour; returns whether it moved. */
function move(joint: usize, scratch: usize, at: usize, fixedCost: f64): bool {
  const x = load<i32>(joint + at);
  const y = load<i32>(joint + at, 4);
  for (let i: usize = 0; i < 16; i += 2) {
    const tryX = x + <i32>load<i8>(NEIGHBOURS + i);
    const tryY = y + <i32>load<i8>(NEIGHBOURS + i, 1);
    if (!allows(tryX, tryY)) continue;
    const sad = jointSad(scratch, tryX, tryY);
    const cost = <f64>sad + (fixedCost + bitCost(tryX, tryY));
    if (cost >= load<f64>(joint, JOINT_COST)) continue;
    store<f64>(joint, cost, JOINT_COST);
    store<i32>(joint, sad, JOINT_SAD);
    store<i32>(joint + at, tryX);
    store<i32>(joint + at, tryY, 4);
  }
  return load<i32>(joint + at) != x || load<i32>(joint + at, 4) != y;
}

export function refineJointly(joint: usize): void {
  const forward = <usize>load<i32>(joint, JOINT_FORWARD);
  const backward = <usize>load<i32>(joint, JOINT_BACKWARD);
  const scratch = <usize>load<i32>(joint, JOINT_SCRATCH);
  const rounds = load<i32>(joint, JOINT_ROUNDS);
  let forwardDxHalfPels = load<i32>(forward, X);
  let forwardDyHalfPels = load<i32>(forward, Y);
  let backwardDxHalfPels = load<i32>(backward, X);
  let backwardDyHalfPels = load<i32>(backward, Y);
  store<i32>(joint, forwardDxHalfPels, JOINT_FORWARD_X);
  store<i32>(joint, forwardDyHalfPels, JOINT_FORWARD_Y);
  store<i32>(joint, backwardDxHalfPels, JOINT_BACKWARD_X);
  store<i32>(joint, backwardDyHalfPels, JOINT_BACKWARD_Y);
  fix(forward, scratch, forwardDxHalfPels, forwardDyHalfPels);
  let fixedCost = bitCost(forwardDxHalfPels, forwardDyHalfPels);
  open(backward);
  const sad = jointSad(scratch, backwardDxHalfPels, backwardDyHalfPels);
  store<i32>(joint, sad, JOINT_SAD);
  store<f64>(joint, <f64>sad + fixedCost + bitCost(backwardDxHalfPels, backwardDyHalfPels), JOINT_COST);
  for (let round = 0; round < rounds; round++) {
    if (round > 0) {
      fix(forward, scratch, forwardDxHalfPels, forwardDyHalfPels);
      fixedCost = bitCost(forwardDxHalfPels, forwardDyHalfPels);
      open(backward);
    }
    const backwardMoved = move(joint, scratch, JOINT_BACKWARD_X, fixedCost);
    backwardDxHalfPels = load<i32>(joint, JOINT_BACKWARD_X);
    backwardDyHalfPels = load<i32>(joint, JOINT_BACKWARD_Y);
    fix(backward, scratch, backwardDxHalfPels, backwardDyHalfPels);
    fixedCost = bitCost(backwardDxHalfPels, backwardDyHalfPels);
    open(forward);
    const forwardMoved = move(joint, scratch, JOINT_FORWARD_X, fixedCost);
    if (!backwardMoved && !forwardMoved) return;
    forwardDxHalfPels = load<i32>(joint, JOINT_FORWARD_X);
    forwardDyHalfPels = load<i32>(joint, JOINT_FORWARD_Y);
  }
}
