// Forms the prediction of a macroblock from its anchors.

import { MACROBLOCK_MOTION_BACKWARD, MACROBLOCK_MOTION_FORWARD } from '../../bitstream/tables/macroblock-codes.js';
import type { Kernels } from '../../kernels/kernels.js';
import { MACROBLOCK_TRIAL } from '../../kernels/records/macroblock-trial.js';
import type { PlanePointers } from '../picture/workspace.js';
import type { MacroblockPosition } from './macroblock-job.js';
import type { MacroblockTrial } from './macroblock-trial.js';

/** The reconstructed anchors of a picture; a P picture is predicted from the past one alone. */
export interface Anchors {
  readonly past: PlanePointers;
  readonly future: PlanePointers;
}

/**
 * Writes a trial's prediction by its direction and vectors; ISO/IEC 11172-2 §2.4.4.2 and §2.4.4.3. The vectors keep
 * the macroblock inside the picture. `scratch` has room for a second prediction.
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
