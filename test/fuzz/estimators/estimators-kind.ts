// Encodes with estimators that lie: an error that names the estimator, or a right stream; never a hang.
import fc from 'fast-check';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { PresetName } from '../../../src/encoder/settings/presets.js';
import { InputError, OptionError, UnsupportedError } from '../../../src/errors.js';
import type { EstimatorParameters } from '../../../src/motion/estimator.js';
import { encodeFrames } from '../../support/encode.js';
import { checkEncoded } from '../encode/check-encoded.js';
import { drawFrames, type Scene, scenes } from '../encode/contents.js';
import { type FuzzKind, fail } from '../runner/fuzz-kind.js';
import { createLiar, LIAR, type Lie, lies, neverEnds } from './lies.js';

/** An encode with a lying estimator. */
export interface LieCase {
  readonly lie: Lie;
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly Scene[];
  readonly preset: PresetName;
  readonly motionReference: 'source' | 'reconstructed';
}

const MAX_FRAMES = 8;
/** A user who gives up after so long, where an estimator never answers. */
const PATIENCE_MS = 300;

export const estimatorsKind: FuzzKind<LieCase> = {
  cases: fc.record({
    lie: lies,
    width: fc.integer({ min: 1, max: 60 }),
    height: fc.integer({ min: 1, max: 60 }),
    scenes,
    preset: fc.constantFrom('fast', 'best'),
    motionReference: fc.constantFrom('source', 'reconstructed'),
  }),
  percent: 10,
  limitSeconds: 60,

  async check({ lie, width, height, scenes, preset, motionReference }, folder) {
    const frames = drawFrames(scenes, width, height, MAX_FRAMES);
    const signal = neverEnds(lie) ? AbortSignal.timeout(PATIENCE_MS) : undefined;
    const options: Partial<EncoderOptions> = {
      preset,
      motionReference,
      tools: { bPictureMotion: 'both' },
      estimator: (parameters: EstimatorParameters) => createLiar(parameters, lie),
      ...(signal && { signal }),
    };
    try {
      const encoded = await encodeFrames(frames, { width, height, ...options });
      await checkEncoded({ encoded, frames, options: {} }, folder);
      return 'right';
    } catch (error) {
      if (signal?.aborted && error === signal.reason) return 'refused';
      return checkRefusal(error, lie);
    }
  },
};

/** An error of ours must name the estimator; what the estimator itself throws is passed on, named or as it is. */
function checkRefusal(error: unknown, lie: Lie): 'refused' {
  const isOurs = [InputError, OptionError, UnsupportedError].some(kind => error instanceof kind);
  if (isOurs && /estimator|liar/.test((error as Error).message)) return 'refused';
  if (error instanceof Error && error.message.includes(LIAR) && !/[A-Z]\w*Error/.test(error.name)) return 'refused';
  if (lie.what === 'throws') return 'refused';
  if (error instanceof Error) throw error;
  return fail(`it was refused with ${String(error)}, which is no error that names the estimator`);
}
