// Pictures in memory that searches share: the fields are those of copies, and smaller versions are made once.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { KernelMemory } from '../../../src/kernels/kernel-memory.js';
import type { ChosenKernels, KernelSetName } from '../../../src/kernels/kernels.js';
import { ReducedPlace, reducedPlaceBytes } from '../../../src/kernels/reduced-places.js';
import { BUILT_IN_ESTIMATORS } from '../../../src/motion/built-in-estimators.js';
import type { EstimatorParameters, LumaPicture } from '../../../src/motion/estimator.js';

const SIZE = { width: 80, height: 48 };
const PELS = SIZE.width * SIZE.height;
const PARAMETERS: EstimatorParameters = {
  ...SIZE,
  metric: 'sad',
  blockSize: 16,
  range: { x: 15, y: 15 },
  candidatesPerBlock: 2,
  lambda: 4,
};
const COPIES: readonly LumaPicture[] = [...generateSample({ kind: 'pan', ...SIZE, frames: 5, seed: 7 })].map(
  ({ y }, id) => ({ id, ...SIZE, pels: y }),
);
const ROOM_BYTES = 4 * 2 ** 20;

/** Three places, as many for smaller versions, and kernels whose searches lie in the same memory. */
function placesAndKernels(name: KernelSetName) {
  const memory = new KernelMemory(3 * (PELS + reducedPlaceBytes(PELS)) + ROOM_BYTES);
  const places = [1, 2, 3].map(() => memory.allocate(PELS));
  const reduced = { first: memory.allocate(3 * reducedPlaceBytes(PELS)), count: 3 };
  const start = memory.allocate(ROOM_BYTES);
  const kernels: ChosenKernels = { name, room: { wasm: memory.wasm, start, end: start + ROOM_BYTES, reduced } };
  const put = (picture: LumaPicture, place: number): LumaPicture => {
    memory.u8.set(picture.pels, place);
    return { ...picture, pels: new Uint8Array(memory.wasm.buffer, place, PELS) };
  };
  const placeOf = (id: number) => new ReducedPlace(memory.i32, reduced, PELS, id);
  return { memory, places, placeOf, kernels, put };
}

describe.each([
  ['cpu-predictive', 1],
  ['cpu-mrmp', 2],
  ['cpu-full', 0],
  ['cpu-log', 0],
] as const)('%s', (name, reductions) => {
  it.each(['simd', 'reference'] as const)(
    'finds the same in places, which hold one picture after the other: %s',
    async set => {
      const { create } = BUILT_IN_ESTIMATORS[name];
      const { places, placeOf, kernels, put } = placesAndKernels(set);
      const alone = await create(PARAMETERS, { kernels: set });
      const [one, other] = await Promise.all([create(PARAMETERS, { kernels }), create(PARAMETERS, { kernels })]);
      let before = put(COPIES[0]!, places[0]!);
      for (const copy of COPIES.slice(1)) {
        const place = places[copy.id % 3]!;
        const current = put(copy, place);
        const expected = await alone.estimate({ current: copy, reference: COPIES[copy.id - 1]! });
        expect(await one.estimate({ current, reference: before })).toEqual(expected);
        // What it finds made it takes as it is.
        const made = placeOf(copy.id);
        expect(made.hold()).toBe(reductions);
        made.release();
        expect(await other.estimate({ current, reference: before })).toEqual(expected);
        // A picture that has no place is copied.
        const unplaced = { ...COPIES[copy.id - 1]!, id: 100 + copy.id };
        expect(await other.estimate({ current, reference: unplaced })).toEqual(expected);
        before = current;
      }
      // Where others read the versions of another picture, they are made elsewhere.
      const others = [placeOf(5), placeOf(6), placeOf(7)];
      for (const held of others) expect(held.hold()).toBe(0);
      const [early, next] = [put(COPIES[0]!, places[0]!), put(COPIES[1]!, places[1]!)];
      const found = await (await create(PARAMETERS, { kernels })).estimate({ current: next, reference: early });
      expect(found).toEqual(await alone.estimate({ current: COPIES[1]!, reference: COPIES[0]! }));
      for (const held of others) {
        held.release();
        expect(held.hold()).toBe(0);
        held.release();
      }
      // What was made of a later picture is not taken for that of an earlier one.
      const late = await create(PARAMETERS, { kernels });
      const [reference, current] = [put(COPIES[0]!, places[2]!), put(COPIES[1]!, places[1]!)];
      const expected = await alone.estimate({ current: COPIES[1]!, reference: COPIES[0]! });
      expect(await late.estimate({ current, reference })).toEqual(expected);
    },
  );
});
