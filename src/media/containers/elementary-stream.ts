// The video elementary stream, without a container: ISO/IEC 11172-2.
import type { AccessUnit } from '../../bitstream/access-unit.js';
import { PICTURE_START_CODE, SEQUENCE_END_CODE, SEQUENCE_HEADER_CODE } from '../../bitstream/start-codes.js';
import { VARIABLE_BIT_RATE, VBV_BUFFER_UNIT_BYTES } from '../../bitstream/syntax/sequence-header.js';
import { OptionError } from '../../errors.js';
import { type ContainerWriter, requireAccessUnit } from './container-writer.js';

/** Writes the access units as they are, and sequence_end_code at the end, if the last one does not end with it. */
export class ElementaryStreamWriter implements ContainerWriter {
  #isOpen = false;

  write(unit: AccessUnit): Uint8Array[] {
    requireAccessUnit(unit);
    this.#isOpen = !endsWithSequenceEnd(unit.data);
    return [unit.data];
  }

  /** Throws an OptionError: there is no place for sound. */
  writeSound(): void {
    throw new OptionError('sound', 'a video elementary stream has no place for sound');
  }

  end(): Uint8Array[] {
    return this.#isOpen ? [SEQUENCE_END.slice()] : []; // a copy: the caller may transfer its buffer
  }
}

const SEQUENCE_END = Uint8Array.of(0, 0, 1, SEQUENCE_END_CODE);

/** `bytes` with sequence_end_code at their end, which those of a live encoder lack. */
export function withSequenceEnd(bytes: Uint8Array): Uint8Array {
  if (endsWithSequenceEnd(bytes)) return bytes;
  const ended = new Uint8Array(bytes.length + SEQUENCE_END.length);
  ended.set(bytes);
  ended.set(SEQUENCE_END, bytes.length);
  return ended;
}

/** Whether bytes end with sequence_end_code; ISO/IEC 11172-2 §2.4.2.2. */
function endsWithSequenceEnd(bytes: Uint8Array): boolean {
  const [a, b, c, code] = bytes.subarray(-4);
  return a === 0 && b === 0 && c === 1 && code === SEQUENCE_END_CODE;
}

/** A picture header with both vector ranges and no extra information: the start code and 38 bits more. */
const MAX_PICTURE_HEADER_BYTES = 9;
/** More than a sequence header with both matrices, a group header and a picture header take together. */
export const MAX_UNIT_HEAD_BYTES = 160;

/** Where in an access unit its picture start code is; undefined where there is none. */
export function pictureStart(unit: Uint8Array): number | undefined {
  for (let at = 0; at + 4 <= Math.min(unit.length, MAX_UNIT_HEAD_BYTES - MAX_PICTURE_HEADER_BYTES + 4); at++) {
    if (unit[at] === 0 && unit[at + 1] === 0 && unit[at + 2] === 1 && unit[at + 3] === PICTURE_START_CODE) return at;
  }
  return undefined;
}

/** Bytes from the start of an access unit to the end of its picture header; 0 where there is none. */
export function unitHeadBytes(unit: Uint8Array): number {
  const start = pictureStart(unit);
  return start === undefined ? 0 : Math.min(unit.length, start + MAX_PICTURE_HEADER_BYTES);
}

/** Whether bytes start with sequence_header_code, where decoding can start; ISO/IEC 11172-2 §2.4.2.3. */
export function startsWithSequenceHeader(bytes: Uint8Array): boolean {
  return bytes[0] === 0 && bytes[1] === 0 && bytes[2] === 1 && bytes[3] === SEQUENCE_HEADER_CODE;
}

/**
 * The size of the decoder's buffer in bytes, from the sequence header at the start of `bytes`. 0 if there is none, and
 * at a variable bit rate, where pictures do not keep to the buffer.
 */
export function vbvBufferBytes(bytes: Uint8Array): number {
  if (bytes.length < 12 || !startsWithSequenceHeader(bytes)) return 0;
  const fields = new DataView(bytes.buffer, bytes.byteOffset).getUint32(8); // bit_rate 18, marker_bit 1, size 10
  return fields >>> 14 === VARIABLE_BIT_RATE ? 0 : ((fields >>> 3) & 0x3ff) * VBV_BUFFER_UNIT_BYTES;
}
