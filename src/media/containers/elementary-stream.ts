// The video elementary stream, without a container: ISO/IEC 11172-2.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { PICTURE_START_CODE, SEQUENCE_HEADER_CODE } from '../../bitstream/start-codes.js';
import { OptionError } from '../../errors.js';
import type { ContainerWriter } from './container-writer.js';

/** Writes the access units as they are. */
export class ElementaryStreamWriter implements ContainerWriter {
  write(unit: AccessUnit): Uint8Array[] {
    return [unit.data];
  }

  /** Throws an OptionError: there is no place for sound. */
  writeSound(): void {
    throw new OptionError('sound', 'a video elementary stream has no place for sound');
  }

  end(): Uint8Array[] {
    return [];
  }
}

/** More than a sequence header with both matrices, a group header and a picture start code take together. */
export const MAX_UNIT_HEAD_BYTES = 160;

/** Bytes from the start of an access unit to the end of its picture start code; 0 where there is none. */
export function unitHeadBytes(unit: Uint8Array): number {
  for (let at = 0; at + 4 <= Math.min(unit.length, MAX_UNIT_HEAD_BYTES); at++) {
    if (unit[at] === 0 && unit[at + 1] === 0 && unit[at + 2] === 1 && unit[at + 3] === PICTURE_START_CODE)
      return at + 4;
  }
  return 0;
}

/** Whether bytes start with sequence_header_code, where decoding can start; ISO/IEC 11172-2 §2.4.2.3. */
export function startsWithSequenceHeader(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === SEQUENCE_HEADER_CODE;
}
