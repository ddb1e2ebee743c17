// The true motion of each block of a generated frame.
import { ownersOf, type Scene, SNOW_OWNER, type View } from './scene.js';

/** Side of a block in luma pels. */
const BLOCK = 16;

/**
 * The true motion of each 16x16 block of a frame, in raster order; blocks that the right or bottom edge cuts count,
 * too. A vector points from the block to its place in the frame before, in pels, + is right and down, as an estimator's
 * does.
 */
export interface TrueMotion {
  readonly blockColumns: number;
  readonly blockRows: number;
  /** The motion of the layer at the block's centre, with fractions of a pel. */
  readonly dx: Float64Array;
  readonly dy: Float64Array;
  /**
   * 1 if an estimator can find it: the whole block and its whole match lie inside the picture on one layer. 0 if an
   * edge cuts the block, if it was hidden before, or if snow touches it.
   */
  readonly reliable: Uint8Array;
}

/** The true motion from `before` to `now`, two frames of one take, which have the same layers. */
export function motionBetween(before: Scene, now: Scene, width: number, height: number): TrueMotion {
  const blockColumns = Math.ceil(width / BLOCK);
  const blockRows = Math.ceil(height / BLOCK);
  const blocks = blockColumns * blockRows;
  const motion = { dx: new Float64Array(blocks), dy: new Float64Array(blocks), reliable: new Uint8Array(blocks) };
  const ownersNow = ownersOf(now, width, height);
  const ownersBefore = ownersOf(before, width, height);
  for (let block = 0; block < blocks; block++) {
    const left = (block % blockColumns) * BLOCK;
    const top = Math.floor(block / blockColumns) * BLOCK;
    const centreX = left + (BLOCK - 1) / 2;
    const centreY = top + (BLOCK - 1) / 2;
    const middle = ownersNow[Math.min(height - 1, top + BLOCK / 2) * width + Math.min(width - 1, left + BLOCK / 2)];
    const owner = middle === SNOW_OWNER ? 0 : middle;
    const match = sourceOf(now.layers[owner].view, before.layers[owner].view, centreX, centreY);
    const dx = match.x - centreX;
    const dy = match.y - centreY;
    motion.dx[block] = dx;
    motion.dy[block] = dy;
    const inOne = (owners: Uint8Array, x: number, y: number) => ownedBy(owners, width, height, x, y, owner);
    const wholeNow = inOne(ownersNow, left, top);
    const wholeBefore =
      inOne(ownersBefore, left + Math.floor(dx), top + Math.floor(dy)) &&
      inOne(ownersBefore, left + Math.ceil(dx), top + Math.ceil(dy));
    motion.reliable[block] = wholeNow && wholeBefore ? 1 : 0;
  }
  return { blockColumns, blockRows, ...motion };
}

/** Where `before` shows the texture point that `now` shows at (x, y). */
function sourceOf(now: View, before: View, x: number, y: number): { x: number; y: number } {
  const textureX = now.a * x + now.b * y + now.c - before.c;
  const textureY = now.d * x + now.e * y + now.f - before.f;
  const determinant = before.a * before.e - before.b * before.d;
  return {
    x: (before.e * textureX - before.b * textureY) / determinant,
    y: (before.a * textureY - before.d * textureX) / determinant,
  };
}

/** Whether the whole block at (left, top) lies in the picture and belongs to `owner`. */
function ownedBy(owners: Uint8Array, width: number, height: number, left: number, top: number, owner: number): boolean {
  if (left < 0 || top < 0 || left + BLOCK > width || top + BLOCK > height) return false;
  for (let y = top; y < top + BLOCK; y++) {
    for (let x = left; x < left + BLOCK; x++) {
      if (owners[y * width + x] !== owner) return false;
    }
  }
  return true;
}
