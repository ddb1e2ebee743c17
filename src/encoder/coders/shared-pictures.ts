// The memory that all parts of an encode share: coders work in it, and source pictures lie and are analysed there.
import {
  ALIGNMENT_BYTES,
  KernelMemory,
  MAX_MEMORY_BYTES,
  memoryBytes,
  usedMemory,
} from '../../kernels/kernel-memory.js';
import type { MemoryRoom } from '../../kernels/kernels.js';
import { clearReducedPlaces, reducedPlaceBytes } from '../../kernels/reduced-places.js';
import { isOurs, isSlow, mayUseGpu } from '../../motion/built-in-estimators.js';
import { pictureBytes } from '../../picture/picture.js';
import { canShareMemory } from '../../threads/shared-memory.js';
import type { ThreadKeeper } from '../../threads/thread-messages.js';
import type { SourcePictures } from '../gop/source-pictures.js';
import { maxAnchorDistance, maxPicturesKept } from '../lookahead/picture-planner.js';
import { picturesAhead } from '../settings/pictures-ahead.js';
import { TREE_DEPTH } from '../settings/presets.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { coderBytes } from './coders.js';
import { waitingPicturesWithRoom } from './waiting-pictures.js';

/** Places beside those of pictures that are held: anchors of what is coded, what is still read, and frames to come. */
const MORE_PLACES = 12;
/**
 * What a thread that searches may take at most, in luma planes: for each picture that it keeps, and for an exhaustive
 * search, which keeps sums of three. A thread that finds no more room has memory of its own, and copies pictures.
 */
const PLANES_PER_PICTURE = 3;
const PLANES_OF_SUMS = 21;
/** The lookahead, which keeps more pictures, may take as much as so many threads. */
const LOOKAHEAD_SHARES = 4;

/** Memory in which source pictures have places. */
export interface SharedPictures {
  /** Has room for coders, see `coderBytes`. */
  readonly memory: KernelMemory;
  /** Where the threads that search and analyse pictures take parts. */
  readonly room: MemoryRoom;
  /** Keeps the memory for the next encode, where threads are kept: nobody uses it any more. */
  readonly keep: () => void;
}

/**
 * The number of source pictures from which on no more are taken in: those that the lookahead and the macroblock tree
 * keep, those that are planned, those that wait and those that are coded. Where all these are there, half of those
 * ahead are enough. `usesGpu`: whether a GPU searches.
 */
export function maxPicturesHeld(settings: EncoderSettings, usesGpu: boolean): number {
  const { maxPendingPictures, threads, tools } = settings;
  const ahead = picturesAhead(settings, usesGpu);
  const kept = maxPicturesKept(settings, ahead) - Math.floor(ahead / 2);
  const coded = waitingPicturesWithRoom(threads, usesGpu) + threads;
  return kept + (tools.macroblockTree ? TREE_DEPTH : 0) + maxPendingPictures + coded;
}

/** A first pass keeps its memory for the second, whose tools may need more: rows coded again, and a filter. */
function withRoomForSecondPass(settings: EncoderSettings): EncoderSettings {
  const { rateMode, tools } = settings;
  if (rateMode.kind !== 'bit-rate' || !rateMode.isFirstPass) return settings;
  return { ...settings, tools: { ...tools, rowPasses: 2, temporalFilter: true } };
}

/**
 * Makes the memory of an encode, and gives `sources` places in it: whoever reads a picture reads it where it lies.
 * Undefined where memory cannot be shared, where the machine has too little, and for one thread with an estimator of
 * the caller's, which may not expect pels in such memory. What is never used is never touched, and takes none of the
 * machine's memory.
 *
 *     | place | place | ... | smaller versions | room: parts of the lookahead and of those who analyse | coders |
 */
export function createSharedPictures(
  settings: EncoderSettings,
  sources: SourcePictures,
  kept?: ThreadKeeper,
): SharedPictures | undefined {
  const { grid, threads, estimator } = settings;
  if (!canShareMemory() || (threads === 1 && !isOurs(estimator))) return undefined;
  const pels = grid.codedWidth * grid.codedHeight;
  const lasting = withRoomForSecondPass(settings);
  const bytes = coderBytes(lasting);
  const place = pictureBytes(grid);
  // Those that are searched at a time: the lookahead keeps them.
  const reducedCount = maxPicturesKept(lasting, picturesAhead(lasting, false));
  const reducedBytes = reducedCount * reducedPlaceBytes(pels);
  const ofThread =
    PLANES_PER_PICTURE * (maxAnchorDistance(settings) + 2) + (isSlow(String(estimator)) ? PLANES_OF_SUMS : 0);
  // Half of what pointers reach beyond the coders is for places, at most.
  const most = Math.floor((MAX_MEMORY_BYTES - bytes - reducedBytes) / (2 * place));
  const isGpuPossible = mayUseGpu(estimator);
  // What a GPU filters waits for a coder.
  const filtered = lasting.tools.temporalFilter && isGpuPossible ? threads : 0;
  const count = Math.min(maxPicturesHeld(lasting, isGpuPossible) + filtered + MORE_PLACES, most);
  // Coder threads search, too, and a third as many beside them.
  const shares = Math.ceil((4 / 3) * threads) + LOOKAHEAD_SHARES;
  const ofPictures = count * place + reducedBytes;
  const roomBytes = Math.min(pels * ofThread * shares, MAX_MEMORY_BYTES - bytes - ofPictures);
  try {
    const allBytes = bytes + ofPictures + roomBytes + ALIGNMENT_BYTES;
    const memory = new KernelMemory(usedMemory(kept?.takeMemory(memoryBytes(allBytes))) ?? allBytes);
    const places = Array.from({ length: count }, () => memory.allocateUnset(place));
    const reduced = { first: memory.allocateUnset(reducedBytes), count: reducedCount };
    clearReducedPlaces(memory.i32, reduced, pels);
    // The first ones are taken first: of those that are never needed, no page is touched.
    sources.free.push(...places.reverse().map(first => ({ buffer: memory.wasm.buffer, first })));
    const keep = () => {
      sources.free.length = 0;
      kept?.keepMemory(memory.wasm);
    };
    return { memory, room: { ...memory.allocateRoom(roomBytes), reduced }, keep };
  } catch (error) {
    if (error instanceof RangeError) return undefined;
    throw error;
  }
}
