// The anchors that a picture's motion is searched from, and the vectors proposed for it.

import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { PlannedPicture } from '../../../src/encoder/gop/gop-plan.js';
import { proposedVectors, searchedAnchors } from '../../../src/encoder/motion/anchor-motion.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { PictureReport } from '../../../src/encoder/report/picture-report.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import type { EstimatorFactory, MotionEstimator, MotionField } from '../../../src/motion/estimator.js';
import type { Frame } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';

const between: PlannedPicture = {
  type: 'B',
  displayNumber: 5,
  codedNumber: 6,
  startsGroup: false,
  closedGroup: false,
  groupStart: 0,
  temporalReference: 5,
  anchorNumber: 1,
  forward: 4,
  backward: 7,
};
const predicted: PlannedPicture = { ...between, type: 'P', backward: undefined };

/** A field of one row whose blocks have these horizontal vectors; the vertical ones are 100 more. */
function field(candidatesPerBlock: number, ...dx: number[]): MotionField {
  return {
    blockSize: 16,
    blockColumns: dx.length / candidatesPerBlock,
    blockRows: 1,
    candidatesPerBlock,
    dx: Int16Array.from(dx),
    dy: Int16Array.from(dx, x => x + 100),
    cost: Uint32Array.from(dx, Math.abs),
  };
}

describe('the anchors that are searched', () => {
  it('both, or the nearer', () => {
    expect(searchedAnchors(between, 'both')).toEqual({ forward: 4, backward: 7 });
    expect(searchedAnchors(between, 'near')).toEqual({ forward: 4, backward: undefined });
  });

  it('of P pictures: always the one there is', () => {
    for (const search of ['both', 'near'] as const) {
      expect(searchedAnchors(predicted, search)).toEqual({ forward: 4, backward: undefined });
    }
  });
});

describe('the vectors proposed', () => {
  const past = field(1, 3, -8);
  const future = field(1, 6, 7);

  it('of B pictures: in a direction that was not searched, those of the other one by the distances', () => {
    expect(proposedVectors(between, { forward: past, backward: undefined })).toEqual({
      forward: { searched: past, factor: 1 },
      backward: { searched: past, factor: -2 },
    });
    expect(proposedVectors(between, { forward: undefined, backward: future })).toEqual({
      forward: { searched: future, factor: -0.5 },
      backward: { searched: future, factor: 1 },
    });
    expect(proposedVectors(between, { forward: past, backward: future })).toEqual({
      forward: { searched: past, factor: 1 },
      backward: { searched: future, factor: 1 },
    });
  });

  it('of B pictures: those of the first step after the past anchor, by the distances', () => {
    expect(proposedVectors(between, { forward: undefined, backward: undefined, firstStep: past })).toEqual({
      forward: { searched: past, factor: 1 },
      backward: { searched: past, factor: -2 },
    });
    const later = { ...between, displayNumber: 6 };
    expect(proposedVectors(later, { forward: undefined, backward: undefined, firstStep: past })).toEqual({
      forward: { searched: past, factor: 2 },
      backward: { searched: past, factor: -1 },
    });
  });

  it('of P pictures: in the forward direction alone', () => {
    expect(proposedVectors(predicted, { forward: past, backward: undefined })).toEqual({
      forward: { searched: past, factor: 1 },
      backward: { searched: undefined, factor: 1 },
    });
  });
});

describe('an encode', () => {
  const zoom = [...generateSample({ kind: 'zoom', width: 96, height: 80, frames: 13, seed: 2 })];

  /** The pairs that the estimator was asked for, and the types of the pictures in display order. */
  async function searches({ frames = zoom, ...options }: Partial<EncoderOptions> & { frames?: Frame[] }) {
    const pairs: string[] = [];
    const types: string[] = [];
    const estimator: EstimatorFactory = async parameters => {
      const inner = await createCpuPredictive(parameters);
      const estimate: MotionEstimator['estimate'] = request => {
        pairs.push(`${request.current.id} from ${request.reference.id}`);
        return inner.estimate(request);
      };
      return { traits: inner.traits, device: inner.device, estimate, close: () => inner.close() };
    };
    const onPicture = ({ frame, type }: PictureReport) => {
      types[frame] = type;
    };
    const encoded = await encodeFrames(frames, { width: 96, height: 80, gop: 12, ...options, estimator, onPicture });
    expect(encoded.statistics.motion.pictures).toBe(pairs.length);
    return { pairs, types };
  }

  it.each([1, 2])('searches each pair once, for its plan and its coder, with %i threads', async threads => {
    const { pairs, types } = await searches({ threads });
    expect(new Set(pairs).size).toBe(pairs.length);
    const anchors = types.flatMap((type, frame) => (type === 'B' ? [] : [frame]));
    expect(anchors.length).toBeLessThan(types.length - 3);
    types.forEach((type, frame) => {
      if (type === 'I') return;
      expect(pairs).toContain(`${frame} from ${anchors.filter(anchor => anchor < frame).at(-1)}`);
      if (type === 'B') expect(pairs).toContain(`${frame} from ${anchors.find(anchor => anchor > frame)}`);
    });
  });

  it('by a fixed pattern searches what it codes alone', async () => {
    const { pairs, types } = await searches({ bFrames: 2, tools: { adaptiveTypes: false, bPictureMotion: 'near' } });
    expect(pairs).toHaveLength(types.filter(type => type !== 'I').length);
  });

  describe.each([1, 2])('by a fixed pattern may search the B picture after each anchor, %i threads', threads => {
    const tools = { adaptiveTypes: false, bPictureMotion: 'first' } as const;
    const options = { bFrames: 3, gop: 9, tools, threads };
    const pattern = 'IBBBPBBBPIBBP';

    it('alone where motion is steady, and P pictures', async () => {
      const { pairs, types } = await searches({ ...options, frames: zoom.map(() => zoom[0]!) });
      expect(types.join('')).toBe(pattern);
      const steps = ['1 from 0', '4 from 0', '5 from 4', '8 from 4', '10 from 9', '12 from 9'];
      expect(pairs.sort()).toEqual(steps.sort());
    });

    it('and all pictures from all their anchors where motion changes', async () => {
      const { pairs, types } = await searches(options);
      expect(types.join('')).toBe(pattern);
      const expected = types.flatMap((type, frame) => {
        const isAnchor = (other: string) => other !== 'B';
        const past = `${frame} from ${types.slice(0, frame).findLastIndex(isAnchor)}`;
        const future = `${frame} from ${types.findIndex((other, number) => number > frame && isAnchor(other))}`;
        return type === 'I' ? [] : type === 'P' ? [past] : [past, future];
      });
      expect(pairs.sort()).toEqual(expected.sort());
    });
  });
});
