// The coders of an encode and the memory that they share.
import { KernelMemory, MAX_MEMORY_BYTES, partBytes } from '../../kernels/kernel-memory.js';
import { isSlow, mayUseGpu } from '../../motion/built-in-estimators.js';
import { canShareMemory } from '../../threads/shared-memory.js';
import type { ThreadKeeper } from '../../threads/thread-messages.js';
import { allocateReconstruction, reconstructionBytes } from '../picture/reconstructed-picture.js';
import { ReferencePictures } from '../picture/reference-pictures.js';
import { workspaceBytes } from '../picture/workspace.js';
import { allocateQuantizers, QUANTIZERS_BYTES } from '../quantizer/quantizer-set.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { Coder, coderSettings } from './coder.js';
import { CoderInTurn, type Coders } from './coding-thread.js';
import type { SharedCoders } from './shared-coders.js';
import { waitingPicturesOfThreads } from './waiting-pictures.js';

/** Reconstructions beside those by the number of threads: two anchors, and one that was coded before its turn. */
const MORE_RECONSTRUCTIONS = 3;

/** What coders tell, and what they are made of. */
export interface CodersContext {
  readonly onWarning: (message: string) => void;
  /** Where their threads come from and go to. */
  readonly keptThreads?: ThreadKeeper | undefined;
  /** Has room for `coderBytes`; by default it is made. */
  readonly memory?: KernelMemory | undefined;
  /** What `sharedCodersOf` gave; by default nobody else asks the threads. */
  readonly shared?: SharedCoders | undefined;
  /** Whether a GPU is set up meanwhile; false by default. */
  readonly setsUpGpu?: boolean | undefined;
}

/**
 * Makes the coders of an encode: in threads where pictures can be coded side by side, else in the calling thread.
 * Rejects with UnsupportedError if the kernels cannot run here.
 */
export async function createCoders(
  settings: EncoderSettings,
  { onWarning, keptThreads, memory = new KernelMemory(coderBytes(settings)), ...given }: CodersContext,
): Promise<Coders> {
  const { grid, tools, matrices } = settings;
  const count = coderCount(settings);
  const { reconstructions } = memoryFor(count, settings);
  const references = new ReferencePictures(
    memory,
    Array.from({ length: reconstructions }, () => allocateReconstruction(memory, grid)),
  );
  const quantizers = allocateQuantizers(memory, matrices, tools.trellis !== 'none');
  const part = memory.allocatePart(workspaceBytes(settings));
  const ofCoder = coderSettings(settings);
  const own = await Coder.create(ofCoder, part, quantizers);
  const here = new CoderInTurn(own);
  if (count > 1) {
    const { CoderThreads } = await import('./coder-threads.js');
    const shared = given.shared ?? (await sharedCodersOf(settings))!;
    const { workerUrl } = settings;
    // Where searches are slow, the lookahead waits for the threads that search, too.
    const isLong = settings.isLong || isSlow(String(settings.estimator));
    const common = { settings: ofCoder, memory, references, quantizers, setsUpGpu: given.setsUpGpu ?? false };
    return CoderThreads.create({ ...common, count, shared, workerUrl, keptThreads, isLong, own, onWarning });
  }
  return {
    memory,
    references,
    count,
    nextThread: async () => here,
    repetition: plan => own.repetition(plan),
    sequenceEnd: () => own.sequenceEnd(),
    close: async () => {},
  };
}

/** What two threads need to share the coder threads of an encode; undefined where the calling thread codes. */
export async function sharedCodersOf(settings: EncoderSettings): Promise<SharedCoders | undefined> {
  const count = coderCount(settings);
  if (count === 1) return undefined;
  const { shareCoders } = await import('./coder-threads.js');
  return shareCoders(count);
}

/** The bytes of kernel memory that the coders of an encode take. */
export function coderBytes(settings: EncoderSettings): number {
  return memoryFor(coderCount(settings), settings).bytes;
}

/**
 * Whether pictures can be coded side by side: in shared memory, and not where the motion of one follows from the pels
 * of the one before.
 */
function codesSideBySide({ threads, motionReference }: EncoderSettings): boolean {
  return threads > 1 && motionReference === 'source' && canShareMemory();
}

/** How many threads code: as many as wanted or as pointers reach, 42 at the largest size, 33 if a GPU may search. */
function coderCount(settings: EncoderSettings): number {
  let count = codesSideBySide(settings) ? settings.threads : 1;
  while (count > 1 && memoryFor(count, settings).bytes > MAX_MEMORY_BYTES) count--;
  return count;
}

/** What so many coder threads need, the calling thread beside them. */
function memoryFor(
  count: number,
  settings: EncoderSettings,
): { readonly reconstructions: number; readonly bytes: number } {
  const { grid, estimator } = settings;
  const workspaces = count === 1 ? 1 : count + 1;
  const besideThreads = count === 1 ? 0 : waitingPicturesOfThreads(count, mayUseGpu(estimator));
  const reconstructions = MORE_RECONSTRUCTIONS + besideThreads;
  const parts = workspaces * partBytes(workspaceBytes(settings));
  return { reconstructions, bytes: parts + reconstructions * reconstructionBytes(grid) + QUANTIZERS_BYTES };
}
