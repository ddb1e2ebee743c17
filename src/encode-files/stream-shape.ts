// The shape of the pels that the stream says, by the shape that the source has.
import { nearestPelAspectRatio, PEL_ASPECT_RATIOS, type PelAspect } from '../bitstream/tables/pel-aspect-ratio.js';
import type { EncoderOptions } from '../encoder/options.js';
import { asProperty } from '../errors.js';
import type { FrameSourceOptions } from '../media/frames/frame-source.js';

/** The largest difference from MPEG-1's nearest shape that has no warning, as a share. */
const TOLD_DIFFERENCE = 0.01;

/** pel_aspect_ratio of the two picture formats of Video CD. */
const VIDEO_CD_SHAPES = [8, 12];

/** The options that the shape depends on, and how a warning names options. */
type ShapeOptions = Pick<EncoderOptions, 'target'> & Pick<FrameSourceOptions, 'aspect' | 'optionNaming'>;

/** What has pels of some shape. */
interface Shaped {
  readonly name: string;
  readonly pelAspect?: PelAspect | undefined;
}

/**
 * The option of the encoder for the shape of the source's pels; none for square ones, and none for a Video CD, whose
 * pictures have a shape of their own, unless the user has given one. A warning says where MPEG-1 has no shape that is
 * near.
 */
export function pelAspectOption(
  { name, pelAspect }: Shaped,
  { target, aspect, optionNaming: named = asProperty }: ShapeOptions,
  onWarning: (message: string) => void,
): Pick<EncoderOptions, 'pelAspectRatio'> {
  if (!pelAspect) return {};
  const { code, widening } = nearestPelAspectRatio(pelAspect);
  const shape = `${decimals(pelAspect.width / pelAspect.height)}:1`;
  if (target === 'vcd' && aspect === undefined) {
    if (![1, ...VIDEO_CD_SHAPES].includes(code))
      onWarning(`${name} has pels of ${shape}, and a Video CD shows its own shape: scale or crop to fit it`);
    return {};
  }
  if (Math.abs(widening - 1) > TOLD_DIFFERENCE) {
    const change = `${decimals(Math.abs(widening - 1) * 100, 1)} % ${widening > 1 ? 'wider' : 'narrower'}`;
    const nearest = `MPEG-1's nearest shape is ${decimals(1 / PEL_ASPECT_RATIOS[code - 1]!)}:1`;
    onWarning(
      `${name} has pels of ${shape}; ${nearest}, so players show the picture ${change}: ${named('scale')} can make them square`,
    );
  }
  return code === 1 && target === undefined ? {} : { pelAspectRatio: code };
}

function decimals(value: number, digits = 4): string {
  return String(Number(value.toFixed(digits)));
}
