// The one suite of all estimators: what the contract promises, and what an estimator's traits promise beyond it.
import { describe, expect, it } from 'vitest';
import { InputError } from '../../src/errors.js';
import { createCpuFull } from '../../src/motion/cpu/cpu-full.js';
import type {
  EstimateRequest,
  EstimatorFactory,
  EstimatorParameters,
  MotionEstimator,
  SearchRange,
} from '../../src/motion/estimator.js';
import { missingPairs, wholeGrid } from '../support/pairwise.js';
import { faultsOf, legalWindow, trueCost } from './field-oracle.js';
import { makePicture, type PictureKind, translatedPair } from './motion-pictures.js';

const BASE: EstimatorParameters = {
  width: 48,
  height: 32,
  metric: 'sad',
  blockSize: 16,
  range: { x: 7, y: 5 },
  candidatesPerBlock: 1,
  lambda: 0,
};

/** Parameters of a search with several candidates and a fractional lambda, in several tiles where these are small. */
const SEVERAL: EstimatorParameters = { ...BASE, range: { x: 16, y: 16 }, candidatesPerBlock: 4, lambda: 0.7 };

/** Parameters of a search, and the kinds of pictures that it gets, one pair of each. */
export interface SuiteCase {
  readonly parameters: EstimatorParameters;
  readonly kinds: readonly PictureKind[];
}

const CHOICES = {
  range: [{ x: 1, y: 1 }, { x: 7, y: 7 }, { x: 16, y: 16 }, { x: 33, y: 33 }, 'picture'] as SearchRange[],
  blockSize: [16, 8] as const,
  metric: ['sad', 'sse'] as const,
  candidatesPerBlock: [1, 4, 8],
  lambda: [0, 3, 0.7],
};
const KINDS: readonly PictureKind[] = ['noise', 'few', 'texture', 'flat'];

const caseOf = (changes: Partial<EstimatorParameters>, ...kinds: PictureKind[]): SuiteCase => ({
  parameters: { ...BASE, ...changes },
  kinds,
});

/** Many candidates: more than some blocks have vectors, and several that cost the same. */
const MANY: readonly SuiteCase[] = [
  caseOf({ width: 32, height: 16, blockSize: 8, metric: 'sse', candidatesPerBlock: 16, lambda: 0.7 }, 'few', 'noise'),
  caseOf({ width: 48, height: 16, blockSize: 8, candidatesPerBlock: 64 }, 'few', 'noise'),
];

/** The smallest picture, and large ones. */
const SIZES: readonly SuiteCase[] = [
  caseOf({ width: 16, height: 16, candidatesPerBlock: 4 }, 'texture'),
  caseOf({ width: 352, height: 288, range: { x: 16, y: 16 }, candidatesPerBlock: 4, lambda: 2 }, 'texture'),
  caseOf({ width: 352, height: 288, blockSize: 8, range: { x: 9, y: 5 } }, 'texture'),
  caseOf({ width: 128, height: 64, range: { x: 33, y: 16 }, lambda: 1.5 }, 'texture'),
];

/**
 * Every range with both block sizes, both metrics and every number of candidates, 60 in all; lambda and the kind of
 * picture change along, so that each meets each in turn. Then many candidates, and pictures of other sizes.
 */
export function wholeGridOfCases(): SuiteCase[] {
  const { lambda, ...grid } = CHOICES;
  const rows = wholeGrid(grid).map((row, turn) =>
    caseOf({ ...row, lambda: lambda[(turn + Math.floor(turn / 3)) % 3]! }, KINDS[turn % 4]!),
  );
  return [...rows, ...MANY, ...SIZES];
}

/**
 * For estimators that take long to be made: in a thread, or on a software GPU for settings that are new to it. Any two
 * values of any two parameters meet: of the ranges one of a single tile, one of several, and the whole picture. The
 * settings are few, and those of the suite's other tests are among them. Sizes and ranges of the larger pictures give
 * the tiles of the rows above them, and the narrow picture those of the smallest. A row of 272 pels is more than what
 * a workgroup adds up.
 */
