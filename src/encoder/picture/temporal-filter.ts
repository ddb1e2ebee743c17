// Takes noise out of a picture before it is coded: its luma is blended with the pictures around it, along their motion.
import type { PictureJob } from './picture-job.js';
import type { Workspace } from './workspace.js';

/**
 * What a pel of the nearest pictures counts beside the picture's own, where they are equal, and a pel of those behind
 * them. Fitted, with the ranges below, to six clips and two noisy ones: docs/decisions/temporal-filter.md.
 */
const NEAREST_WEIGHT = 0.4;
const FURTHER_WEIGHT = 0.27;
/**
 * A pel that differs by this many times scale^RANGE_POWER counts nothing, nor does a macroblock that differs so much in
 * the mean: what the quantizer would keep stays.
 */
const PEL_RANGE = 2.8;
const MACROBLOCK_RANGE = 0.79;
const RANGE_POWER = 1.5;

/**
 * The luma that a picture is coded from: its own as it lies in kernel memory or, where there are pictures around it,
 * the filtered one. Bilateral in time, as the filters of HM and VTM before coding (JCTVC-AI0023, JVET-O0549): each
 * pel is blended with those that its macroblock's motion leads to, the less the more they differ.
 */
export function filteredLuma({ memory, kernels, source, filter }: Workspace, job: PictureJob): number {
  const { picture, around, quantizerScale } = job;
  if (!filter || around.length === 0) return source.y;
  const { record, references } = filter;
  record.current = source.y;
  record.count = around.length;
  around.forEach(({ picture: other, dx, dy }, i) => {
    const places = references[i]!;
    const plane = memory.addressOf(other.y) || places.own;
    if (plane === places.own) memory.u8.set(other.y, plane);
    memory.i16.set(dx, places.dx >> 1);
    memory.i16.set(dy, places.dy >> 1);
    record.planes[i] = plane;
    record.dx[i] = places.dx;
    record.dy[i] = places.dy;
    record.strengths[i] = Math.abs(other.id - picture.id) === 1 ? NEAREST_WEIGHT : FURTHER_WEIGHT;
  });
  const unit = quantizerScale ** RANGE_POWER;
  record.inversePelRange = 1 / (PEL_RANGE * unit);
  record.inverseBlockRange = 1 / (MACROBLOCK_RANGE * unit);
  kernels.filterLuma(record.pointer);
  return record.target;
}
