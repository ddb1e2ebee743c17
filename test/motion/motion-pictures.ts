// Seeded pictures and moved pairs for searches.
import type { LumaPicture } from '../../src/motion/estimator.js';
import { seededRandom } from '../kernels/kernel-pair.js';

/** What a test picture holds. */
export type PictureKind = 'flat' | 'noise' | 'few' | 'texture';

/**
 * A seeded picture: a flat one, noise, a few values only (many equal costs), or a smooth texture without repetition.
 */
export function makePicture(id: number, width: number, height: number, kind: PictureKind, seed = id): LumaPicture {
  const random = seededRandom(seed);
  const texture = kind === 'texture' ? makeTexture(seed) : undefined;
  const pels = new Uint8Array(width * height);
  for (let i = 0; i < pels.length; i++) {
    if (kind === 'flat') pels[i] = 90;
    else if (kind === 'noise') pels[i] = random();
    else if (kind === 'few') pels[i] = random() % 4 === 0 ? 140 : 130;
    else pels[i] = texture!(i % width, Math.floor(i / width));
  }
  return { id, width, height, pels };
}

/** The texture of `makePicture` moved: its block at (x, y) matches the reference's at (x + dx, y + dy). */
export function translatedPair(id: number, width: number, height: number, dx: number, dy: number) {
  const texture = makeTexture(id);
  const plane = (picture: number, moveX: number, moveY: number): LumaPicture => {
    const pels = new Uint8Array(width * height);
    for (let i = 0; i < pels.length; i++) pels[i] = texture((i % width) + moveX, Math.floor(i / width) + moveY);
    return { id: picture, width, height, pels };
  };
  return { current: plane(id, dx, dy), reference: plane(id + 1, 0, 0) };
}

/** A function of the plane that varies slowly and never repeats nearby: value noise of two scales. */
function makeTexture(seed: number): (x: number, y: number) => number {
  const lattice = (x: number, y: number, salt: number): number =>
    seededRandom((x + 5000) * 7919 + (y + 5000) * 104729 + seed * 31 + salt)() % 256;
  const [coarse, fine] = [smoothNoise(lattice, 24, 1), smoothNoise(lattice, 7, 2)];
  return (x, y) => Math.round(0.6 * coarse(x, y) + 0.4 * fine(x, y));
}

/** Noise of cells of one size. The corners of a cell are those of the pel before, where that lies in it, too. */
function smoothNoise(lattice: (x: number, y: number, salt: number) => number, cell: number, salt: number) {
  let [column, row] = [Number.NaN, Number.NaN];
  let corners: readonly [number, number, number, number] = [0, 0, 0, 0];
  return (x: number, y: number): number => {
    if (Math.floor(x / cell) !== column || Math.floor(y / cell) !== row) {
      [column, row] = [Math.floor(x / cell), Math.floor(y / cell)];
      const at = (dx: number, dy: number) => lattice(column + dx, row + dy, salt);
      corners = [at(0, 0), at(1, 0), at(0, 1), at(1, 1)];
    }
    const u = x / cell - column;
    const v = y / cell - row;
    const top = corners[0] * (1 - u) + corners[1] * u;
    const bottom = corners[2] * (1 - u) + corners[3] * u;
    return top * (1 - v) + bottom * v;
  };
}
