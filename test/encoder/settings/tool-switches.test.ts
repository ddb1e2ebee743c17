// Tool switches: each changes one tool of a preset, and each tool changes what it promises.
import { describe, expect, it } from 'vitest';
import { generateSample, type SampleKind } from '../../../samples/generate.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import type { PictureReport } from '../../../src/encoder/report/picture-report.js';
import { codingTools, PRESET_NAMES } from '../../../src/encoder/settings/presets.js';
import { switchTools, TOOL_NAMES, type ToolSwitches } from '../../../src/encoder/settings/tool-switches.js';
import { OptionError } from '../../../src/errors.js';
import { createCpuPredictive } from '../../../src/motion/cpu/cpu-predictive.js';
import type { EstimatorFactory } from '../../../src/motion/estimator.js';
import type { Frame } from '../../../src/picture/frame.js';
import { encodeFrames } from '../../support/encode.js';
import { noisyPan } from '../../support/noisy-pictures.js';
import { shimmer } from '../../support/shimmer.js';

const size = { width: 112, height: 96 };
type ClipKind = SampleKind | 'noisy pan' | 'shimmer';

/** A generated sequence; a pan may have noise of 6 levels. */
function clip(kind: ClipKind, frames: number): Frame[] {
  if (kind === 'shimmer') return shimmer(size, frames);
  return kind === 'noisy pan' ? noisyPan(size, frames, 6) : [...generateSample({ kind, ...size, frames, seed: 3 })];
}

/** Each tool set another way than the preset 'balanced' has it. */
const CHANGES: Required<ToolSwitches> = {
  rateDistortionModes: false,
  earlySkips: false,
  rdVectorCandidates: 4,
  trellis: 'none',
  quantizerSearchRadius: 0,
  refinementRounds: 0,
  fullRefinementRounds: 2,
  rowPasses: 2,
  jointSymbols: 'none',
  motionFromBefore: true,
  jointRounds: 0,
  bPictureRefinement: 'light',
  directionFactor: 4,
  neighbourVectors: false,
  bPictureMotion: 'both',
  fewerBPictures: true,
  adaptiveTypes: false,
  macroblockTree: false,
  temporalFilter: false,
};

describe('tool switches', () => {
  it('leave the preset as it is where none is given', () => {
    for (const preset of PRESET_NAMES) expect(switchTools(codingTools(preset), {})).toEqual(codingTools(preset));
  });

  it('every tool has one', () => {
    expect(Object.keys(CHANGES).sort()).toEqual([...TOOL_NAMES].sort());
    const others = ['bFrames', 'openGop', 'candidatesPerBlock']; // options of their own
    expect([...TOOL_NAMES, ...others].sort()).toEqual(Object.keys(codingTools('best')).sort());
  });

  it.each(Object.entries(CHANGES))('%s: %s changes that alone', (name, value) => {
    const balanced = codingTools('balanced');
    const changed = switchTools(balanced, { [name]: value });
    expect(changed).toEqual({ ...balanced, [name]: value });
    expect(changed).not.toEqual(balanced);
  });

  it.each(['fastest', 'fast', 'smallest'] as const)('balanced with the tools of %s is that preset', async preset => {
    const { bFrames, openGop, candidatesPerBlock, ...tools } = codingTools(preset);
    const others = { bFrames, openGop, candidates: candidatesPerBlock };
    const frames = clip('snow', 6);
    const named = await encodeFrames(frames, { ...size, preset });
    const same = await encodeFrames(frames, { ...size, preset: 'balanced', tools, ...others });
    expect(same.stream).toEqual(named.stream);
  });

  it.each([
    [{ trelis: 'none' }, /'trelis' does not exist \(did you mean trellis\?\); legal: rateDistortionModes, .*trellis/],
    [{ trellis: 'some' }, /tools\.trellis 'some' does not exist; legal: none, chosen, all/],
    [{ rateDistortionModes: 1 }, /tools\.rateDistortionModes 1 is not true or false/],
    [{ rdVectorCandidates: 0 }, /tools\.rdVectorCandidates 0 is not a whole number from 1 to 64/],
    [{ jointRounds: 1.5 }, /tools\.jointRounds 1\.5 is not a whole number from 0 to 16/],
    [{ bFrames: 2 }, /'bFrames' does not exist/],
  ])('%o is refused', (tools, says) => {
    const refused = () => switchTools(codingTools('best'), tools as ToolSwitches);
    expect(refused).toThrow(OptionError);
    expect(refused).toThrow(says);
  });
});

