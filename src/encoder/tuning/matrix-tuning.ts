import { OptionError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { Encoder } from '../encoder.js';
import type { EncoderOptions } from '../options.js';
import { qualityOfScale } from '../quantizer/constant-quality.js';
import { NAMED_INTRA_MATRICES } from '../quantizer/quantizer-set.js';
import type { PassStatistics } from '../rate-control/pass-statistics.js';
import { optionsForTarget } from '../settings/stream-target.js';
import type { FrameSample } from './frame-sample.js';

/** A matrix whose weights change evenly with frequency: level + tilt * (u + v - 5), but for the DC. */
interface Shape {
  readonly level: number;
  readonly tilt: number;
}

const FLAT: Shape = { level: NAMED_INTRA_MATRICES.flat![63]!, tilt: 0 };
/** How far from flat matrices are tried, and how far from it the chosen one may be. */
const LEVEL_STEP = 4;
const TILT_STEP = 0.6;
const MAX_STEPS = 1.5;
/** What the slope of rate over distortion is measured by: the factor of another scale, coarser as long as there is one. */
const OTHER_SCALE = 1.15;
/** Smaller gains in the sample, as a part of the bits, are chance: with 0.001 five clips from cameras lost 0.1 % instead of nothing. */
const MIN_GAIN = 0.004;
/** Encodes of the sample that tuning takes. */
const ENCODES = 9;
/** u + v of half the coefficients that are worth bits. */
const MIDDLE_FREQUENCY = 5;

/** What an encode of the sample came to. */
interface Point {
  readonly logBits: number;
  /** PSNR of luma in dB. */
  readonly psnr: number;
}

/**
 * The intra matrix with which a sample takes the fewest bits at equal PSNR of luma, as `intraMatrix` of a second encode: 64 weights by row.
 * The sample is encoded nine times at the scale that the first pass had, with matrices that are flatter, steeper, finer and coarser than the flat one;
 * what their bits and errors differ by is judged by the slope of the encoder's own curve, and the minimum lies where parabolas
 * through them have theirs. Where nothing is gained, it is the flat matrix. The other options should be those of the second encode.
 * `onProgress` is told how many frames are coded, and how many will be at most. Throws OptionError for an option that is not legal, and
 * the reason of `options.signal` when that is aborted.
 */
export async function tuneIntraMatrix(
  sample: FrameSample,
  firstPass: PassStatistics,
  options: EncoderOptions,
  onProgress: (codedFrames: number, expectedFrames: number) => void = () => {},
): Promise<readonly number[]> {
  const { groups } = sample;
  if (options.matrix !== undefined || options.intraMatrix !== undefined) {
    throw new OptionError('matrix', 'a matrix is given: there is nothing to tune');
  }
  const anchors = firstPass.filter(({ type }) => type !== 'B');
  if (groups.length === 0 || anchors.length === 0) return weightsOf(FLAT);
  const scale = anchors.reduce((sum, { quantizerScale }) => sum + quantizerScale, 0) / anchors.length;
  const sampleFrames = groups.reduce((sum, group) => sum + group.length, 0);
  let codedFrames = 0;
  const onPicture = () => onProgress(++codedFrames, ENCODES * sampleFrames);
  const encode = (shape: Shape, factor = 1) =>
    encodeSample(groups, { ...options, onPicture }, scale * factor, weightsOf(shape));

  const flat = await encode(FLAT);
  const other = await encode(FLAT, scale * OTHER_SCALE <= 31 ? OTHER_SCALE : 1 / OTHER_SCALE);
  const slope = (flat.logBits - other.logBits) / (flat.psnr - other.psnr);
  if (!(slope > 0 && Number.isFinite(slope))) return weightsOf(FLAT);
  const excess = async (shape: Shape) => {
    const { logBits, psnr } = await encode(shape);
    return logBits - flat.logBits - slope * (psnr - flat.psnr);
  };

  const { level, tilt } = FLAT;
  const levelSteps = leastOfParabola(
    await excess({ level: level - LEVEL_STEP, tilt }),
    await excess({ level: level + LEVEL_STEP, tilt }),
  );
  const tiltSteps = leastOfParabola(
    await excess({ level, tilt: tilt - TILT_STEP }),
    await excess({ level, tilt: tilt + TILT_STEP }),
  );
  const both = { level: level + LEVEL_STEP * levelSteps, tilt: tilt + TILT_STEP * tiltSteps };
  const choices = [both, { level: both.level, tilt }, { level, tilt: both.tilt }];
  let best = { shape: FLAT, excess: -MIN_GAIN };
  for (const shape of choices) {
    const found = await excess(shape);
    if (found < best.excess) best = { shape, excess: found };
  }
  return weightsOf(best.shape);
}

/** Where the parabola through (-1, before), (0, 0) and (1, after) is least, within MAX_STEPS. */
export function leastOfParabola(before: number, after: number): number {
  const curvature = before + after;
  if (curvature <= 0) return before < after ? -1 : 1;
  return Math.max(-MAX_STEPS, Math.min(MAX_STEPS, (before - after) / (2 * curvature)));
}

function weightsOf({ level, tilt }: Shape): number[] {
  return Array.from({ length: 64 }, (_, place) => {
    const frequency = (place >> 3) + (place & 7);
    return place === 0 ? 8 : Math.round(level + tilt * (frequency - MIDDLE_FREQUENCY));
  });
}

/** Encodes the groups, each by itself, at a constant quality of the scale. */
async function encodeSample(
  groups: readonly (readonly Frame[])[],
  options: EncoderOptions,
  scale: number,
  intraMatrix: readonly number[],
): Promise<Point> {
  const { target: _, bitrate, cbr, maxrate, vbvBytes, firstPass, q, ...others } = optionsForTarget(options);
  const { onReconstruction, onWarning, ...silent } = others;
  // Any good estimator will do; this one is there at once, on every machine.
  const settings = { ...silent, estimator: 'cpu-mrmp', quality: qualityOfScale(scale), intraMatrix };
  let bits = 0;
  let squaredError = 0;
  let frames = 0;
  for (const group of groups) {
    const encoder = new Encoder(settings);
    for (const frame of group) await encoder.add(frame);
    await encoder.finish();
    const { statistics } = encoder;
    bits += statistics.bits;
    squaredError += statistics.frames * 10 ** (-statistics.psnr.y / 10);
    frames += statistics.frames;
  }
  return { logBits: Math.log(bits), psnr: -10 * Math.log10(squaredError / frames) };
}
