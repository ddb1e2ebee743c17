// Checks the size of files that say what is true of pictures.
import { InputError } from '../errors.js';

/** Width and height in pels. */
interface Size {
  readonly width: number;
  readonly height: number;
}

/** Throws an InputError unless the file `name` has the size of the pictures, which messages call `what`. */
export function requireTruthSize(name: string, found: Size, what: string, { width, height }: Size): void {
  if (found.width === width && found.height === height) return;
  throw new InputError(`${name} is ${found.width}x${found.height}, but the ${what} are ${width}x${height}`);
}