/** An encode, and what is told of it in sums over its pictures. */
async function encode(kind: ClipKind, frames: number, options: Partial<EncoderOptions>) {
  const asked: number[] = [];
  const started: number[] = [];
  const estimator: EstimatorFactory = async parameters => {
    const search = await createCpuPredictive(parameters);
    const estimate = search.estimate.bind(search);
    search.estimate = request => {
      asked.push(request.current.id);
      if (request.start) started.push(request.current.id);
      return estimate(request);
    };
    return search;
  };
  const { reports, vectors, statistics } = await encodeFrames(clip(kind, frames), {
    ...size,
    ...(options.quality === undefined && { q: 6 }),
    estimator,
    ...options,
  });
  const sum = (of: (report: PictureReport) => number) => reports.reduce((total, report) => total + of(report), 0);
  const used = vectors.flatMap(({ forward, backward }) => [...forward, ...backward]).filter(vector => vector !== null);
  return {
    types: reports.map(({ type }) => type).join(''),
    /** Display numbers of the I pictures. */
    intraPictures: reports.filter(({ type }) => type === 'I').map(({ frame }) => frame),
    /** Mean quantizer_scale of each anchor, in coded order. */
    anchorScales: reports.filter(({ type }) => type !== 'B').map(({ q }) => q),
    bits: statistics.bits,
    error: sum(({ squaredError: { y, u, v } }) => y + u + v),
    skippedInP: sum(({ type, macroblocks }) => (type === 'P' ? macroblocks.skipped : 0)),
    /** Vectors that point between pels. */
    halfPelVectors: used.filter(([dx, dy]) => ((dx | dy) & 1) === 1).length,
    interpolated: vectors.reduce(
      (count, { forward, backward }) => count + forward.filter((vector, at) => vector && backward[at]).length,
      0,
    ),
    /** The display numbers of the pictures that motion was searched for by the estimator, one for each search. */
    asked,
    /** Those whose search was given a start. */
    started,
  };
}

type Effect = Awaited<ReturnType<typeof encode>>;

/** The same encode with a tool set one way and another. */
async function compare<Name extends keyof ToolSwitches>(
  name: Name,
  [one, other]: readonly [ToolSwitches[Name], ToolSwitches[Name]],
  kind: ClipKind,
  { frames = 10, tools, ...options }: Partial<EncoderOptions> & { frames?: number } = {},
): Promise<readonly [Effect, Effect]> {
  const encodeWith = (value: ToolSwitches[Name]) =>
    encode(kind, frames, { ...options, tools: { ...tools, [name]: value } });
  return [await encodeWith(one), await encodeWith(other)];
}

/** Error and bits in one: a bit is worth about 0.85 q^2. */
const costOf = ({ bits, error }: Effect, q = 6): number => error + 0.85 * q ** 2 * bits;

/** Fewer bits for a better picture. */
function expectBetter(better: Effect, worse: Effect): void {
  expect(better.bits).toBeLessThan(worse.bits);
  expect(better.error).toBeLessThan(worse.error);
}

