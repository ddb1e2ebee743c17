// The coders of an encode and the memory that they share.
import { KernelMemory, partBytes } from '../../kernels/kernel-memory.js';
import { compileKernels } from '../../kernels/select-kernels.js';
import { allocateReconstruction, reconstructionBytes } from '../picture/reconstructed-picture.js';
import { ReferencePictures } from '../picture/reference-pictures.js';
import { workspaceBytes } from '../picture/workspace.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import { Coder, coderSettings } from './coder.js';
import { type CodingThread, OwnThread } from './coding-thread.js';

/** Codes pictures, several side by side if there are threads for it. */
export interface Coders {
  /** The memory in which they work. */
  readonly memory: KernelMemory;
  readonly references: ReferencePictures;
  /** How many pictures can be coded at a time. */
  readonly count: number;
  /** Resolves with a thread that codes nothing. Pictures are given to threads in coded order. */
  idle(): Promise<CodingThread>;
  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array;
  /** Ends the threads; pictures under way are given up. */
  close(): Promise<void>;
}

/** Reconstructions that are needed beside those being coded: two anchors, and one that was coded before its turn. */
const MORE_RECONSTRUCTIONS = 3;

/**
 * Makes the coders of an encode: in threads where pictures can be coded side by side, else in the calling thread.
 * Rejects with UnsupportedError if the kernels cannot run here.
 */
export async function createCoders(settings: EncoderSettings, onWarning: (message: string) => void): Promise<Coders> {
  const { grid } = settings;
  const count = codesSideBySide(settings) ? settings.threads : 1;
  const reconstructions = count === 1 ? MORE_RECONSTRUCTIONS : 2 * count + MORE_RECONSTRUCTIONS;
  const parts = count === 1 ? 1 : count + 1;
  const bytes = parts * partBytes(workspaceBytes(grid)) + reconstructions * reconstructionBytes(grid);
  const memory = new KernelMemory(bytes);
  const references = new ReferencePictures(
    memory,
    Array.from({ length: reconstructions }, () => allocateReconstruction(memory, grid)),
  );
  const module = await compileKernels(settings.kernels);
  const own = await Coder.create(coderSettings(settings), memory.allocatePart(workspaceBytes(grid)), module);
  const here = new OwnThread(own);
  if (count > 1) {
    const { CoderThreads } = await import('./coder-threads.js');
    const threads = new CoderThreads({ settings: coderSettings(settings), memory, module, count, own, onWarning });
    return Object.assign(threads, { memory, references });
  }
  return {
    memory,
    references,
    count,
    idle: async () => here,
    sequenceEnd: () => own.sequenceEnd(),
    close: async () => {},
  };
}

/**
 * Whether pictures can be coded side by side: not where the limit of one follows from the bits of the one before, or
 * its motion from its pels.
 */
function codesSideBySide({ threads, rateMode, motionReference }: EncoderSettings): boolean {
  const hasBuffer = rateMode.kind === 'bit-rate' && rateMode.buffer !== undefined;
  return threads > 1 && !hasBuffer && motionReference === 'source';
}
