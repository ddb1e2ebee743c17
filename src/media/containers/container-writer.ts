import type { AccessUnit } from '../../bitstream/access-unit.js';

/** Turns access units, in coded order, into the bytes of a file; knows nothing of files. Memory stays bounded. */
export interface ContainerWriter {
  /** Takes the next access unit; returns the bytes that can be written now, perhaps none. */
  write(unit: AccessUnit): Uint8Array[];
  /** Returns the last bytes. Nothing may be written afterwards. */
  end(): Uint8Array[];
}
