// How a comparison measures VMAF, or why it does not.
import type { Frame } from '../../picture/frame.js';

/** Measures the VMAF of one sequence. */
export interface VmafMeter {
  /** Takes the next pair of frames. Waits while those before are being measured. */
  add(original: Frame, decoded: Frame): Promise<void>;
  /** The mean VMAF of all pairs, 0..100. Rejects if it could not be measured. */
  finish(): Promise<number>;
  /** Gives up what is not finished. Idempotent. */
  stop(): Promise<void>;
}

/** VMAF is measured by what `open` makes, one for each sequence, or it is left out for a reason. */
export type VmafChoice = { readonly open: () => Promise<VmafMeter> } | { readonly leftOut: string };
