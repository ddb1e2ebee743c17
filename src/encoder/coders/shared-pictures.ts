// The memory of an encode whose threads share it: coders work in it, and source pictures lie and are analysed there.
import { ALIGNMENT_BYTES, KernelMemory, MAX_MEMORY_BYTES, type MemoryPart } from '../../kernels/kernel-memory.js';
import { placeBytes } from '../../kernels/picture-place.js';
import { isSlow } from '../../motion/built-in-estimators.js';
import { maxAnchorDistance, maxPicturesKept } from '../lookahead/picture-planner.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { coderBytes } from './coders.js';

/** Places beside those of pictures that are planned, that wait and that are coded: anchors, and what is still read. */
const MORE_PLACES = 12;
/**
 * What a thread that searches may take at most, in luma planes: for each picture that it keeps, and for an exhaustive
 * search, which keeps sums of three. A thread that finds no more room has memory of its own, and copies pictures.
 */
const PLANES_PER_PICTURE = 3;
const PLANES_OF_SUMS = 21;

/** Memory in which source pictures have places. */
export interface SharedPictures {
  /** Has room for coders, see `coderBytes`. */
  readonly memory: KernelMemory;
  /** Addresses of the places, see `placeBytes`. */
  readonly places: readonly number[];
  /** Where the threads that search and analyse pictures take parts. */
  readonly room: MemoryPart;
}

/**
 * Makes the memory of an encode with several threads: all read a source picture where it lies. Undefined where the
 * machine does not give so much. What is never used is never touched, and takes none of the machine's memory.
 *
 *     | place | place | ... | room: parts of the lookahead and of those who search and analyse | coders |
 */
export function createSharedPictures(settings: EncoderSettings): SharedPictures | undefined {
  const { grid, maxPendingPictures, threads } = settings;
  const pels = grid.codedWidth * grid.codedHeight;
  const bytesLeft = MAX_MEMORY_BYTES - coderBytes(settings);
  const wanted = maxPicturesKept(settings) + maxPendingPictures + threads + MORE_PLACES;
  const count = Math.min(wanted, Math.floor(bytesLeft / (2 * placeBytes(pels))));
  const roomBytes = Math.min(analysisBytes(settings), bytesLeft - count * placeBytes(pels));
  try {
    const memory = new KernelMemory(coderBytes(settings) + count * placeBytes(pels) + roomBytes + ALIGNMENT_BYTES);
    const places = Array.from({ length: count }, () => memory.allocate(placeBytes(pels)));
    const start = memory.allocate(roomBytes);
    return { memory, places, room: { wasm: memory.wasm, start, end: start + roomBytes } };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}

/** What the lookahead's thread and those beside it may take. */
function analysisBytes(settings: EncoderSettings): number {
  const { grid, threads, estimator } = settings;
  const sums = typeof estimator === 'string' && isSlow(estimator) ? PLANES_OF_SUMS : 0;
  const ofThread = PLANES_PER_PICTURE * (maxAnchorDistance(settings) + 2) + sums;
  const ofLookahead = PLANES_PER_PICTURE * maxPicturesKept(settings) + sums;
  return grid.codedWidth * grid.codedHeight * (ofLookahead + threads * ofThread);
}
