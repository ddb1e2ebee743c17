// Checks a call that leaves frames out.
import { InputError } from '../../errors.js';

/** A day of pictures, at most: more are probably time in another unit. */
const MAX_LEFT_OUT = 24 * 60 * 60 * 60;

/** Throws InputError unless so many frames can be left out after `framesAdded`: one must be there to repeat. */
export function checkLeftOut(frames: number, framesAdded: number): void {
  if (!Number.isInteger(frames) || frames < 1 || frames > MAX_LEFT_OUT) {
    throw new InputError(`leaveOut: ${frames} is not a number of frames; legal: 1..${MAX_LEFT_OUT}`);
  }
  if (framesAdded === 0) throw new InputError('leaveOut: no frame has been added yet that could be repeated');
}
