// A stereo pair with known disparities: bands of noise, each displaced by its own shift.
import type { GrayPicture } from '../../src/stereo/matcher.js';
import { seededRandom } from '../kernels/kernel-pair.js';

const WIDTH = 96;
const BAND = 14;
const SHIFTS = [0, 7, 13];

/** Columns at the left whose match may lie outside the right picture. */
export const WITHOUT_MARGIN = 20;

/** A band of rows whose disparity is `shift` pels. */
interface Band {
  readonly shift: number;
  readonly fromY: number;
  readonly toY: number;
}

/** The pair: a pel at (x, y) of the left picture is at (x - shift, y) in the right one. */
export function shiftedPair(): {
  readonly left: GrayPicture;
  readonly right: GrayPicture;
  readonly shifts: readonly Band[];
  readonly width: number;
  readonly height: number;
} {
  const height = BAND * SHIFTS.length;
  const random = seededRandom(77);
  const strip = WIDTH + Math.max(...SHIFTS);
  const noise = Uint8Array.from({ length: strip * height }, () => random() & 255);
  const picture = (isRight: boolean): GrayPicture => {
    const pels = Uint8Array.from({ length: WIDTH * height }, (_, pel) => {
      const y = Math.floor(pel / WIDTH);
      return noise[y * strip + (pel % WIDTH) + (isRight ? SHIFTS[Math.floor(y / BAND)] : 0)];
    });
    return { width: WIDTH, height, pels };
  };
  const shifts = SHIFTS.map((shift, band) => ({ shift, fromY: band * BAND, toY: (band + 1) * BAND }));
  return { left: picture(false), right: picture(true), shifts, width: WIDTH, height };
}