export function fewSettings(): SuiteCase[] {
  const rows: Partial<EstimatorParameters>[] = [
    BASE,
    { range: BASE.range, blockSize: 8, metric: 'sse', candidatesPerBlock: 4, lambda: 0.7 },
    SEVERAL,
    { range: SEVERAL.range, blockSize: 8, metric: 'sse', candidatesPerBlock: 1, lambda: 0 },
    { range: 'picture', blockSize: 16, metric: 'sse', candidatesPerBlock: 1, lambda: 0.7 },
    { range: 'picture', blockSize: 8, metric: 'sad', candidatesPerBlock: 4, lambda: 0 },
  ];
  const choices = { range: [BASE.range, SEVERAL.range, 'picture'], blockSize: [16, 8], metric: ['sad', 'sse'] };
  expect(missingPairs({ ...choices, candidatesPerBlock: [1, 4], lambda: [0, 0.7] }, rows)).toEqual([]);
  return [
    ...rows.map(row => caseOf(row, ...KINDS)),
    ...MANY,
    caseOf({ width: 16, height: 16, candidatesPerBlock: 4 }, 'texture'),
    caseOf({ width: 16, height: 272, range: { x: 1, y: 0 }, candidatesPerBlock: 4 }, ...KINDS),
    caseOf({ width: 272, height: 80, range: { x: 16, y: 8 }, candidatesPerBlock: 4, lambda: 0.7 }, 'texture'),
    caseOf({ width: 112, height: 80, range: { x: 20, y: 12 }, blockSize: 8, candidatesPerBlock: 4 }, 'texture'),
  ];
}

const pairOf = (parameters: EstimatorParameters, kind: PictureKind, id = 1): EstimateRequest => ({
  current: makePicture(id, parameters.width, parameters.height, kind),
  reference: makePicture(id + 1, parameters.width, parameters.height, kind),
});

const describeParameters = ({
  width,
  height,
  range,
  blockSize,
  metric,
  candidatesPerBlock,
  lambda,
}: EstimatorParameters) =>
  `${width}x${height}, range ${typeof range === 'string' ? range : `${range.x}x${range.y}`}, ${blockSize}x${blockSize} blocks, ${metric}, ` +
  `K = ${candidatesPerBlock}, lambda ${lambda}`;

