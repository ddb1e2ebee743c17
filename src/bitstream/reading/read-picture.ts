// Reads the macroblocks of an access unit.
import { InputError } from '../../errors.js';
import { MAX_SLICES } from '../limits.js';
import type { PictureType } from '../picture-type.js';
import { FIRST_SLICE_START_CODE, PICTURE_START_CODE } from '../start-codes.js';
import { BitReader } from './bit-reader.js';
import { type CodedMacroblocks, emptyMacroblocks } from './coded-macroblocks.js';
import { SliceReader } from './slice-reader.js';

/** The letters of picture_coding_type 1..3; §2.4.3.4. */
const TYPES: readonly (PictureType | undefined)[] = [undefined, 'I', 'P', 'B'];

/**
 * Reads what an access unit says of its macroblocks: the one way to know how many bits each took. `mbWidth` and
 * `mbHeight` are the picture's size in macroblocks. Throws InputError for a unit that is damaged or of another size.
 */
export function readMacroblocks(data: Uint8Array, mbWidth: number, mbHeight: number): CodedMacroblocks {
  let picture: { readonly macroblocks: CodedMacroblocks; readonly slices: SliceReader } | undefined;
  const reader = new BitReader(data);
  for (let at = nextStartCode(data, 0); at >= 0; at = nextStartCode(data, at)) {
    const code = data[at + 3]!;
    at += 4;
    reader.position = 8 * at;
    if (code === PICTURE_START_CODE) {
      const { type, ...codes } = readPictureHeader(reader);
      const macroblocks = emptyMacroblocks(type, mbWidth, mbHeight);
      picture = { macroblocks, slices: new SliceReader(reader, macroblocks, codes) };
    } else if (picture && code >= FIRST_SLICE_START_CODE && code < FIRST_SLICE_START_CODE + MAX_SLICES) {
      picture.slices.read(code - FIRST_SLICE_START_CODE);
    }
  }
  if (!picture) throw new InputError('the access unit holds no picture');
  const { macroblocks, slices } = picture;
  const count = mbWidth * mbHeight;
  if (slices.last !== count - 1) throw new InputError(`the slices end at macroblock ${slices.last} of ${count}`);
  return macroblocks;
}

/** The byte at which the next start code begins; -1 where there is none. */
function nextStartCode(data: Uint8Array, from: number): number {
  for (let at = from; at + 3 < data.length; at++) {
    if (data[at + 2] === 1 && data[at] === 0 && data[at + 1] === 0) return at;
  }
  return -1;
}

/** picture_coding_type and the f_codes; ISO/IEC 11172-2 §2.4.2.5. */
function readPictureHeader(reader: BitReader) {
  reader.take(10); // temporal_reference
  const type = TYPES[reader.take(3)]; // picture_coding_type
  reader.take(16); // vbv_delay
  if (!type) throw new InputError('picture_coding_type is none of 1, 2, 3');
  const fCode = () => {
    if (reader.take(1)) throw new InputError('vectors are in full pels, which this reader does not know');
    return reader.take(3);
  };
  const forwardFCode = type === 'I' ? 1 : fCode(); // full_pel_forward_vector, forward_f_code
  const backwardFCode = type === 'B' ? fCode() : 1; // full_pel_backward_vector, backward_f_code
  return { type, forwardFCode, backwardFCode };
}