/** What each tool changes in the stream, or in what the estimator is asked, at q 6 unless told otherwise. */
const EFFECTS: Readonly<Record<keyof ToolSwitches, readonly [title: string, test: () => Promise<void>]>> = {
  rateDistortionModes: [
    'saves bits and error',
    async () => {
      const [off, on] = await compare('rateDistortionModes', [false, true], 'cut', { frames: 16 });
      expectBetter(on, off);
    },
  ],
  earlySkips: [
    'skips more macroblocks of P pictures',
    async () => {
      const [off, on] = await compare('earlySkips', [false, true], 'cut', { frames: 16, q: 12 });
      expect(on.skippedInP).toBeGreaterThan(off.skippedInP);
    },
  ],
  rdVectorCandidates: [
    'finds better vectors where more of them are coded to choose between',
    async () => {
      const [one, eight] = await compare('rdVectorCandidates', [1, 8], 'snow', { candidates: 8, frames: 24 });
      expectBetter(eight, one);
    },
  ],
  trellis: [
    'saves bits at the cost of accuracy, and finds better modes where it codes all of them',
    async () => {
      const [none, chosen] = await compare('trellis', ['none', 'chosen'], 'rotation', { frames: 16 });
      expect(chosen.bits).toBeLessThan(0.95 * none.bits);
      expect(chosen.error).toBeGreaterThan(none.error);
      const [, all] = await compare('trellis', ['none', 'all'], 'rotation', { frames: 16 });
      expect(costOf(all)).toBeLessThan(costOf(chosen));
    },
  ],
  quantizerSearchRadius: [
    'takes other scales where the quantizer_scale is free, for fewer bits',
    async () => {
      const free = { quality: 60 };
      const [none, some] = await compare('quantizerSearchRadius', [0, 2], 'snow', free);
      expect(some.bits).toBeLessThan(none.bits);
      expect(some.anchorScales).not.toEqual(none.anchorScales);
    },
  ],
  refinementRounds: [
    'gives vectors between pels, and in more rounds other ones',
    async () => {
      const forward = { frames: 6, bFrames: 0, tools: { temporalFilter: false } };
      const [none, one] = await compare('refinementRounds', [0, 1], 'zoom', forward);
      expect(none.halfPelVectors).toBe(0);
      expect(one.halfPelVectors).toBeGreaterThan(100);
      expectBetter(one, none);
      const [, two] = await compare('refinementRounds', [0, 2], 'zoom', forward);
      expect(two.bits).toBeLessThan(one.bits);
    },
  ],
  fullRefinementRounds: [
    'finds vectors that take fewer bits, or leave less',
    async () => {
      const [none, some] = await compare('fullRefinementRounds', [0, 3], 'rotation');
      expect(costOf(some)).toBeLessThan(costOf(none));
    },
  ],
  rowPasses: [
    'lowers distortion + lambda * bits: the motion of a row is chosen together',
    async () => {
      const [one, two] = await compare('rowPasses', [1, 2], 'zoom', { preset: 'best' });
      expect(costOf(two)).toBeLessThan(costOf(one));
    },
  ],
  jointSymbols: [
    'saves bits of coded_block_pattern and of DCs',
    async () => {
      const [off, on] = await compare('jointSymbols', ['none', 'all'], 'cut', {
        q: 12,
        tools: { temporalFilter: false },
      });
      expect(on.bits).toBeLessThan(off.bits);
      expect(costOf(on, 12)).toBeLessThan(costOf(off, 12));
    },
  ],
  motionFromBefore: [
    'gives searches of P pictures a start, by a fixed pattern',
    async () => {
      const fixed = { tools: { adaptiveTypes: false }, bFrames: 0, frames: 8 };
      const [off, on] = await compare('motionFromBefore', [false, true], 'pan', fixed);
      expect(off.started).toEqual([]);
      expect(on.started).toEqual([5, 6, 7]); // the first four P pictures have none four before them
    },
  ],
  jointRounds: [
    'makes interpolation pay for more macroblocks',
    async () => {
      const [none, some] = await compare('jointRounds', [0, 4], 'pan-subpel');
      expect(some.interpolated).toBeGreaterThan(2 * none.interpolated);
      expectBetter(some, none);
    },
  ],
  bPictureRefinement: [
    'leaves less where all vectors of B pictures are refined, and anchors as they are',
    async () => {
      const [light, full] = await compare('bPictureRefinement', ['light', 'full'], 'rotation', { preset: 'fastest' });
      expect(costOf(full)).toBeLessThan(costOf(light));
      const [one, other] = await compare('bPictureRefinement', ['light', 'full'], 'rotation', { bFrames: 0 });
      expect([one.bits, one.error]).toEqual([other.bits, other.error]);
    },
  ],
  directionFactor: [
    'codes directions in full that look worse by their absolute error',
    async () => {
      const [one, eight] = await compare('directionFactor', [1, 8], 'snow');
      expectBetter(eight, one);
    },
  ],
  neighbourVectors: [
    'spreads a good vector to where the estimator has none',
    async () => {
      const blind = { frames: 6, bFrames: 0, estimator: 'zero', tools: { adaptiveTypes: false } };
      const [off, on] = await compare('neighbourVectors', [false, true], 'pan', blind);
      expectBetter(on, off);
      expect(on.bits).toBeLessThan(0.7 * off.bits);
    },
  ],
  bPictureMotion: [
    'asks the estimator for B pictures in one direction, in both or for the first alone, by a fixed pattern',
    async () => {
      const fixed = { tools: { adaptiveTypes: false } };
      const [near, both] = await compare('bPictureMotion', ['near', 'both'], 'pan-subpel', fixed);
      const [first] = await compare('bPictureMotion', ['first', 'near'], 'pan-subpel', fixed);
      const [anchors, between] = [count(both.types, 'P'), count(both.types, 'B')];
      expect(between).toBeGreaterThan(anchors);
      expect(near.asked).toHaveLength(anchors + between);
      expect(both.asked).toHaveLength(anchors + 2 * between);
      const runs = first.types.match(/B+/g)!.length;
      expect(runs).toBeLessThan(between);
      expect(first.asked).toHaveLength(anchors + runs);
      expect(first.started).toHaveLength(runs); // the P pictures after them, at that motion
    },
  ],
  fewerBPictures: [
    'has one B picture or none between anchors where motion changes and pictures are predicted badly, by a pattern',
    async () => {
      const q = 12;
      const [off, on] = await compare('fewerBPictures', [false, true], 'shimmer', { preset: 'fastest', frames: 36, q });
      expect(count(on.types, 'B')).toBeLessThan(count(off.types, 'B'));
      expect(costOf(on, q)).toBeLessThan(costOf(off, q));
    },
  ],
  adaptiveTypes: [
    'puts an I picture where each take begins',
    async () => {
      const [off, on] = await compare('adaptiveTypes', [false, true], 'cut', { frames: 16 });
      expect(off.intraPictures).toEqual([0, 12]); // by the length of groups alone
      expect(on.intraPictures).toEqual([0, 6, 12]);
      expectBetter(on, off);
    },
  ],
  macroblockTree: [
    'quantizes the finer the more later pictures depend on it',
    async () => {
      const free = { quality: 60, tools: { quantizerSearchRadius: 0 } };
      const [off, on] = await compare('macroblockTree', [false, true], 'pan-subpel', free);
      for (const scale of off.anchorScales) expect(scale).toBeCloseTo(off.anchorScales[0], 5);
      expect(on.anchorScales.at(-1)).toBeGreaterThan(on.anchorScales[0] + 0.4);
      expect(on.bits).toBeLessThan(off.bits);
    },
  ],
  temporalFilter: [
    'takes noise out of what later pictures are predicted from, and is nothing without the macroblock tree',
    async () => {
      const [off, on] = await compare('temporalFilter', [false, true], 'noisy pan', { frames: 24 });
      expect(on.bits).toBeLessThan(0.97 * off.bits);
      expect(costOf(on)).toBeLessThan(costOf(off));
      // What is reported is the error of the pictures that were given, not of those that were coded.
      const given = clip('noisy pan', 8);
      const { reports, reconstruction } = await encodeFrames(given, { ...size, q: 6, tools: { temporalFilter: true } });
      for (const { frame, squaredError } of reports) {
        const shown = reconstruction[frame]!.y;
        expect(squaredError.y).toBe(given[frame]!.y.reduce((sum, pel, at) => sum + (pel - shown[at]!) ** 2, 0));
      }
      const without = { frames: 8, tools: { macroblockTree: false } };
      const [same, again] = await compare('temporalFilter', [false, true], 'noisy pan', without);
      expect(again.bits).toBe(same.bits);
    },
  ],
};

const count = (types: string, type: string) => [...types].filter(one => one === type).length;

describe('the effect of tools', () => {
  it('is known of each', () => {
    expect(Object.keys(EFFECTS).sort()).toEqual([...TOOL_NAMES].sort());
  });

  for (const [name, [title, test]] of Object.entries(EFFECTS)) it(`${name} ${title}`, test);
});
