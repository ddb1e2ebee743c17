// Asks for the motion of a picture from its reconstructed anchors.
import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { Picture } from '../../picture/picture.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import type { PlanePointers } from '../picture/reconstructed-picture.js';
import { lumaFromPlanes } from '../picture/reconstruction.js';
import type { Anchors } from '../picture/reference-pictures.js';
import type { MotionPipeline, RequestedField } from './motion-pipeline.js';
import type { ByDirection } from './vector-proposals.js';

/** The motion of a picture from its anchors as they are reconstructed; these must be coded already. */
export function requestClosedLoopMotion(
  motion: MotionPipeline,
  memory: KernelMemory,
  anchors: Anchors,
  { picture, plan }: { readonly picture: Picture; readonly plan: PlannedPicture },
): ByDirection<RequestedField | undefined> {
  const search = (anchor: number | undefined, planes: PlanePointers) => {
    if (anchor === undefined) return undefined;
    // Estimators keep pictures by id: negative ids tell reconstructions from the source pictures of the same number.
    const y = lumaFromPlanes(memory, picture.grid, planes);
    return motion.request(picture, { ...picture, id: -1 - anchor, y });
  };
  return { forward: search(plan.forward, anchors.past), backward: search(plan.backward, anchors.future) };
}
