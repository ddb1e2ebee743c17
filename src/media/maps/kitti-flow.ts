// Reads and writes optical flow as KITTI does: PNG files of 16 bits.
import { InputError } from '../../errors.js';
import { decodePng16, encodePng16 } from '../images/png16.js';
import { type Flow, isKnownFlow, UNKNOWN_FLOW } from './flow.js';

/** Steps of a component in a pel. */
const STEPS = 64;
/** The value of a component of 0. */
const ZERO = 2 ** 15;
const MAX_VALUE = 2 ** 16 - 1;

/** The least and the greatest component in pels that such a file holds. */
export const KITTI_LIMITS = { least: -ZERO / STEPS, greatest: (MAX_VALUE - ZERO) / STEPS } as const;

/**
 * The bytes of a flow PNG (Menze and Geiger, "Object Scene Flow for Autonomous Vehicles"; development kit of KITTI):
 * 16 bits, three channels.
 *
 *     red    u * 64 + 2^15, rounded
 *     green  v * 64 + 2^15
 *     blue   1 where the motion is known, else 0; then the others are 0 too
 *
 * Throws an InputError for a known component that does not fit: less than -512 pels, or more than 511.98.
 */
export async function encodeKittiFlow({ width, height, u, v }: Flow): Promise<Uint8Array> {
  const samples = new Uint16Array(3 * width * height);
  for (let pel = 0; pel < width * height; pel++) {
    if (!isKnownFlow(u[pel]!, v[pel]!)) continue;
    samples[3 * pel] = sampleOf(u[pel]!);
    samples[3 * pel + 1] = sampleOf(v[pel]!);
    samples[3 * pel + 2] = 1;
  }
  return encodePng16({ width, height, channels: 3, samples });
}

function sampleOf(component: number): number {
  const value = Math.round(component * STEPS) + ZERO;
  if (value >= 0 && value <= MAX_VALUE) return value;
  const limits = `${KITTI_LIMITS.least} to ${KITTI_LIMITS.greatest.toFixed(2)}`;
  throw new InputError(`KITTI's flow PNG holds motion of ${limits} pels a component, not ${component}: write .flo`);
}

/** The flow in the bytes of a flow PNG of KITTI. Throws an InputError that starts with `path`. */
export async function decodeKittiFlow(path: string, bytes: Uint8Array): Promise<Flow> {
  const { width, height, samples } = await decodePng16(path, bytes, 3);
  const componentOf = (channel: 0 | 1) =>
    Float32Array.from({ length: width * height }, (_, pel) =>
      samples[3 * pel + 2] === 0 ? UNKNOWN_FLOW : (samples[3 * pel + channel]! - ZERO) / STEPS,
    );
  return { width, height, u: componentOf(0), v: componentOf(1) };
}
