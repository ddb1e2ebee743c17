// The anchors of a second pass, and the predictions that are needed where they are known and where they are not.
import { describe, expect, it } from 'vitest';
import { NO_ANCHOR } from '../../../src/encoder/gop/gop-plan.js';
import { KnownAnchors } from '../../../src/encoder/gop/known-anchors.js';
import { AnchorCandidates } from '../../../src/encoder/lookahead/anchor-candidates.js';

/** Shown: I0 B1 B2 P3 P4 B5 I6 P7. */
const PICTURES = [...'IPBBPIBP'].map(type => ({ type: type as 'I' | 'P' | 'B' }));
const known = new KnownAnchors(PICTURES);

describe('known anchors', () => {
  it('follow each other as the pictures do', () => {
    const found = [NO_ANCHOR, 0, 3, 4, 6].map(before => known.after(before));
    const numbers = found.map(anchor => `${anchor?.type}${anchor?.displayNumber}`);
    expect(numbers).toEqual(['I0', 'P3', 'P4', 'I6', 'P7']);
    expect([known.after(7), known.after(1)]).toEqual([undefined, undefined]);
  });

  it('tell which picture is predicted from which', () => {
    const pairs: string[] = [];
    for (let current = 0; current < PICTURES.length; current++) {
      for (let reference = 0; reference < PICTURES.length; reference++) {
        if (reference !== current && known.isPredictedFrom(current, reference)) pairs.push(`${current}<${reference}`);
      }
    }
    expect(pairs).toEqual(['1<0', '1<3', '2<0', '2<3', '3<0', '4<3', '5<4', '5<6', '7<6']);
  });
});

describe('the predictions after an anchor', () => {
  const pattern = { bFrames: 2, gop: 12, closedGop: false };

  it('are all that may be needed where any picture may be the next one', () => {
    expect(new AnchorCandidates(pattern).predictionsAfter(4)).toEqual([
      { displayNumber: 5, futures: [6, 7] },
      { displayNumber: 6, futures: [7] },
      { displayNumber: 7, futures: [] },
    ]);
  });

  it('are those that will be needed where it is known', () => {
    const candidates = new AnchorCandidates(pattern, known);
    expect(candidates.predictionsAfter(0)).toEqual([
      { displayNumber: 1, futures: [3] },
      { displayNumber: 2, futures: [3] },
      { displayNumber: 3, futures: [] },
    ]);
    expect(candidates.predictionsAfter(4)).toEqual([{ displayNumber: 5, futures: [6] }]);
    expect([candidates.lastAfter(3), candidates.lastAfter(3, 2)]).toEqual([4, 4]);
  });

  it('go to one picture where distances are not compared', () => {
    const candidates = new AnchorCandidates(pattern);
    expect(candidates.predictionsAfter(4, 2)).toEqual([
      { displayNumber: 5, futures: [6] },
      { displayNumber: 6, futures: [] },
    ]);
  });

  it('do not go beyond the next I picture, or the last picture of a closed group', () => {
    const reach = (closedGop: boolean, lastIntra: number, anchors: readonly number[]) => {
      const candidates = new AnchorCandidates({ ...pattern, closedGop });
      candidates.lastIntra = lastIntra;
      return anchors.map(anchor => [candidates.lastAfter(anchor), candidates.lastAfter(anchor, 2)]);
    };
    const anchors = [9, 10, 11, 12, 22];
    expect(reach(false, 0, anchors)).toEqual([
      [12, 11],
      [12, 12],
      [12, 12],
      [15, 14],
      [24, 24],
    ]);
    expect(reach(true, 0, anchors)).toEqual([
      [11, 11],
      [11, 11],
      [12, 12],
      [15, 14],
      [23, 23],
    ]);
    expect(reach(false, 4, [12, 15])).toEqual([
      [15, 14],
      [16, 16],
    ]);
  });
});
