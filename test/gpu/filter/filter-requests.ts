// Pictures to filter, and what the kernels make of them.
import { expect } from 'vitest';
import { filterNumbers } from '../../../src/encoder/picture/temporal-filter.js';
import { TEMPORAL_FILTER } from '../../../src/kernels/records/picture-planes.js';
import type { LumaPicture } from '../../../src/motion/estimator.js';
import type { FilterRequest } from '../../../src/motion/filter-request.js';
import { kernelPair, PEL_CONTENTS, seededRandom } from '../../kernels/kernel-pair.js';

const MAX_PELS = 64 * 64;
export const SIZE = { mbWidth: 3, mbHeight: 2 };

const pair = await kernelPair(1 << 16);
const current = pair.allocate(MAX_PELS);
const [planes, dx, dy] = [MAX_PELS, 2 * 16, 2 * 16].map(bytes => [0, 1, 2, 3].map(() => pair.allocate(bytes))) as [
  number[],
  number[],
  number[],
];
const record = pair.allocate(TEMPORAL_FILTER.bytes);
const target = pair.allocate(MAX_PELS);

/** What both kernel sets make of a request. */
export function expectedPels({ current: picture, references, numbers }: FilterRequest): Uint8Array {
  const { strengths, ...ranges } = numbers;
  pair.fill(current, picture.pels);
  for (const [i, reference] of references.entries()) {
    pair.fill(planes[i]!, reference.picture.pels);
    pair.fill(dx[i]!, new Uint8Array(Int16Array.from(reference.dx).buffer));
    pair.fill(dy[i]!, new Uint8Array(Int16Array.from(reference.dy).buffer));
  }
  const size = { mbWidth: picture.width / 16, mbHeight: picture.height / 16 };
  for (const { memory, kernels } of [pair.reference, pair.simd]) {
    const job = TEMPORAL_FILTER.at(memory, record);
    Object.assign(job, { target, current, ...size, count: references.length, ...ranges });
    job.planes.set(planes);
    job.dx.set(dx);
    job.dy.set(dy);
    job.signs.set(references.map(({ isReversed }) => (isReversed ? -1 : 1)));
    job.strengths.set(strengths);
    for (let mbY = 0; mbY < size.mbHeight; mbY++) kernels.filterLumaRow(record, mbY);
  }
  expect(pair.firstDifference()).toBe(-1);
  return pair.reference.memory.u8.slice(target, target + picture.pels.length);
}

/** An array on memory that threads share, as the encoder's are. */
export const sharedBytes = (bytes: ArrayLike<number>) => {
  const array = new Uint8Array(new SharedArrayBuffer(bytes.length));
  array.set(bytes);
  return array;
};
const sharedComponents = (components: ArrayLike<number>) => {
  const array = new Int16Array(new SharedArrayBuffer(2 * components.length));
  array.set(components);
  return array;
};

const scene = (x: number, y: number) =>
  128 + 50 * Math.sin(x / 2.3 + y / 7) + 40 * Math.cos(y / 2.1 - x / 9) + 10 * Math.sin((x * y) / 90);

/** What is random about a request. */
export interface Given {
  readonly seed: number;
  readonly content: 'scene' | 'steps' | 'columns' | 'unlike' | 'noise' | 'extremes' | 'ramp' | 'flat' | 'nearlyEqual';
  readonly size: { readonly mbWidth: number; readonly mbHeight: number };
  readonly pelRange: number;
  readonly blockRange: number;
  readonly weights: readonly number[];
  readonly reach: number;
}

export const PLAIN: Given = {
  seed: 5,
  content: 'scene',
  size: SIZE,
  pelRange: 30,
  blockRange: 25,
  weights: [0.4, 0.4, 0.27, 0.27],
  reach: 1,
};

let lastId = 0;
/** The id of a picture that no other request has. */
export const newId = () => ++lastId;

/**
 * A request with pictures of its own. Vectors lead up to `reach` pels beside the motion of the scene, which is up to
 * two pels along each axis: out of the plane, too.
 */
export function requestOf({ seed, content, size, pelRange, blockRange, weights, reach }: Given): FilterRequest {
  const random = seededRandom(seed);
  const [width, height] = [16 * size.mbWidth, 16 * size.mbHeight];
  const quarters = () => (content === 'scene' ? (random() % 17) - 8 : 0);
  const picture = (number: number, shiftX: number, shiftY: number): LumaPicture => {
    const pels = Array.from({ length: width * height }, (_, i) => {
      if (content === 'unlike') return number === 0 ? 255 : 0;
      // An edge between macroblocks: parabolas lead to where interpolated pels are farther.
      if (content === 'columns') return (i & 32 ? 200 : 50) + (random() % 7);
      // Differences of a few sizes: SADs are often equal.
      if (content === 'steps') return 100 + 3 * (random() % 4);
      if (content !== 'scene') return PEL_CONTENTS[content](random, i + number);
      const pel = scene((i % width) - shiftX / 4, Math.floor(i / width) - shiftY / 4) + (random() % 7) - 3;
      return Math.min(Math.max(Math.round(pel), 0), 255);
    });
    return { id: newId(), width, height, pels: sharedBytes(pels) };
  };
  const components = (shift: number) =>
    sharedComponents(
      Array.from(
        { length: size.mbWidth * size.mbHeight },
        () => Math.round(shift / 4) + (random() % (2 * reach + 1)) - reach,
      ),
    );
  return {
    current: picture(0, 0, 0),
    references: weights.map((_, i) => {
      const [x, y] = [quarters(), quarters()];
      const isReversed = random() % 2 === 1;
      const sign = isReversed ? -1 : 1;
      return { picture: picture(i + 1, x, y), dx: components(sign * x), dy: components(sign * y), isReversed };
    }),
    numbers: filterNumbers({ pels: pelRange, macroblock: blockRange }, weights),
    target: sharedBytes(new Uint8Array(width * height).fill(7)),
  };
}

/** A device whose filter takes another tap. */
export function wrongShader(device: GPUDevice): GPUDevice {
  const createShaderModule = device.createShaderModule.bind(device);
  device.createShaderModule = descriptor =>
    createShaderModule({
      ...descriptor,
      code: descriptor.code.replace('(3, -10, 58, 17, -5, 1)', '(3, -10, 59, 16, -5, 1)'),
    });
  return device;
}
