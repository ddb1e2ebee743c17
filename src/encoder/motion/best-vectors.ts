// The best vector of each block of a field.
import type { MotionField, StartField } from '../../motion/estimator.js';

/** The best vectors of a field in raster order of blocks, `factor` times as long; cut to 16 bits. */
export function bestVectors(field: Pick<MotionField, 'dx' | 'dy' | 'candidatesPerBlock'>, factor = 1): StartField {
  const { candidatesPerBlock: candidates } = field;
  const blocks = field.dx.length / candidates;
  const dx = new Int16Array(blocks);
  const dy = new Int16Array(blocks);
  if (factor === 1) {
    for (let block = 0, entry = 0; block < blocks; block++, entry += candidates) {
      dx[block] = field.dx[entry]!;
      dy[block] = field.dy[entry]!;
    }
    return { dx, dy };
  }
  for (let block = 0, entry = 0; block < blocks; block++, entry += candidates) {
    dx[block] = clamped(field.dx[entry]! * factor);
    dy[block] = clamped(field.dy[entry]! * factor);
  }
  return { dx, dy };
}

function clamped(component: number): number {
  return Math.max(-0x8000, Math.min(0x7fff, component));
}
