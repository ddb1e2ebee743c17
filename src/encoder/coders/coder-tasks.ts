// What a coder thread is asked.
import type { MemoryPart } from '../../kernels/kernel-memory.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { QuantizerPointers } from '../quantizer/quantizer-set.js';
import type { CodedPicture } from './coded-picture.js';
import type { CoderSettings } from './coder.js';

/** Start data of a coder thread. */
export interface CoderSetup {
  readonly settings: CoderSettings;
  /** The thread's own part of the memory that all coders of an encode share. */
  readonly part: MemoryPart;
  /** The quantizers of all coders, in the same memory. */
  readonly quantizers: QuantizerPointers;
  /** The port by which the lookahead's thread may ask it to analyse pictures. */
  readonly analysisPort: MessagePort;
}

/** The tasks of a coder thread. */
export interface CoderTasks {
  /** Makes the coder. Rejects with UnsupportedError if its kernels cannot run. */
  open(): Promise<void>;
  /** Codes a picture; its anchors were given to threads before. Rejects with InputError for a field of wrong size. */
  code(job: PictureJob): Promise<CodedPicture>;
}
