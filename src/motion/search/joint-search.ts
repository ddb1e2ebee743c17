// Refines the two vectors of an interpolated macroblock together.
import type { CandidateKernels } from '../../kernels/contracts/candidate-kernels.js';
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import {
  CANDIDATE_SEARCH,
  type CandidateSearch,
  JOINT_SEARCH,
  type JointSearch,
} from '../../kernels/records/candidate-search.js';
import { halfPel, predictBlock } from '../../picture/half-pel-prediction.js';
import { bitCost, isLegal, placesOf } from './macroblock-match.js';
import { NEIGHBOURS } from './neighbours.js';

/** The vector of one direction. */
interface Vector {
  readonly search: CandidateSearch;
  readonly dxHalfPels: number;
  readonly dyHalfPels: number;
}

/** The definition of the kernel that refines pairs of vectors. */
export function referenceJointSearch(memory: KernelMemory): Pick<CandidateKernels, 'refineJointly'> {
  const { u8 } = memory;

  const forwardOf = (pair: JointSearch): Vector => ({
    search: CANDIDATE_SEARCH.at(memory, pair.forward),
    dxHalfPels: pair.forwardDxHalfPels,
    dyHalfPels: pair.forwardDyHalfPels,
  });
  const backwardOf = (pair: JointSearch): Vector => ({
    search: CANDIDATE_SEARCH.at(memory, pair.backward),
    dxHalfPels: pair.backwardDxHalfPels,
    dyHalfPels: pair.backwardDyHalfPels,
  });

  const bitCostOf = ({ search, dxHalfPels, dyHalfPels }: Vector): number =>
    bitCost(memory, search, dxHalfPels, dyHalfPels);

  /** Writes the prediction of the vector that stays to `scratch`. */
  const predict = ({ scratch }: JointSearch, { search, dxHalfPels, dyHalfPels }: Vector): void => {
    const { match, matchStride } = placesOf(memory, search, dxHalfPels, dyHalfPels);
    predictBlock(u8, scratch, 16, match, matchStride, 16, dxHalfPels & 1, dyHalfPels & 1);
  };

  /** SAD of the macroblock against the mean of `scratch` and the prediction of a vector. */
  const jointSad = ({ scratch }: JointSearch, { search, dxHalfPels, dyHalfPels }: Vector): number => {
    const { pels, stride, match, matchStride } = placesOf(memory, search, dxHalfPels, dyHalfPels);
    let sad = 0;
    for (let y = 0; y < 16; y++) {
      for (let x = 0; x < 16; x++) {
        const predicted = halfPel(u8, match + y * matchStride + x, matchStride, dxHalfPels & 1, dyHalfPels & 1);
        sad += Math.abs(u8[pels + y * stride + x] - ((u8[scratch + y * 16 + x] + predicted + 1) >> 1));
      }
    }
    return sad;
  };

  /** The best of a vector and its neighbours while the other one stays; the pair's SAD and cost follow. */
  const moveToBest = (pair: JointSearch, from: Vector, fixed: Vector): Vector => {
    const fixedCost = bitCostOf(fixed);
    let best = from;
    for (const [dx, dy] of pair.movesBoth === 1 ? NEIGHBOURS : NEIGHBOURS.slice(0, 4)) {
      const tried = { search: from.search, dxHalfPels: from.dxHalfPels + dx, dyHalfPels: from.dyHalfPels + dy };
      if (!isLegal(tried.search, tried.dxHalfPels, tried.dyHalfPels)) continue;
      const sad = jointSad(pair, tried);
      const cost = sad + (fixedCost + bitCostOf(tried));
      if (cost >= pair.cost) continue;
      Object.assign(pair, { sad, cost });
      best = tried;
    }
    return best;
  };

  return {
    refineJointly(pointer) {
      const pair = JOINT_SEARCH.at(memory, pointer);
      const forwardSearch = CANDIDATE_SEARCH.at(memory, pair.forward);
      const backwardSearch = CANDIDATE_SEARCH.at(memory, pair.backward);
      pair.forwardDxHalfPels = forwardSearch.dxHalfPels;
      pair.forwardDyHalfPels = forwardSearch.dyHalfPels;
      pair.backwardDxHalfPels = backwardSearch.dxHalfPels;
      pair.backwardDyHalfPels = backwardSearch.dyHalfPels;
      predict(pair, forwardOf(pair));
      pair.sad = jointSad(pair, backwardOf(pair));
      pair.cost = pair.sad + bitCostOf(forwardOf(pair)) + bitCostOf(backwardOf(pair));
      for (let round = 0; round < pair.rounds; round++) {
        const [forward, backward] = [forwardOf(pair), backwardOf(pair)];
        const isBackwardWorse = backward.search.cost > forward.search.cost;
        let [newForward, newBackward] = [forward, backward];
        if (pair.movesBoth === 1 || isBackwardWorse) {
          if (round > 0) predict(pair, forward);
          newBackward = moveToBest(pair, backward, forward);
          pair.backwardDxHalfPels = newBackward.dxHalfPels;
          pair.backwardDyHalfPels = newBackward.dyHalfPels;
        }
        if (pair.movesBoth === 1 || !isBackwardWorse) {
          predict(pair, newBackward);
          newForward = moveToBest(pair, forward, newBackward);
          pair.forwardDxHalfPels = newForward.dxHalfPels;
          pair.forwardDyHalfPels = newForward.dyHalfPels;
        }
        if (newBackward === backward && newForward === forward) return;
      }
    },
  };
}
