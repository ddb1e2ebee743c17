// The motion search of a macroblock: compares candidate vectors on the reference, then refines the best to half-pels.
import { CandidateSearch } from '../../generated/records';
import { MAX_TRIED_VECTORS, NEIGHBOURS } from '../../generated/tables';
import { sad16x16 } from '../../picture/block-differences';
import { sadHalfPel16x16, sadNeighbours16x16 } from './half-pel-sads';
import {
  bitCost,
  isLegal,
  isLegalAround,
  matchOf,
  matchStride,
  openSearch,
  pels,
  stride,
} from './macroblock-match';
import { scratch } from '../../scratch';

/** SADs of the eight half-pel neighbours of a vector. */
const neighbourSads: usize = scratch(32);

/** A vector in one word, as it lies among the vectors tried. */
// @ts-ignore: decorator
@inline
function pack(dx: i32, dy: i32): i32 {
  return (dx & 0xffff) | (dy << 16);
}

/** Whether a packed vector is among the first `count` that were tried. */
// @ts-ignore: decorator
@inline
function wasTried(search: CandidateSearch, vector: i32, count: i32): bool {
  const wanted = i32x4.splat(vector);
  let at = search.tried;
  const end = at + (<usize>count << 2);
  for (; at + 16 <= end; at += 16) if (v128.any_true(v128.eq<i32>(v128.load(at), wanted))) return true;
  for (; at < end; at += 4) if (load<i32>(at) == vector) return true;
  return false;
}

/** A vector becomes the best one where it costs less. Returns what it costs. */
// @ts-ignore: decorator
@inline
function compare(search: CandidateSearch, dx: i32, dy: i32, sad: i32): f64 {
  const cost = <f64>sad + bitCost(dx, dy);
  if (cost < search.cost) {
    search.cost = cost;
    search.dxHalfPels = dx;
    search.dyHalfPels = dy;
    search.sad = sad;
  }
  return cost;
}

/** Compares a vector, and remembers it. */
// @ts-ignore: decorator
@inline
function enter(search: CandidateSearch, dx: i32, dy: i32, sad: i32): void {
  const count = search.triedCount;
  store<f64>(search.triedCosts + (<usize>count << 3), compare(search, dx, dy, sad));
  store<i32>(search.tried + (<usize>count << 2), pack(dx, dy));
  search.triedCount = count + 1;
  if ((dx | dy) == 0) search.zeroSad = sad;
}

/** Compares one vector with the best so far, unless it is illegal or was tried. */
function tryVector(search: CandidateSearch, dx: i32, dy: i32): void {
  const count = search.triedCount;
  if (count == MAX_TRIED_VECTORS || !isLegal(dx, dy) || wasTried(search, pack(dx, dy), count)) return;
  const at = matchOf(dx, dy);
  const sad =
    ((dx | dy) & 1) == 0
      ? sad16x16(pels, stride, at, matchStride)
      : sadHalfPel16x16(pels, stride, at, matchStride, dx & 1, dy & 1);
  enter(search, dx, dy, sad);
}

/** Whether the best vector so far is good enough. */
// @ts-ignore: decorator
@inline
function isEnough(search: CandidateSearch): bool {
  return search.sad < search.enoughSad;
}

/** Compares a vector that does not come from refining another, unless the best so far is good enough. */
function tryCandidate(search: CandidateSearch, dx: i32, dy: i32): void {
  if (!isEnough(search)) tryVector(search, dx, dy);
}

/** Tries the vector chosen for another macroblock. */
// @ts-ignore: decorator
@inline
function tryVectorOf(search: CandidateSearch, address: i32): void {
  const offset = <usize>address << 1;
  tryCandidate(search, <i32>load<i16>(search.chosenDx + offset), <i32>load<i16>(search.chosenDy + offset));
}

/** The components of a half-pel neighbour. */
// @ts-ignore: decorator
@inline
function neighbourDx(neighbour: usize): i32 {
  return <i32>load<i8>(NEIGHBOURS + 2 * neighbour);
}
// @ts-ignore: decorator
@inline
function neighbourDy(neighbour: usize): i32 {
  return <i32>load<i8>(NEIGHBOURS + 2 * neighbour, 1);
}

