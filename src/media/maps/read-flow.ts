// Reads a file of optical flow; the ending of its name tells the format.
import { extname } from 'node:path';
import { InputError } from '../../errors.js';
import { readInput } from '../input-file.js';
import { MAX_IMAGE_BYTES } from '../picture-size.js';
import { decodeFlo, MAX_FLO_BYTES } from './flo-format.js';
import type { Flow } from './flow.js';
import { decodeKittiFlow } from './kitti-flow.js';

/** The flow in a Middlebury file, `.flo`, or in KITTI's flow PNG, `.png`. Throws an InputError that names the file. */
export async function readFlow(path: string): Promise<Flow> {
  const ending = extname(path).toLowerCase();
  switch (ending) {
    case '.flo':
      return decodeFlo(path, await readInput(path, MAX_FLO_BYTES));
    case '.png':
      return decodeKittiFlow(path, await readInput(path, MAX_IMAGE_BYTES));
    default: {
      const found = ending === '' ? 'has no ending' : `ends in ${ending}`;
      throw new InputError(`${path} ${found}: flow is read from .flo (Middlebury) and .png (KITTI, 16 bits)`);
    }
  }
}
