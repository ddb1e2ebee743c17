// Reads a file of optical flow, of either format.
import { extname } from 'node:path';
import { readInput } from '../input-file.js';
import { MAX_IMAGE_BYTES } from '../picture-size.js';
import { decodeFlo, MAX_FLO_BYTES } from './flo-format.js';
import type { Flow } from './flow.js';
import { decodeKittiFlow } from './kitti-flow.js';

/** The flow in KITTI's flow PNG, `.png`, or in a Middlebury file. Throws an InputError that names the file. */
export async function readFlow(path: string): Promise<Flow> {
  if (extname(path).toLowerCase() === '.png') return decodeKittiFlow(path, await readInput(path, MAX_IMAGE_BYTES));
  return decodeFlo(path, await readInput(path, MAX_FLO_BYTES));
}
