// What the stream says of each macroblock of a picture.
import type { PictureType } from '../picture-type.js';

/** Vectors of macroblocks in raster order, in half-pels. */
export interface VectorPlanes {
  readonly dx: Int16Array;
  readonly dy: Int16Array;
}

/** The macroblocks of a picture in raster order. */
export interface CodedMacroblocks {
  readonly type: PictureType;
  readonly mbWidth: number;
  readonly mbHeight: number;
  /** macroblock_type without MACROBLOCK_QUANT: the sum of its flags; 0 for a skipped macroblock. */
  readonly types: Uint8Array;
  /** What a macroblock is predicted from, also where it is skipped: the MACROBLOCK_MOTION flags; 0 for intra. */
  readonly directions: Uint8Array;
  /** quantizer_scale 1..31; of a macroblock without coefficients the one that it leaves as it is. */
  readonly scales: Uint8Array;
  /** Bits from macroblock_address_increment to the last end_of_block; 0 for a skipped macroblock. */
  readonly bits: Uint32Array;
  /** Zero where the direction is not used. */
  readonly forward: VectorPlanes;
  readonly backward: VectorPlanes;
}

/** Zeros for the macroblocks of a picture of a size in macroblocks. */
export function emptyMacroblocks(type: PictureType, mbWidth: number, mbHeight: number): CodedMacroblocks {
  const count = mbWidth * mbHeight;
  const planes = () => ({ dx: new Int16Array(count), dy: new Int16Array(count) });
  return {
    type,
    mbWidth,
    mbHeight,
    types: new Uint8Array(count),
    directions: new Uint8Array(count),
    scales: new Uint8Array(count),
    bits: new Uint32Array(count),
    forward: planes(),
    backward: planes(),
  };
}
