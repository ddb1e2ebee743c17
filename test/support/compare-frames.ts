// Compares frames pel by pel and says where they differ.
import { chromaLength, type Frame } from '../../src/picture/frame.js';

const PLANES = ['y', 'u', 'v'] as const;

/**
 * Throws unless two lists of frames are equal in count, size and every pel. The message names the first difference:
 * the picture (display order), the plane, the macroblock row and column, the pel in its plane, and both values; and
 * how many pels of that plane differ, so that a drift is told from a lost macroblock. `what` says what is compared.
 */
export function expectSameFrames(actual: readonly Frame[], expected: readonly Frame[], what = 'frames'): void {
  const shared = Math.min(actual.length, expected.length);
  for (let picture = 0; picture < shared; picture++) {
    expectSameFrame(actual[picture]!, expected[picture]!, `${what}: picture ${picture}`);
  }
  if (actual.length !== expected.length) {
    throw new Error(`${what}: ${actual.length} pictures, expected ${expected.length}; the first ${shared} are equal`);
  }
}

/** The same for one frame; `what` names the picture. */
export function expectSameFrame(actual: Frame, expected: Frame, what: string): void {
  if (actual.width !== expected.width || actual.height !== expected.height) {
    throw new Error(`${what} is ${actual.width}x${actual.height}, expected ${expected.width}x${expected.height}`);
  }
  for (const plane of PLANES) {
    const width = plane === 'y' ? actual.width : chromaLength(actual.width);
    const difference = describeDifference(actual[plane], expected[plane], width, plane === 'y' ? 16 : 8);
    if (difference !== undefined) throw new Error(`${what}, plane ${plane}, ${difference}`);
  }
}

/** Where two planes of one width differ first, or undefined when they are equal. */
function describeDifference(
  actual: Uint8Array,
  expected: Uint8Array,
  width: number,
  macroblockSide: 8 | 16,
): string | undefined {
  if (actual.length !== expected.length) return `${actual.length} pels, expected ${expected.length}`;
  if (Buffer.compare(actual, expected) === 0) return undefined;
  const first = expected.findIndex((pel, at) => actual[at] !== pel);
  const differing = expected.reduce((count, pel, at) => count + (actual[at] === pel ? 0 : 1), 0);
  const x = first % width;
  const y = Math.floor(first / width);
  return (
    `macroblock row ${Math.floor(y / macroblockSide)}, column ${Math.floor(x / macroblockSide)}, ` +
    `pel (${x}, ${y}): ${actual[first]}, expected ${expected[first]}; ${differing} of ${expected.length} pels differ`
  );
}
