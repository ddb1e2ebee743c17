// What the decoder's buffer allows the next pictures.
import { MAX_QUANTIZER_SCALE } from '../../../bitstream/limits.js';
import type { PlannedPicture } from '../../gop/gop-plan.js';
import { meanPictureScale } from '../../quantizer/picture-scale.js';
import type { ExpectedPicture } from '../forecast/rate-forecast.js';
import { type PictureShape, SEQUENCE_END_BITS, sparsePictureBits } from './sparse-picture.js';
import { refilled, type VbvBuffer } from './vbv-buffer.js';

/**
 * A picture that needs more than this part of the buffer's size is planned for a buffer that is so full; not measured.
 */
const MAX_WANTED_FULLNESS = 0.85;
/** Step of the search for a coarser base scale; not measured. */
const COARSENING_FACTOR = 1.04;

/** The base scale, made coarser until the buffer holds enough bits for each of the pictures. */
export function baseScaleWithinBuffer(
  buffer: VbvBuffer,
  pictures: readonly ExpectedPicture[],
  baseScale: number,
): number {
  let coarser = baseScale;
  while (coarser < MAX_QUANTIZER_SCALE && !holdsEnough(buffer, pictures, coarser)) {
    coarser = Math.min(MAX_QUANTIZER_SCALE, coarser * COARSENING_FACTOR);
  }
  return coarser;
}

function holdsEnough(buffer: VbvBuffer, pictures: readonly ExpectedPicture[], baseScale: number): boolean {
  const { settings } = buffer;
  let fullnessBits = buffer.fullnessBits;
  return pictures.every(({ type, bitsAt }) => {
    const needed = bitsAt(meanPictureScale(type, baseScale));
    const isEnough = fullnessBits >= Math.min(needed, MAX_WANTED_FULLNESS * settings.sizeBits);
    fullnessBits = refilled(fullnessBits - Math.min(needed, fullnessBits), settings);
    return isEnough;
  });
}

/** What the next picture must not exceed, and what it may count on in any case. */
export interface PictureLimits {
  readonly maxBits: number;
  /** The picture's sparsest form takes no more than this, if the buffer holds so much. */
  readonly sparseBits: number;
}

/**
 * The limits of the next picture, the first of `upcoming`: so that the others fit in their sparsest form, and the
 * buffer holds `bitsAfterwards` when all of them are taken out.
 */
export function pictureLimits(
  buffer: VbvBuffer,
  upcoming: readonly PlannedPicture[],
  bitsAfterwards: number,
  shape: PictureShape,
): PictureLimits {
  let reserveBits = 0;
  let sparseBits = 0;
  upcoming.slice(1).forEach(({ type, temporalReference }, index) => {
    sparseBits += sparsePictureBits(type, shape, temporalReference);
    reserveBits = Math.max(reserveBits, sparseBits - (index + 1) * buffer.settings.fillBits);
  });
  reserveBits = Math.max(reserveBits, sparseBits + bitsAfterwards - upcoming.length * buffer.settings.fillBits);
  const availableBits = buffer.fullnessBits - SEQUENCE_END_BITS;
  const next = upcoming[0]!;
  const nextSparseBits = Math.min(availableBits, sparsePictureBits(next.type, shape, next.temporalReference));
  return { maxBits: Math.max(nextSparseBits, availableBits - reserveBits), sparseBits: nextSparseBits };
}

/**
 * Zero bytes to follow a picture of so many bits: enough at a constant rate to keep the buffer from overflowing, and to
 * bring the picture to `wantedBits` as far as the buffer holds them.
 */
export function stuffingBytes(buffer: VbvBuffer, bits: number, wantedBits: number): number {
  if (!buffer.settings.isConstantRate) return 0;
  const missingBits = Math.min(wantedBits, buffer.fullnessBits - SEQUENCE_END_BITS) - bits;
  return Math.max(0, Math.ceil((buffer.minPictureBits - bits) / 8), Math.floor(missingBits / 8));
}
