// Finds the intra matrix with which a sample of frames takes the fewest bits at equal PSNR.
import { MAX_QUANTIZER_SCALE } from '../../bitstream/limits.js';
import { OptionError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';
import { decibels, log2, power } from '../../portable-math.js';
import { Encoder } from '../encoder.js';
import type { EncoderOptions } from '../options.js';
import { qualityOfScale } from '../quantizer/constant-quality.js';
import { NAMED_INTRA_MATRICES } from '../quantizer/quantizer-set.js';
import type { PassStatistics } from '../rate-control/pass-statistics.js';
import { ENCODER_OPTIONS } from '../settings/option-table.js';
import { checkValue } from '../settings/option-values.js';
import { readOptions } from '../settings/read-options.js';
import { optionsForTarget } from '../settings/stream-target.js';
import type { FrameSample } from './frame-sample.js';

/** A matrix whose AC weights are linear in the frequency: level + tilt * (u + v - MIDDLE_FREQUENCY). */
interface Shape {
  readonly level: number;
  readonly tilt: number;
}

const FLAT: Shape = { level: NAMED_INTRA_MATRICES.flat![63]!, tilt: 0 };
/** Distances from the flat matrix that are tried, and how many of them the chosen one may be away; not measured. */
const LEVEL_STEP = 4;
const TILT_STEP = 0.6;
const MAX_STEPS = 1.5;
/**
 * The slope of rate over distortion is measured between the scale and one that is coarser (if legal, else finer) by
 * this; not measured.
 */
const SLOPE_SCALE_FACTOR = 1.15;
/**
 * Smaller gains, as a part of the sample's bits, are chance: with 0.001, five clips from cameras lost 0.1 % instead of
 * nothing.
 */
const MIN_GAIN = 0.004;
/** How often the sample is encoded. */
const ENCODES = 9;
/** u + v at which the tilt changes no weight: about half of the coefficients that get bits lie below; not measured. */
const MIDDLE_FREQUENCY = 5;

/** The rate and the distortion of an encode of the sample. */
interface Point {
  readonly logBits: number;
  /** PSNR of luma in dB. */
  readonly psnr: number;
}

/**
 * 64 weights by row: the `intraMatrix` of a second encode, whose other options are `options`. It is the flat matrix
 * where no other gains enough.
 *
 * The sample is encoded at the mean scale of the first pass, with the flat matrix and with others whose level or tilt
 * is smaller or greater. Each is compared with the flat one by its bits at equal PSNR, from the slope of rate over
 * distortion that is measured first. The minima of the parabolas through these gains give the candidates, which are
 * encoded, too.
 *
 * `onProgress` is called with the frames coded so far and with the number expected at most. Throws OptionError for an
 * illegal option, and for what is no sample or no first pass, and the reason of `options.signal` when that is aborted.
 */
export async function tuneIntraMatrix(
  sample: FrameSample,
  firstPass: PassStatistics,
  asGiven: EncoderOptions,
  onProgress: (codedFrames: number, expectedFrames: number) => void = () => {},
): Promise<readonly number[]> {
  const { groups }: FrameSample = Object(sample);
  if (!groups) throw new OptionError('sample', 'sample is no FrameSample');
  const options = readOptions(asGiven);
  checkValue('onProgress', onProgress, ENCODER_OPTIONS.onPicture.values);
  checkValue('firstPass', firstPass, ENCODER_OPTIONS.firstPass.values);
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
  const atOtherScale = await encode(
    FLAT,
    scale * SLOPE_SCALE_FACTOR <= MAX_QUANTIZER_SCALE ? SLOPE_SCALE_FACTOR : 1 / SLOPE_SCALE_FACTOR,
  );
  const slope = (flat.logBits - atOtherScale.logBits) / (flat.psnr - atOtherScale.psnr);
  if (!(slope > 0 && Number.isFinite(slope))) return weightsOf(FLAT);
  /** Bits beyond the flat matrix at equal PSNR, as a logarithm. */
  const excess = async (shape: Shape) => {
    const { logBits, psnr } = await encode(shape);
    return logBits - flat.logBits - slope * (psnr - flat.psnr);
  };

  const { level, tilt } = FLAT;
  const levelSteps = minimumOfParabola(
    await excess({ level: level - LEVEL_STEP, tilt }),
    await excess({ level: level + LEVEL_STEP, tilt }),
  );
  const tiltSteps = minimumOfParabola(
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

/** Where the parabola through (-1, before), (0, 0) and (1, after) has its minimum, within MAX_STEPS. */
export function minimumOfParabola(before: number, after: number): number {
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

/** Encodes each group by itself, at the constant quality of the scale. */
async function encodeSample(
  groups: readonly (readonly Frame[])[],
  options: EncoderOptions,
  scale: number,
  intraMatrix: readonly number[],
): Promise<Point> {
  const { target: _, bitrate, cbr, maxrate, vbvBytes, firstPass, q, ...others } = optionsForTarget(options);
  const { onReconstruction, onWarning, ...silent } = others;
  // Any good estimator will do; this one starts at once on every machine.
  const settings = { ...silent, estimator: 'cpu-mrmp', quality: qualityOfScale(scale), intraMatrix };
  let bits = 0;
  let squaredError = 0;
  let frames = 0;
  for (const group of groups) {
    const encoder = new Encoder({ ...settings, expectedFrames: group.length });
    for (const frame of group) await encoder.add(frame);
    await encoder.finish();
    const { statistics } = encoder;
    bits += statistics.bits;
    squaredError += statistics.frames * power(10, -statistics.psnr.y / 10);
    frames += statistics.frames;
  }
  return { logBits: Math.LN2 * log2(bits), psnr: -decibels(squaredError / frames) };
}
