import type { AccessUnit } from '../../bitstream/access-unit.js';
import type { ContainerWriter } from './container-writer.js';

/** The video elementary stream as it is, without a container; ISO/IEC 11172-2. */
export class ElementaryStreamWriter implements ContainerWriter {
  write(unit: AccessUnit): Uint8Array[] {
    return [unit.data];
  }

  end(): Uint8Array[] {
    return [];
  }
}
