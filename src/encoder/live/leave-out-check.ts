// Checks a call that leaves frames out.
import { InputError } from '../../errors.js';

/** Throws InputError unless so many frames can be left out after `framesAdded`: one must be there to repeat. */
export function checkLeftOut(frames: number, framesAdded: number): void {
  if (!Number.isInteger(frames) || frames < 1) throw new InputError(`leaveOut: ${frames} is not a number of frames`);
  if (framesAdded === 0) throw new InputError('leaveOut: no frame has been added yet that could be repeated');
}
