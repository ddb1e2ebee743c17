// Where the search of the first B picture after an anchor starts.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import type { EstimateRequest, EstimatorFactory, MotionField } from '../../../src/motion/estimator.js';
import { encodeFrames } from '../../support/encode.js';

const size = { width: 96, height: 80 };
const frames = [...generateSample({ kind: 'pan-subpel', ...size, frames: 20, seed: 2 })];

/** What an estimator was asked, and what it found. */
interface Search extends EstimateRequest {
  readonly found: MotionField;
}

/** All searches of an encode by a pattern of two B pictures, by their pair of pictures: '4 from 3'. */
async function searches(options: { threads?: number; motionFromBefore?: boolean }): Promise<Map<string, Search>> {
  const { threads = 1, motionFromBefore = true } = options;
  const done = new Map<string, Search>();
  const estimator: EstimatorFactory = async parameters => {
    const inner = await createCpuPredictive(parameters);
    const estimate = async (request: EstimateRequest) => {
      const found = await inner.estimate(request);
      done.set(`${request.current.id} from ${request.reference.id}`, { ...request, found });
      return found;
    };
    return { traits: inner.traits, device: inner.device, estimate, close: () => inner.close() };
  };
  await encodeFrames(frames, { ...size, preset: 'fastest', threads, estimator, tools: { motionFromBefore } });
  return done;
}

describe.each([1, 2])('the first B picture after an anchor, with %i threads', threads => {
  it('is searched from where that three anchors before has moved', async () => {
    const done = await searches({ threads });
    for (const first of [1, 4, 7]) expect(done.get(`${first} from ${first - 1}`)!.start).toBeUndefined();
    for (const first of [10, 13, 16]) {
      const { dx, dy } = done.get(`${first - 9} from ${first - 10}`)!.found;
      expect(done.get(`${first} from ${first - 1}`)!.start).toEqual({ dx, dy });
    }
  });

  it('or from nowhere without motionFromBefore', async () => {
    const done = await searches({ threads, motionFromBefore: false });
    for (const first of [1, 4, 7, 10, 13, 16]) {
      expect(done.get(`${first} from ${first - 1}`)!.start).toBeUndefined();
    }
  });
});
