// Splits an elementary stream into access units.
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';

const PICTURE = 0x00;
const SEQUENCE_HEADER = 0xb3;
const SEQUENCE_END = 0xb7;
const GROUP = 0xb8;

/** The access units of an MPEG-1 video elementary stream; display numbers come from temporal_reference. */
export function splitAccessUnits(stream: Uint8Array): AccessUnit[] {
  const units: AccessUnit[] = [];
  let start = 0;
  let hasPicture = false;
  let pictureType: AccessUnit['pictureType'] = 'I';
  let displayNumber = 0;
  let picturesBeforeGroup = 0;
  const finish = (end: number) => {
    units.push({ data: stream.subarray(start, end), pictureType, displayNumber, codedNumber: units.length });
    start = end;
    hasPicture = false;
  };
  for (let at = 0; at + 4 <= stream.length; at++) {
    if (stream[at] !== 0 || stream[at + 1] !== 0 || stream[at + 2] !== 1) continue;
    const code = stream[at + 3]!;
    if (hasPicture && (code === PICTURE || code === SEQUENCE_HEADER || code === GROUP)) finish(at);
    if (code === GROUP) picturesBeforeGroup = units.length;
    if (code === PICTURE) {
      hasPicture = true;
      displayNumber = picturesBeforeGroup + ((stream[at + 4]! << 2) | (stream[at + 5]! >> 6));
      pictureType = (['I', 'P', 'B'] as const)[((stream[at + 5]! >> 3) & 7) - 1]!;
    }
    if (code === SEQUENCE_END) break;
    at += 3;
  }
  finish(stream.length);
  return units;
}
