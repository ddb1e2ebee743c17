// The video elementary stream, without a container: ISO/IEC 11172-2.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { SEQUENCE_HEADER_CODE } from '../../bitstream/start-codes.js';
import type { ContainerWriter } from './container-writer.js';

/** Writes the access units as they are. */
export class ElementaryStreamWriter implements ContainerWriter {
  write(unit: AccessUnit): Uint8Array[] {
    return [unit.data];
  }

  end(): Uint8Array[] {
    return [];
  }
}

/** Whether bytes start with sequence_header_code, where decoding can start; ISO/IEC 11172-2 §2.4.2.3. */
export function startsWithSequenceHeader(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === SEQUENCE_HEADER_CODE;
}
