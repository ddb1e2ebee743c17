import type { KernelMemory } from '../../kernels/kernel-memory.js';
import type { PixelKernels } from '../../kernels/pixel-kernels.js';
import { JOINT_SEARCH, MAX_TRIED, VECTOR_SEARCH, type VectorKernels } from '../../kernels/vector-kernels.js';
import { readPlanes } from '../../picture/macroblock-kernels.js';

/** The eight half-pel neighbours of a vector, the nearest first. */
const NEIGHBOURS = [
  [0, -1],
  [-1, 0],
  [1, 0],
  [0, 1],
  [-1, -1],
  [1, -1],
  [-1, 1],
  [1, 1],
] as const;

type Field = keyof typeof VECTOR_SEARCH;
type JointField = keyof typeof JOINT_SEARCH;

/** The definition of the vector kernels. */
export function referenceVectorKernels(memory: KernelMemory, pixels: PixelKernels): VectorKernels {
  const { u8, i16, i32, f64 } = memory;
  const get = (search: number, field: Field): number => i32[(search + VECTOR_SEARCH[field]) / 4];
  const set = (search: number, field: Field, value: number): void => {
    i32[(search + VECTOR_SEARCH[field]) / 4] = value;
  };

  /** Pointers to the macroblock's source pels and to the pels that a vector names, with their strides. */
  const places = (search: number, x: number, y: number) => {
    const source = readPlanes(memory, get(search, 'source'));
    const reference = readPlanes(memory, get(search, 'reference'));
    const mbX = get(search, 'mbX');
    const mbY = get(search, 'mbY');
    return {
      pels: source.y + mbY * 16 * source.lumaStride + mbX * 16,
      stride: source.lumaStride,
      match: reference.y + (mbY * 16 + (y >> 1)) * reference.lumaStride + mbX * 16 + (x >> 1),
      matchStride: reference.lumaStride,
    };
  };

  const allows = (search: number, x: number, y: number): boolean => {
    const left = get(search, 'mbX') * 32 + x;
    const top = get(search, 'mbY') * 32 + y;
    const [least, greatest] = [get(search, 'least'), get(search, 'greatest')];
    if (x < least || x > greatest || y < least || y > greatest) return false;
    return left >= 0 && top >= 0 && left <= get(search, 'right') && top <= get(search, 'bottom');
  };

  /** lambda * bits of a vector. */
  const bitCost = (search: number, x: number, y: number): number => {
    const table = get(search, 'differenceBits');
    const bits = u8[table + x - get(search, 'predictedX')] + u8[table + y - get(search, 'predictedY')];
    return f64[(search + VECTOR_SEARCH.lambda) / 8] * bits;
  };

  const wasTried = (search: number, x: number, y: number): boolean => {
    const tried = (search + VECTOR_SEARCH.tried) / 2;
    for (let i = 0; i < get(search, 'triedCount'); i++) {
      if (i16[tried + 2 * i] === x && i16[tried + 2 * i + 1] === y) return true;
    }
    return false;
  };

  /** Compares one vector; one that is not allowed or has been tried is passed over. */
  const propose = (search: number, x: number, y: number): void => {
    const count = get(search, 'triedCount');
    if (count === MAX_TRIED || !allows(search, x, y) || wasTried(search, x, y)) return;
    const { pels, stride, match, matchStride } = places(search, x, y);
    const sad = pixels.sadHalfPel16x16(pels, stride, match, matchStride, x & 1, y & 1);
    const cost = sad + bitCost(search, x, y);
    i16[(search + VECTOR_SEARCH.tried) / 2 + 2 * count] = x;
    i16[(search + VECTOR_SEARCH.tried) / 2 + 2 * count + 1] = y;
    f64[(search + VECTOR_SEARCH.triedCost) / 8 + count] = cost;
    set(search, 'triedCount', count + 1);
    if (x === 0 && y === 0) set(search, 'zeroSad', sad);
    if (cost >= f64[(search + VECTOR_SEARCH.cost) / 8]) return;
    f64[(search + VECTOR_SEARCH.cost) / 8] = cost;
    set(search, 'x', x);
    set(search, 'y', y);
    set(search, 'sad', sad);
  };

  const proposeField = (search: number, address: number): void => {
    const candidates = get(search, 'candidates');
    for (let i = address * candidates; i < (address + 1) * candidates; i++) {
      propose(search, 2 * i16[get(search, 'fieldX') / 2 + i], 2 * i16[get(search, 'fieldY') / 2 + i]);
    }
  };

  const proposeNeighbour = (search: number, address: number): void =>
    propose(search, i16[get(search, 'chosenX') / 2 + address], i16[get(search, 'chosenY') / 2 + address]);

  const jointSad = (joint: number, direction: 'forward' | 'backward', x: number, y: number): number => {
    const { pels, stride, match, matchStride } = places(i32[(joint + JOINT_SEARCH[direction]) / 4], x, y);
    const scratch = i32[(joint + JOINT_SEARCH.scratch) / 4];
    return pixels.sadAverage16x16(pels, stride, scratch, match, matchStride, x & 1, y & 1);
  };

  /** Forms the prediction that stays. */
  const fix = (joint: number, direction: 'forward' | 'backward', x: number, y: number): void => {
    const { match, matchStride } = places(i32[(joint + JOINT_SEARCH[direction]) / 4], x, y);
    pixels.interpolate(i32[(joint + JOINT_SEARCH.scratch) / 4], 16, match, matchStride, 16, x & 1, y & 1);
  };

  /** Moves one vector to its best neighbour, the other one fixed; returns whether it moved. */
  const move = (joint: number, direction: 'forward' | 'backward'): boolean => {
    const word = (field: JointField): number => (joint + JOINT_SEARCH[field]) / 4;
    const isForward = direction === 'forward';
    const other = isForward ? 'backward' : 'forward';
    const search = i32[word(direction)];
    const [x, y] = [i32[word(`${direction}DxHalfPels`)], i32[word(`${direction}DyHalfPels`)]];
    const fixedCost = bitCost(i32[word(other)], i32[word(`${other}DxHalfPels`)], i32[word(`${other}DyHalfPels`)]);
    for (const [dx, dy] of NEIGHBOURS) {
      const [tryX, tryY] = [x + dx, y + dy];
      if (!allows(search, tryX, tryY)) continue;
      const sad = jointSad(joint, direction, tryX, tryY);
      const cost = sad + (fixedCost + bitCost(search, tryX, tryY));
      if (cost >= f64[(joint + JOINT_SEARCH.cost) / 8]) continue;
      f64[(joint + JOINT_SEARCH.cost) / 8] = cost;
      i32[word('sad')] = sad;
      i32[word(`${direction}DxHalfPels`)] = tryX;
      i32[word(`${direction}DyHalfPels`)] = tryY;
    }
    return i32[word(`${direction}DxHalfPels`)] !== x || i32[word(`${direction}DyHalfPels`)] !== y;
  };

  return {
    findVector(search, mbX, mbY, predictedX, predictedY) {
      const given = { mbX, mbY, predictedX, predictedY, triedCount: 0, x: 0, y: 0, sad: 0, zeroSad: 0 };
      for (const [field, value] of Object.entries(given)) set(search, field as Field, value);
      f64[(search + VECTOR_SEARCH.cost) / 8] = Number.POSITIVE_INFINITY;
      const mbWidth = get(search, 'mbWidth');
      const address = mbY * mbWidth + mbX;
      propose(search, 0, 0);
      propose(search, predictedX, predictedY);
      proposeField(search, address);
      if (get(search, 'neighbours') === 1) {
        if (mbX > 0) proposeNeighbour(search, address - 1);
        if (mbY > 0) proposeNeighbour(search, address - mbWidth);
        if (mbY > 0 && mbX + 1 < mbWidth) proposeNeighbour(search, address - mbWidth + 1);
      }
      for (let round = 0; round < get(search, 'rounds'); round++) {
        const [x, y] = [get(search, 'x'), get(search, 'y')];
        for (const [dx, dy] of NEIGHBOURS) propose(search, x + dx, y + dy);
        if (get(search, 'x') === x && get(search, 'y') === y) return;
      }
    },

    refineJointly(joint) {
      const word = (field: JointField): number => (joint + JOINT_SEARCH[field]) / 4;
      const [forward, backward] = [i32[word('forward')], i32[word('backward')]];
      const [forwardDxHalfPels, forwardDyHalfPels] = [get(forward, 'x'), get(forward, 'y')];
      const [backwardDxHalfPels, backwardDyHalfPels] = [get(backward, 'x'), get(backward, 'y')];
      i32.set(
        [forwardDxHalfPels, forwardDyHalfPels, backwardDxHalfPels, backwardDyHalfPels],
        word('forwardDxHalfPels'),
      );
      fix(joint, 'forward', forwardDxHalfPels, forwardDyHalfPels);
      const sad = jointSad(joint, 'backward', backwardDxHalfPels, backwardDyHalfPels);
      i32[word('sad')] = sad;
      f64[(joint + JOINT_SEARCH.cost) / 8] =
        sad +
        bitCost(forward, forwardDxHalfPels, forwardDyHalfPels) +
        bitCost(backward, backwardDxHalfPels, backwardDyHalfPels);
      for (let round = 0; round < i32[word('rounds')]; round++) {
        if (round > 0) fix(joint, 'forward', i32[word('forwardDxHalfPels')], i32[word('forwardDyHalfPels')]);
        const backwardMoved = move(joint, 'backward');
        fix(joint, 'backward', i32[word('backwardDxHalfPels')], i32[word('backwardDyHalfPels')]);
        const forwardMoved = move(joint, 'forward');
        if (!backwardMoved && !forwardMoved) return;
      }
    },
  };
}
