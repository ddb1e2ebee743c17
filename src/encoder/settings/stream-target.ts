// Sets the options that a target, such as Video CD, asks for.

import { pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { counted } from '../../counted.js';
import { OptionError, type OptionNaming } from '../../errors.js';
import type { EncoderOptions } from '../options.js';

/** Video CD: the rate that its sectors leave for video, and the decoder's buffer. */
const VIDEO_CD = { bitrate: 1_151_929, cbr: true, vbvBytes: 40_960 };
const VIDEO_CD_WIDTH = 352;
/** The two picture formats of Video CD. Codes of picture_rate and pel_aspect_ratio: ISO/IEC 11172-2 §2.4.3.2. */
const VIDEO_CD_FORMATS = [
  { height: 240, pictureRates: [1, 4], pelAspectRatio: 12, gop: 18 },
  { height: 288, pictureRates: [3], pelAspectRatio: 8, gop: 15 },
] as const;
const VIDEO_CD_RANGE = { x: 48, y: 32 };

/** Checked options, completed by what the target needs. Throws OptionError for one that contradicts the target. */
export function optionsForTarget(options: EncoderOptions): EncoderOptions {
  const { target } = options;
  if (target === undefined) return options;
  if (target === 'vcd') return videoCd(options);
  const { bFrames = 0 } = options;
  if (bFrames !== 0) {
    throw new OptionError('bFrames', named => {
      const jsmpeg = `${named('target')} jsmpeg`;
      return `${named('bFrames')} ${bFrames} does not go with ${jsmpeg}, which shows no B pictures: 0, or leave it out`;
    });
  }
  return { gop: 12, openGop: false, ...options, bFrames: 0 };
}

function videoCd(options: EncoderOptions): EncoderOptions {
  const { width, height, frameRate } = options;
  const code = pictureRateCode(frameRate);
  const format = VIDEO_CD_FORMATS.find(
    known => known.height === height && width === VIDEO_CD_WIDTH && known.pictureRates.some(rate => rate === code),
  );
  if (!format) {
    throw new OptionError('target', named => refusalOfShape(options, named));
  }
  for (const name of ['bitrate', 'cbr', 'maxrate', 'vbvBytes', 'q', 'quality'] as const) {
    if (options[name] === undefined) continue;
    throw new OptionError(name, named => `${named(name)} is given by ${named('target')} vcd: leave it out`);
  }
  const { gop, pelAspectRatio } = format;
  return { gop, pelAspectRatio, bFrames: 2, range: VIDEO_CD_RANGE, ...options, ...VIDEO_CD };
}

/** What is wrong with the size or the rate, and what would be right. */
function refusalOfShape({ width, height, frameRate }: EncoderOptions, named: OptionNaming): string {
  const rate = typeof frameRate === 'number' ? frameRate : frameRate.numerator / frameRate.denominator;
  const given = `${width}x${height} at ${counted(Number(rate.toFixed(3)), 'frame')} per second`;
  const legal = '352x240 at 23.976 or 29.97, or 352x288 at 25';
  return `${named('target')} vcd needs ${legal}, not ${given}: ${named('scale')} and ${named('frameRate')} change it`;
}
