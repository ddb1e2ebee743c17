// Random encodes by the library: the stream is what the encoder says it is, and depends on nothing that it should not.
import fc from 'fast-check';
import { OptionError } from '../../../src/errors.js';
import { KERNEL_SET_NAMES, type KernelSetName } from '../../../src/kernels/kernels.js';
import { encodeFrames } from '../../support/encode.js';
import { type FuzzKind, require } from '../runner/fuzz-kind.js';
import { checkEncoded } from './check-encoded.js';
import { drawFrames, type Scene, scenes } from './contents.js';
import { type RandomOptions, randomOptions } from './option-arbitraries.js';

/** What must not change the stream. */
interface Work {
  readonly threads: number;
  readonly kernels: KernelSetName;
  readonly maxPendingPictures?: number;
}

/** An encode, done twice by different work. */
export interface EncodeCase {
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly Scene[];
  readonly options: RandomOptions;
  /** Whether a first encode finds statistics for the second. */
  readonly isTwoPass: boolean;
  /** Whether the first of two passes is told so. */
  readonly isFirstPass: boolean;
  /** Of the second of the two encodes. */
  readonly otherWork: Work;
}

const USUAL_WORK: Work = { threads: 1, kernels: 'simd' };
/** Luma pels of all frames together: more is left out, or coded with the fast kernels. */
const MAX_PELS = 200_000;
const MAX_REFERENCE_PELS = 12_000;
const MAX_FRAMES = 24;

const int = (min: number, max: number) => fc.integer({ min, max });
const side = fc.oneof(
  { weight: 4, arbitrary: int(1, 50) },
  { weight: 3, arbitrary: int(1, 130) },
  { weight: 2, arbitrary: int(1, 8).map(macroblocks => 16 * macroblocks) },
  { weight: 1, arbitrary: int(1, 300) },
);
/** A thread takes 0.1 s to start, and the readable kernels take ten times as long as the fast ones. */
const threads = fc.oneof(
  { weight: 30, arbitrary: fc.constant(1) },
  { weight: 5, arbitrary: int(2, 3) },
  { weight: 1, arbitrary: int(4, 8) },
);
const kernels = fc.oneof(
  { weight: 3, arbitrary: fc.constant('simd') },
  { weight: 1, arbitrary: fc.constantFrom(...KERNEL_SET_NAMES) },
);
const otherWork: fc.Arbitrary<Work> = fc.record(
  { threads, kernels, maxPendingPictures: int(1, 40) },
  { requiredKeys: ['threads', 'kernels'] },
);

export const encodeKind: FuzzKind<EncodeCase> = {
  cases: fc.record({
    width: side,
    height: side,
    scenes,
    options: randomOptions,
    isTwoPass: int(0, 5).map(n => n === 0),
    isFirstPass: fc.boolean(),
    otherWork,
  }),
  percent: 50,
  limitSeconds: 120,

  async check({ width, height, scenes, options, isTwoPass, isFirstPass, otherWork }, folder) {
    const maxFrames = Math.max(1, Math.min(MAX_FRAMES, Math.floor(MAX_PELS / (width * height))));
    const frames = drawFrames(scenes, width, height, maxFrames);
    const isLarge = width * height * frames.length > MAX_REFERENCE_PELS;
    const encode = async (work: Work, more: Partial<RandomOptions> = {}) =>
      encodeFrames(frames, { ...options, width, height, ...work, ...(isLarge && { kernels: 'simd' }), ...more });
    let firstPass = {};
    try {
      if (isTwoPass && options.bitrate !== undefined && options.latency !== 'low') {
        firstPass = { firstPass: (await encode(USUAL_WORK, { isFirstPass })).passStatistics };
      }
      const encoded = await encode(USUAL_WORK, firstPass);
      const again = await encode(otherWork, firstPass);
      await checkEncoded({ encoded, frames, options }, folder);
      require(Buffer.compare(encoded.stream, again.stream) === 0, () => 'the same options gave other bytes');
      return 'right';
    } catch (error) {
      if (isInfeasible(error, options)) return 'refused';
      throw error;
    }
  },
};

/** Whether an encode was refused since its pictures are too large for the rate or the buffer, whatever is done. */
export function isInfeasible(error: unknown, { bitrate }: Pick<RandomOptions, 'bitrate'>): boolean {
  const isRate = error instanceof OptionError && ['bitrate', 'vbvBytes', 'maxrate'].includes(error.option);
  return isRate && bitrate !== undefined;
}
