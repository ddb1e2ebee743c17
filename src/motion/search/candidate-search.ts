// The motion search of a macroblock: compares candidate vectors on the reference, then refines the best to half-pels.
import type { CandidateKernels } from '../../kernels/contracts/candidate-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import { CANDIDATE_SEARCH, type CandidateSearch, MAX_TRIED_VECTORS } from '../../kernels/records/candidate-search.js';
import { halfPel } from '../../picture/half-pel-prediction.js';
import { bitCost, isLegal, placesOf } from './macroblock-match.js';
import { NEIGHBOURS } from './neighbours.js';

/** SAD of the macroblock against its half-pel prediction. */
function sadOf(memory: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): number {
  const { u8 } = memory;
  const { pels, stride, match, matchStride } = placesOf(memory, search, dxHalfPels, dyHalfPels);
  let sad = 0;
  for (let y = 0; y < 16; y++) {
    for (let x = 0; x < 16; x++) {
      const predicted = halfPel(u8, match + y * matchStride + x, matchStride, dxHalfPels & 1, dyHalfPels & 1);
      sad += Math.abs(u8[pels + y * stride + x] - predicted);
    }
  }
  return sad;
}

function wasTried({ tried, triedCount }: CandidateSearch, dxHalfPels: number, dyHalfPels: number): boolean {
  for (let i = 0; i < triedCount; i++) {
    if (tried[2 * i] === dxHalfPels && tried[2 * i + 1] === dyHalfPels) return true;
  }
  return false;
}

/** Compares one legal vector with the best so far. Returns what it costs. */
function compare(memory: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): number {
  const sad = sadOf(memory, search, dxHalfPels, dyHalfPels);
  const cost = sad + bitCost(memory, search, dxHalfPels, dyHalfPels);
  if (dxHalfPels === 0 && dyHalfPels === 0) search.zeroSad = sad;
  if (cost < search.cost) Object.assign(search, { cost, dxHalfPels, dyHalfPels, sad });
  return cost;
}

/** Compares one vector with the best so far, unless it is illegal or was tried. */
function tryVector(memory: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): void {
  const count = search.triedCount;
  if (count === MAX_TRIED_VECTORS || !isLegal(search, dxHalfPels, dyHalfPels)) return;
  if (wasTried(search, dxHalfPels, dyHalfPels)) return;
  search.triedCosts[count] = compare(memory, search, dxHalfPels, dyHalfPels);
  search.tried[2 * count] = dxHalfPels;
  search.tried[2 * count + 1] = dyHalfPels;
  search.triedCount = count + 1;
}

/** The same for a half-pel neighbour, which need not be remembered. */
function tryNeighbour(memory: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): void {
  if (search.remembersNeighbours === 1) tryVector(memory, search, dxHalfPels, dyHalfPels);
  else if (isLegal(search, dxHalfPels, dyHalfPels)) compare(memory, search, dxHalfPels, dyHalfPels);
}

/** Compares a vector that does not come from refining another, unless the best so far is good enough. */
function tryCandidate(memory: KernelMemory, search: CandidateSearch, dxHalfPels: number, dyHalfPels: number): void {
  if (!isEnough(search)) tryVector(memory, search, dxHalfPels, dyHalfPels);
}

function isEnough({ sad, enoughSad }: CandidateSearch): boolean {
  return sad < enoughSad;
}

/** The definition of the kernel that searches a macroblock's vector. */
export function referenceCandidateSearch(memory: KernelMemory): Pick<CandidateKernels, 'searchCandidates'> {
  const { i16 } = memory;

  const tryField = (search: CandidateSearch, address: number): void => {
    const { candidates, fieldDx, fieldDy } = search;
    for (let i = address * candidates; i < (address + 1) * candidates; i++) {
      tryCandidate(memory, search, 2 * i16[fieldDx / 2 + i], 2 * i16[fieldDy / 2 + i]);
    }
  };

  const tryVectorOf = (search: CandidateSearch, address: number): void =>
    tryCandidate(memory, search, i16[search.chosenDx / 2 + address], i16[search.chosenDy / 2 + address]);

  return {
    searchCandidates(pointer, mbX, mbY, predictedDxHalfPels, predictedDyHalfPels) {
      const search = CANDIDATE_SEARCH.at(memory, pointer);
      Object.assign(search, { mbX, mbY, predictedDxHalfPels, predictedDyHalfPels });
      Object.assign(search, { cost: Number.POSITIVE_INFINITY, dxHalfPels: 0, dyHalfPels: 0, sad: 0, zeroSad: 0 });
      search.triedCount = 0;
      const { mbWidth, rounds, refinesHalfPels } = search;
      const address = mbY * mbWidth + mbX;
      tryVector(memory, search, 0, 0); // always legal
      tryCandidate(memory, search, predictedDxHalfPels, predictedDyHalfPels);
      tryField(search, address);
      if (search.usesNeighbours === 1) {
        if (mbX > 0) tryVectorOf(search, address - 1);
        if (mbY > 0) tryVectorOf(search, address - mbWidth);
        if (mbY > 0 && mbX + 1 < mbWidth) tryVectorOf(search, address - mbWidth + 1);
      }
      if (isEnough(search)) return;
      for (let round = 0; round < rounds; round++) {
        const { dxHalfPels, dyHalfPels } = search;
        if (refinesHalfPels === 0 && ((dxHalfPels | dyHalfPels) & 1) !== 0) return;
        for (const [dx, dy] of NEIGHBOURS) tryNeighbour(memory, search, dxHalfPels + dx, dyHalfPels + dy);
        if (search.dxHalfPels === dxHalfPels && search.dyHalfPels === dyHalfPels) return;
      }
    },
  };
}
