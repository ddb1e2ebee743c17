// Checks that this machine's GPU computes the disparities of the CPU twin.
import { UnsupportedError } from '../../errors.js';
import { createCpuMatcher } from '../../stereo/cpu-matcher.js';
import type { GrayPicture, StereoMatcher } from '../../stereo/matcher.js';
import type { StereoSettings } from '../../stereo/stereo-options.js';

/** Rows of the test pair, and how much wider than the range it is. */
const HEIGHT = 8;
const MARGIN = 27;
/** Disparity of its lower half. */
const SHIFT = 5;

/** A matcher whose buffers can be freed. */
interface TrialMatcher extends StereoMatcher {
  destroy(): void;
}

/** Matches a small pair on the GPU and on the CPU. Rejects with UnsupportedError if the disparities differ. */
export async function checkStereo(
  gpuName: string,
  settings: StereoSettings,
  matcherFor: (width: number, height: number) => TrialMatcher,
): Promise<void> {
  const width = settings.range + MARGIN;
  const [left, right] = [0, SHIFT].map(shift => testPicture(width, shift));
  const twin = await createCpuMatcher(width, HEIGHT, settings);
  const trial = matcherFor(width, HEIGHT);
  try {
    const expected = await twin.match(left!, right!);
    const actual = await trial.match(left!, right!);
    const wrong = actual.sixteenths.findIndex((value, pel) => value !== expected.sixteenths[pel]);
    if (wrong === -1) return;
    const values = `${actual.sixteenths[wrong]} instead of ${expected.sixteenths[wrong]}`;
    throw new UnsupportedError(`${gpuName} computes wrong disparities (pel ${wrong}: ${values})`);
  } finally {
    trial.destroy();
    await twin.close();
  }
}

/** Noise whose lower half is displaced by `shift`; a part of it is flat. */
function testPicture(width: number, shift: number): GrayPicture {
  const pels = Uint8Array.from({ length: width * HEIGHT }, (_, pel) => {
    const y = Math.floor(pel / width);
    const x = (pel % width) + (y >= HEIGHT / 2 ? shift : 0);
    return x % 32 > 24 ? 90 : Math.imul(x * 31 + y * 57, 0x9e3779b1) >>> 24;
  });
  return { width, height: HEIGHT, pels };
}
