// The filters of ffmpeg that change pictures as the options ask and as their kind needs.
import { OptionError } from '../../errors.js';
import { cropText, type PictureOptions, type Rgb, rgbOf } from './picture-options.js';
import type { StreamFacts } from './stream-facts.js';

/**
 * ffmpeg's chain of filters for pictures of which `facts` are known; undefined if nothing is to be done. What comes out
 * has the range and the matrix of what goes in, except that full range becomes limited, that RGB and high dynamic range
 * become BT.601 as ffmpeg's own conversion does, and what the options ask for. `atRate`: filters that leave pictures
 * out or repeat them; what is left out is not converted, but deinterlacing looks at it.
 */
export function filterChain(
  options: PictureOptions,
  facts: Partial<StreamFacts> = {},
  atRate: readonly string[] = [],
): string | undefined {
  const { deinterlace = false, crop, scale, background = 'black', toBt601 = false } = options;
  const filters = [
    ...(deinterlace ? [deinterlacing(facts)] : []),
    ...atRate,
    ...(crop ? [cropping(crop)] : []),
    ...(facts.hdr ? [...assumed(facts.unsaid), TONE_MAPPING] : []),
    ...(facts.alpha ? [blending(facts.alpha, rgbOf(background))] : []),
    ...scaling(scale, facts.isFullRange ?? false),
    ...(toBt601 && facts.matrix ? [asBt601(facts.matrix)] : []),
  ];
  return filters.length === 0 ? undefined : filters.join(',');
}

/** One picture of each; only those that say that they are interlaced, if the stream says which field is first. */
function deinterlacing({ firstField }: Partial<StreamFacts>): string {
  return `bwdif=mode=send_frame:parity=auto:deint=${firstField ? 'interlaced' : 'all'}`;
}

/** ffmpeg would move a part that leaves the picture. It gets the length -1 instead, which it refuses. */
function cropping({ width, height, x, y }: NonNullable<PictureOptions['crop']>): string {
  const within = (length: number, at: number, whole: string) => `if(gt(${at + length},${whole}),-1,${length})`;
  return `crop=w='${within(width, x, 'iw')}':h='${within(height, y, 'ih')}':x=${x}:y=${y}:exact=1`;
}

/** Whether an error of ffmpeg means that the part of a crop leaves the picture. */
export function tellsOfCrop(message: string): boolean {
  return /Invalid too big or non positive size|Failed to configure input pad on Parsed_crop/.test(message);
}

/** The error for a crop that leaves the pictures. */
export function cropRefusal(name: string, crop: NonNullable<PictureOptions['crop']>): OptionError {
  return new OptionError(
    'crop',
    named => `${named('crop')} ${cropText(crop)} does not lie within the pictures of ${name}`,
  );
}

/** Linear light, the primaries of BT.709, a curve that keeps the highlights, and back to video of limited range. */
const TONE_MAPPING = [
  ...['zscale=transfer=linear:npl=100', 'format=gbrpf32le', 'zscale=primaries=bt709', 'tonemap=hable:desat=0'],
  ...['zscale=transfer=bt709:matrix=470bg:range=limited', 'format=yuv420p'],
].join(',');

/** zscale converts no unknown matrix and no unknown primaries: high dynamic range has those of BT.2020. */
function assumed(unsaid: StreamFacts['unsaid']): string[] {
  const colours = { colorspace: 'bt2020nc', color_primaries: 'bt2020' } as const;
  return unsaid ? [`setparams=${unsaid.map(name => `${name}=${colours[name]}`).join(':')}`] : [];
}

/** YCbCr with the matrix of BT.601. ffmpeg's `colorspace` is told the same primaries and curves on both sides. */
function asBt601(from: NonNullable<StreamFacts['matrix']>): string {
  const given = `ispace=${from === 'BT.709' ? 'bt709' : 'bt2020ncl'}:iprimaries=bt709:itrc=bt709:irange=tv`;
  return `format=yuv420p,colorspace=${given}:space=smpte170m:primaries=bt709:trc=bt709:range=tv`;
}

/** The error for pictures that `colorspace` cannot convert; undefined where ffmpeg's message does not tell of that. */
export function matrixRefusal(name: string, message: string): OptionError | undefined {
  if (!/Not yet implemented|Unsupported .* dimensions/.test(message)) return undefined;
  return new OptionError(
    'toBt601',
    named => `${named('toBt601')} needs an even width and height, which the pictures of ${name} do not have`,
  );
}

/** A picture of the background, opaque, and the picture over it. */
function blending(alpha: NonNullable<StreamFacts['alpha']>, rgb: Rgb): string {
  const over = (format: string, colour: string, overlay: string) =>
    `format=${format},split[over][under];[under]${colour}:a=maxval[back];[back][over]overlay=format=${overlay}`;
  if (alpha === 'rgb') {
    const [red, green, blue] = rgb;
    return over('rgba', `lutrgb=r=${red}:g=${green}:b=${blue}`, 'rgb');
  }
  const [y, u, v] = limitedBt601(rgb);
  const colour = `lutyuv=y=${y}:u=${u}:v=${v}`;
  return alpha === 'yuv420' ? over('yuva420p', colour, 'yuv420') : over('yuva444p', colour, 'yuv444');
}

/** ITU-R BT.601 of limited range, rounded to nearest. */
function limitedBt601([r, g, b]: Rgb): readonly number[] {
  const luma = 0.299 * r + 0.587 * g + 0.114 * b;
  const [y, u, v] = [(219 * luma) / 255, (224 * (b - luma)) / (1.772 * 255), (224 * (r - luma)) / (1.402 * 255)];
  return [16 + y, 128 + u, 128 + v].map(Math.round);
}

/** `setsar` makes pels of an unknown shape square, so that ffmpeg can say their shape after the scaling. */
function scaling(scale: PictureOptions['scale'], isFullRange: boolean): string[] {
  const range = isFullRange ? ['in_range=full:out_range=limited'] : [];
  if (scale) return ['setsar=sar', `scale=${[`${scale.width}:${scale.height}`, ...range].join(':')}`];
  return range.map(text => `scale=${text}`);
}