/** A bit for each half-pel neighbour whose SAD is not above a cost. */
// @ts-ignore: decorator
@inline
function neighboursBelow(cost: f64): i32 {
  const limit = i32x4.splat(<i32>min<f64>(cost, 65536));
  const first = i32x4.bitmask(i32x4.le_s(v128.load(neighbourSads), limit));
  return first | (i32x4.bitmask(i32x4.le_s(v128.load(neighbourSads, 16), limit)) << 4);
}

/** Tries the half-pel neighbours of a vector, compared side by side. */
function tryNeighbours(search: CandidateSearch, dx: i32, dy: i32): void {
  sadNeighbours16x16(pels, stride, matchOf(dx, dy), matchStride, dx & 1, dy & 1, neighbourSads);
  const allLegal = isLegalAround(dx, dy);
  if (search.remembersNeighbours == 0) {
    // A vector whose SAD alone is above the best cost costs more than the best.
    for (let near = neighboursBelow(search.cost); near != 0; near &= near - 1) {
      const i = <usize>ctz(near);
      const nearDx = dx + neighbourDx(i);
      const nearDy = dy + neighbourDy(i);
      if (allLegal || isLegal(nearDx, nearDy)) compare(search, nearDx, nearDy, load<i32>(neighbourSads + 4 * i));
    }
    return;
  }
  for (let i: usize = 0; i < 8; i++) {
    const nearDx = dx + neighbourDx(i);
    const nearDy = dy + neighbourDy(i);
    if (!allLegal && !isLegal(nearDx, nearDy)) continue;
    if (wasTried(search, pack(nearDx, nearDy), search.triedCount)) continue;
    enter(search, nearDx, nearDy, load<i32>(neighbourSads + 4 * i));
  }
}

export function searchCandidates(
  search: CandidateSearch,
  mbX: i32,
  mbY: i32,
  predictedDxHalfPels: i32,
  predictedDyHalfPels: i32,
): void {
  search.mbX = mbX;
  search.mbY = mbY;
  search.predictedDxHalfPels = predictedDxHalfPels;
  search.predictedDyHalfPels = predictedDyHalfPels;
  search.triedCount = 0;
  search.dxHalfPels = 0;
  search.dyHalfPels = 0;
  search.sad = 0;
  search.zeroSad = 0;
  search.cost = Infinity;
  openSearch(search);
  const mbWidth = search.mbWidth;
  const address = mbY * mbWidth + mbX;
  tryVector(search, 0, 0); // always legal
  tryCandidate(search, predictedDxHalfPels, predictedDyHalfPels);
  const candidates = search.candidates;
  let fieldDx = search.fieldDx + <usize>(2 * address * candidates);
  let fieldDy = search.fieldDy + <usize>(2 * address * candidates);
  for (let i = 0; i < candidates; i++) {
    tryCandidate(search, 2 * <i32>load<i16>(fieldDx), 2 * <i32>load<i16>(fieldDy));
    fieldDx += 2;
    fieldDy += 2;
  }
  if (search.usesNeighbours != 0) {
    if (mbX > 0) tryVectorOf(search, address - 1);
    if (mbY > 0) {
      tryVectorOf(search, address - mbWidth);
      if (mbX + 1 < mbWidth) tryVectorOf(search, address - mbWidth + 1);
    }
  }
  if (isEnough(search)) return;
  const rounds = search.rounds;
  const refinesHalfPels = search.refinesHalfPels != 0;
  for (let round = 0; round < rounds; round++) {
    const dx = search.dxHalfPels;
    const dy = search.dyHalfPels;
    if (!refinesHalfPels && ((dx | dy) & 1) != 0) return;
    if (search.triedCount + 8 <= MAX_TRIED_VECTORS) tryNeighbours(search, dx, dy);
    else {
      for (let i: usize = 0; i < 16; i += 2) {
        tryVector(search, dx + <i32>load<i8>(NEIGHBOURS + i), dy + <i32>load<i8>(NEIGHBOURS + i, 1));
      }
    }
    if (search.dxHalfPels == dx && search.dyHalfPels == dy) return;
  }
}
