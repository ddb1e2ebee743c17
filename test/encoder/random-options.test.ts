// Random options on small pictures of any size: decoders show the reconstruction, whatever is combined.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { generateSample, SAMPLE_KINDS, type SampleKind } from '../../samples/generate.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { PRESET_NAMES } from '../../src/encoder/settings/presets.js';
import type { ToolSwitches } from '../../src/encoder/settings/tool-switches.js';
import { OptionError } from '../../src/errors.js';
import type { SearchRange } from '../../src/motion/estimator.js';
import { encodeFrames } from '../support/encode.js';
import { expectShown } from '../support/expect-shown.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { IS_SOAK } from '../support/soak.js';

const folder = temporaryFolder();

/** Fixed, so that a commit is judged by itself; a failure prints what to set to see it again. */
const SEED = Number(process.env.MPEGPU_RANDOM_SEED ?? 11);
const RUNS = Number(process.env.MPEGPU_RANDOM_RUNS ?? (IS_SOAK ? 3000 : 80));
const PATH = process.env.MPEGPU_RANDOM_PATH;

const int = (min: number, max: number) => fc.integer({ min, max });

const sample = fc.record({
  kind: fc.constantFrom(...(Object.keys(SAMPLE_KINDS) as SampleKind[])),
  width: int(1, 100),
  height: int(1, 80),
  frames: int(1, 10),
  seed: int(0, 1000),
});

/** Every way to set the quantizer_scale. */
const rate = fc.oneof(
  fc.record({ q: int(1, 31) }),
  fc.record({ quality: fc.double({ min: 0, max: 100, noNaN: true }) }),
  fc.record({ bitrate: int(200, 4000).map(thousands => 1000 * thousands) }),
  fc.record({ bitrate: int(200, 4000).map(thousands => 1000 * thousands), cbr: fc.constant(true) }),
  int(200, 2000).map(thousands => ({ bitrate: 1000 * thousands, maxrate: 1500 * thousands })),
);

const tools: fc.Arbitrary<Required<ToolSwitches>> = fc.record({
  rateDistortionModes: fc.boolean(),
  earlySkips: fc.boolean(),
  rdVectorCandidates: int(1, 10),
  trellis: fc.constantFrom('none', 'chosen', 'all'),
  quantizerSearchRadius: int(0, 5),
  refinementRounds: int(0, 4),
  jointRounds: int(0, 4),
  directionFactor: int(1, 4),
  neighbourVectors: fc.boolean(),
  lookaheadVectors: fc.boolean(),
  bPictureMotion: fc.constantFrom('lookahead', 'near', 'both'),
  adaptiveTypes: fc.boolean(),
  macroblockTree: fc.boolean(),
});

/** Options beside the rate; each is left out in some cases. The first weight of an intra matrix must be 8. */
const others: fc.Arbitrary<Partial<EncoderOptions>> = fc.record(
  {
    frameRate: fc.constantFrom(24, 25, 29.97, 30, 60),
    gop: fc.oneof(int(1, 12), fc.constant(132)),
    bFrames: int(0, 7),
    openGop: fc.boolean(),
    adaptiveTypes: fc.boolean(),
    preset: fc.constantFrom(...PRESET_NAMES),
    tools,
    tune: fc.constantFrom('psnr', 'ssim'),
    aq: fc.double({ min: 0, max: 4, noNaN: true }),
    slices: fc.oneof(int(1, 5), fc.constant('rows' as const)),
    intraMatrix: fc.array(int(1, 255), { minLength: 63, maxLength: 63 }).map(weights => [8, ...weights]),
    nonIntraMatrix: fc.array(int(1, 255), { minLength: 64, maxLength: 64 }),
    estimator: fc.constantFrom('cpu-full', 'cpu-mrmp', 'cpu-log', 'zero'),
    range: fc.oneof(fc.constant<SearchRange>('picture'), fc.record({ x: int(1, 40), y: int(1, 40) })),
    metric: fc.constantFrom('sad', 'sse'),
    candidates: int(1, 8),
    motionReference: fc.constantFrom('source', 'reconstructed'),
    threads: int(1, 3),
    maxPendingPictures: int(1, 9),
  },
  { requiredKeys: [] },
);

const encode = fc.record({ sample, rate, others });

describe('an encode with random options', () => {
  it(`is shown by decoders as it was reconstructed, ${RUNS} times`, { timeout: 7_200_000 }, async () => {
    let shown = 0;
    let refused = 0;
    const property = fc.asyncProperty(encode, async given => {
      const { width, height, frames } = given.sample;
      const options = { width, height, ...given.others, ...given.rate };
      const encoded = await encodeFrames(generateSample(given.sample), options).catch((error: unknown) => {
        // The pictures are too large for the rate or the buffer whatever is done: said at once, naming the option.
        if (!(error instanceof OptionError && ['bitrate', 'vbvBytes'].includes(error.option))) throw error;
      });
      if (!encoded) {
        refused++;
        return;
      }
      expect(encoded.reconstruction).toHaveLength(frames);
      await expectShown(encoded, folder, 'random options');
      shown++;
    });
    const details = await fc.check(property, { numRuns: RUNS, seed: SEED, ...(PATH && { path: PATH }) });
    if (details.failed) {
      const again = `MPEGPU_RANDOM_SEED=${details.seed} MPEGPU_RANDOM_PATH=${details.counterexamplePath}`;
      throw new Error(
        `${fc.defaultReportMessage(details)}\n\nTo see it again: ${again} npx vitest run test/encoder/random-options.test.ts`,
        { cause: details.errorInstance },
      );
    }
    if (PATH === undefined) expect(refused).toBeLessThan(shown / 5);
  });
});
