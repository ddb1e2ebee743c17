import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { Kernels } from '../../kernels/kernels.js';
import { MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';
import type { PlanePointers } from '../picture/workspace.js';
import type { MacroblockTrial } from './macroblock-trial.js';

/** Where a macroblock lies: its column and row in the macroblock grid. */
export interface MacroblockPosition {
  readonly mbX: number;
  readonly mbY: number;
}

/** The anchors that a picture is predicted from; a P picture has only the past one. */
export interface Anchors {
  readonly past: PlanePointers;
  readonly future: PlanePointers;
}

/**
 * Forms the prediction of a macroblock in the trial's direction(s) with its vectors into its prediction; ISO/IEC 11172-2 §2.4.4.2 and
 * §2.4.4.3. `scratch` has room for a second prediction. The vectors keep the block inside the picture.
 */
export function predict(
  kernels: Kernels,
  trial: MacroblockTrial,
  anchors: Anchors,
  { mbX, mbY }: MacroblockPosition,
  scratch: number,
): void {
  const { direction, pointer, forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels } = trial;
  const prediction = pointer + MACROBLOCK_TRIAL.offsets.prediction;
  if (direction === MACROBLOCK_MOTION_BACKWARD) {
    kernels.predictMacroblock(prediction, anchors.future.record, mbX, mbY, backwardDxHalfPels, backwardDyHalfPels);
    return;
  }
  kernels.predictMacroblock(prediction, anchors.past.record, mbX, mbY, forwardDxHalfPels, forwardDyHalfPels);
  if (direction === MACROBLOCK_MOTION_FORWARD) return;
  kernels.predictMacroblock(scratch, anchors.future.record, mbX, mbY, backwardDxHalfPels, backwardDyHalfPels);
  kernels.averagePredictions(prediction, scratch);
}
