import type { PictureType } from '../bitstream/macroblock-codes.js';

/** What the plan says of one picture. */
export interface PlannedPicture {
  readonly type: PictureType;
  /** Position in display order, from 0 over the whole encode. */
  readonly displayNumber: number;
  /** Position in coded order, from 0 over the whole encode. */
  readonly codedNumber: number;
  /** True: a (closed) group of pictures starts with this picture. */
  readonly startsGroup: boolean;
  /** Display number within the group of pictures. */
  readonly temporalReference: number;
}

/** The plan for picture `displayNumber`: closed groups of `gop` pictures, an I picture and P pictures after it. */
export function planPicture(displayNumber: number, gop: number): PlannedPicture {
  const temporalReference = displayNumber % gop;
  const startsGroup = temporalReference === 0;
  return {
    type: startsGroup ? 'I' : 'P',
    displayNumber,
    codedNumber: displayNumber,
    startsGroup,
    temporalReference,
  };
}
