// Makes the groups of a live encode from its settings.
import { pictureShape } from '../rate-control/buffer/sparse-picture.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { LiveGroups } from './live-groups.js';
import { liveReserve } from './live-reserve.js';

/** The groups of a live encode, before its first frame. */
export function createLiveGroups({
  pattern,
  refreshesColumns,
  grid,
  rateMode,
  sliceRows,
}: EncoderSettings): LiveGroups {
  const { gop } = pattern;
  const columns = refreshesColumns ? grid.mbWidth : undefined;
  if (rateMode.kind !== 'bit-rate' || !rateMode.buffer) return new LiveGroups(gop, columns);
  const { buffer, refreshed } = rateMode;
  const shape = pictureShape(grid, sliceRows.length, gop, refreshed);
  return new LiveGroups(gop, columns, liveReserve(buffer, shape));
}