/** Describes the suite for the estimators that `factory` makes. */
export function describeEstimator(title: string, factory: EstimatorFactory, cases = wholeGridOfCases()): void {
  const withEstimator = async <T>(
    parameters: EstimatorParameters,
    use: (estimator: MotionEstimator) => Promise<T>,
  ): Promise<T> => {
    const estimator = await factory(parameters);
    try {
      return await use(estimator);
    } finally {
      await estimator.close();
    }
  };

  /** Checks the answers against the contract; those of an exhaustive search against every vector tried in full. */
  const check = ({ parameters, kinds }: SuiteCase) =>
    withEstimator(parameters, async estimator => {
      const plain = await createCpuFull(parameters, { elimination: false });
      for (const [index, kind] of kinds.entries()) {
        const request = pairOf(parameters, kind, 1 + 2 * index);
        const field = await estimator.estimate(request);
        expect(faultsOf(parameters, request, field), kind).toEqual([]);
        if (estimator.traits.exhaustive) expect(field, kind).toEqual(await plain.estimate(request));
      }
      await plain.close();
    });

  describe(`${title} keeps the estimator contract`, () => {
    for (const each of cases) {
      it(`${describeParameters(each.parameters)}: ${each.kinds.join(', ')}`, () => check(each));
    }

    it('finds no motion in flat pictures', () =>
      withEstimator(BASE, async estimator => {
        const field = await estimator.estimate(pairOf(BASE, 'flat'));
        expect([...field.dx, ...field.dy, ...field.cost].every(value => value === 0)).toBe(true);
      }));

    it('finds a pure translation, as far as its traits go', () => {
      const parameters = { ...BASE, width: 96, height: 64 };
      const request = translatedPair(10, parameters.width, parameters.height, 5, -3);
      return withEstimator(parameters, async estimator => {
        const field = await estimator.estimate(request);
        for (let block = 0; block < field.cost.length; block++) {
          const window = legalWindow(parameters, block);
          const found = [field.dx[block], field.dy[block]];
          if (!estimator.traits.exhaustive) {
            expect(field.cost[block]).toBeLessThanOrEqual(trueCost(parameters, request, block, 0, 0));
          } else if (window.right >= 5 && window.top <= -3) {
            expect(found).toEqual([5, -3]);
          }
        }
      });
    });

    it('answers several calls in flight as it answers them one by one', () =>
      withEstimator(SEVERAL, async estimator => {
        const pictures = Array.from({ length: 6 }, (_, i) => makePicture(20 + i, BASE.width, BASE.height, 'texture'));
        const pairs = [
          [1, 0],
          [2, 1],
          [3, 2],
          [4, 0],
          [5, 4],
          [0, 5],
          [1, 0],
        ] as const;
        const requests = pairs.map(([current, reference]) => ({
          current: pictures[current],
          reference: pictures[reference],
        }));
        const together = await Promise.all(requests.map(request => estimator.estimate(request)));
        for (const [index, request] of requests.entries()) {
          expect(await estimator.estimate(request)).toEqual(together[index]);
        }
        expect(together[6]).toEqual(together[0]);
      }));

    it('takes a start field, exact or absurd, and leaves it as it was', () => {
      const parameters = SEVERAL;
      const pair = translatedPair(30, parameters.width, parameters.height, 5, -3);
      return withEstimator(parameters, async estimator => {
        const without = await estimator.estimate(pair);
        for (const vector of [5, 0, -3, 32767, -32768]) {
          const start = { dx: new Int16Array(6).fill(vector), dy: new Int16Array(6).fill(-vector) };
          const field = await estimator.estimate({ ...pair, start });
          expect(faultsOf(parameters, pair, field)).toEqual([]);
          if (estimator.traits.exhaustive) expect(field).toEqual(without);
          expect(await estimator.estimate({ ...pair, start })).toEqual(field);
          expect(start).toEqual({ dx: new Int16Array(6).fill(vector), dy: new Int16Array(6).fill(-vector) });
        }
        expect(await estimator.estimate(pair)).toEqual(without);
      });
    });

    it.each([
      [5, 6],
      [6, 24],
      [0, 0],
    ])('refuses a start field of %i dx and %i dy for 6 blocks', (dxCount, dyCount) =>
      withEstimator(BASE, async estimator => {
        const start = { dx: new Int16Array(dxCount), dy: new Int16Array(dyCount) };
        const error = await estimator.estimate({ ...pairOf(BASE, 'flat'), start }).catch(reason => reason);
        expect(error).toBeInstanceOf(InputError);
        expect(error.message).toContain(`the start field has ${dxCount} dx and ${dyCount} dy`);
        expect(error.message).toContain(estimator.traits.name);
      }),
    );

    it('reads pels that lie on a SharedArrayBuffer or inside a larger buffer', () =>
      withEstimator(BASE, async estimator => {
        const plain = pairOf(BASE, 'noise', 40);
        const shared = new Uint8Array(new SharedArrayBuffer(plain.current.pels.length));
        shared.set(plain.current.pels);
        const within = new Uint8Array(3 * plain.reference.pels.length).subarray(100, 100 + plain.reference.pels.length);
        within.set(plain.reference.pels);
        const expected = await estimator.estimate(plain);
        const request = {
          current: { ...plain.current, id: 42, pels: shared },
          reference: { ...plain.reference, id: 43, pels: within },
        };
        expect(await estimator.estimate(request)).toEqual(expected);
      }));

    it('gives the same field when it is made again', async () => {
      const parameters = SEVERAL;
      const request = pairOf(parameters, 'noise', 50);
      const [first, second] = await Promise.all(
        [0, 1].map(() => withEstimator(parameters, estimator => estimator.estimate(request))),
      );
      expect(second).toEqual(first);
    });

    it('rejects what it is asked after close, and closes twice', async () => {
      const estimator = await factory(BASE);
      await estimator.close();
      await estimator.close();
      await expect(estimator.estimate(pairOf(BASE, 'flat'))).rejects.toThrow(
        `the estimator ${estimator.traits.name} is closed`,
      );
    });

    it('leaves no call hanging when it is closed', async () => {
      const estimator = await factory(BASE);
      const calls = [60, 62, 64].map(id => estimator.estimate(pairOf(BASE, 'noise', id)));
      const settled = Promise.allSettled(calls);
      await estimator.close();
      expect(await settled).toHaveLength(3);
    });

    it('names itself', () =>
      withEstimator(BASE, async ({ traits, device }) => {
        expect(traits.name).not.toBe('');
        expect(['js', 'wasm', 'gpu']).toContain(traits.runsOn);
        expect(device).not.toBe('');
      }));
  });
}
