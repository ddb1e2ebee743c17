// What the macroblock tree keeps of a picture: what its macroblocks are predicted from, and how well.
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { PicturePrediction } from './analysis/picture-analyst.js';
import type { MacroblockVectors } from './analysis/source-costs.js';
import type { PredictedPicture } from './predicted-picture.js';

const MACROBLOCK_BITS = Math.log2(MACROBLOCK_SIZE);

/** The part of a picture's prediction that comes from one anchor; an item a macroblock, in raster order. */
export interface Dependence {
  /** Display number of the anchor. */
  readonly anchor: number;
  /** Which macroblock of the anchor holds the first pel of the match, as an index of its weights. */
  readonly match: Int32Array;
  /** How many pels the match lies to the right of that macroblock's first pel, and below: 0..15. */
  readonly right: Uint8Array;
  readonly below: Uint8Array;
  /** The anchor's share of the prediction: 0, 0.5 or 1. */
  readonly share: Float32Array;
}

/** Weights that are handed on to the macroblocks of an anchor. */
export interface HandedWeights {
  /** Display number of the anchor. */
  readonly anchor: number;
  readonly weights: Float64Array;
}

/** A picture whose weights are handed on to its anchors. */
export interface TreeNode extends PredictedPicture {
  /** Squared mean absolute error of the prediction of each macroblock; infinite where intra is better. */
  readonly squaredError: Float64Array;
  readonly dependences: readonly Dependence[];
  /** The weights of the macroblocks are divided by these, at the base scale that they were made for. */
  readonly divisors: Float64Array;
  divisorsScale: number;
  /** What it hands on if it inherits nothing, at the base scale that this was found for. */
  handed: readonly HandedWeights[];
  handedScale: number;
}

/** See `TreeNode.divisors`; in the constant modes they are made once. */
export function divisorsAt(node: TreeNode, baseScale: number): Float64Array {
  const { divisors, squaredError } = node;
  if (node.divisorsScale === baseScale) return divisors;
  const perSquaredScale = 1 / (baseScale * baseScale);
  for (let address = 0; address < divisors.length; address++) {
    divisors[address] = 1 + squaredError[address]! * perSquaredScale;
  }
  node.divisorsScale = baseScale;
  return divisors;
}

/** The node of a picture that is `mbWidth` macroblocks wide; weights have `stride` items a row. */
export function createNode({ plan, prediction }: PredictedPicture, mbWidth: number, stride: number): TreeNode {
  const macroblocks = prediction?.sad.length ?? 0;
  const squaredError = new Float64Array(macroblocks);
  const divisors = new Float64Array(macroblocks);
  const dependences: Dependence[] = [];
  if (prediction) {
    const { intra, sad, motion } = prediction;
    for (let address = 0; address < macroblocks; address++) {
      const error = sad[address]! / MACROBLOCK_SIZE ** 2;
      squaredError[address] = sad[address]! > intra[address]! ? Number.POSITIVE_INFINITY : error * error;
    }
    const [forward, backward] = motion;
    const shares = pastShares(prediction);
    if (forward) dependences.push(dependence(plan.forward!, forward, shares, mbWidth, stride));
    if (backward) dependences.push(dependence(plan.backward!, backward, othersOf(shares), mbWidth, stride));
  }
  return { plan, prediction, squaredError, dependences, divisors, divisorsScale: 0, handed: [], handedScale: 0 };
}

function dependence(
  anchor: number,
  { dx, dy }: MacroblockVectors,
  share: Float32Array,
  mbWidth: number,
  stride: number,
): Dependence {
  const match = new Int32Array(share.length);
  const right = new Uint8Array(share.length);
  const below = new Uint8Array(share.length);
  for (let address = 0, column = 0, row = 0; address < match.length; address++) {
    const x = column * MACROBLOCK_SIZE + dx[address]!;
    const y = row * MACROBLOCK_SIZE + dy[address]!;
    match[address] = (y >> MACROBLOCK_BITS) * stride + (x >> MACROBLOCK_BITS);
    right[address] = x & (MACROBLOCK_SIZE - 1);
    below[address] = y & (MACROBLOCK_SIZE - 1);
    if (++column === mbWidth) {
      column = 0;
      row++;
    }
  }
  return { anchor, match, right, below, share };
}

/** The future anchor's shares, from the past one's. */
function othersOf(shares: Float32Array): Float32Array {
  const others = new Float32Array(shares.length);
  for (let address = 0; address < shares.length; address++) others[address] = 1 - shares[address]!;
  return others;
}

/** The past anchor's share of each macroblock's prediction. */
function pastShares({ sad, motion }: PicturePrediction): Float32Array {
  const shares = new Float32Array(sad.length).fill(1);
  const [forward, backward] = motion;
  if (!forward || !backward) return shares;
  for (let address = 0; address < shares.length; address++) {
    const one = Math.min(forward.sad[address]!, backward.sad[address]!);
    shares[address] = sad[address]! < one ? 0.5 : one === forward.sad[address]! ? 1 : 0;
  }
  return shares;
}
