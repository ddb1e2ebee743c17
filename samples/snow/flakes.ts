// The flakes: drag, wind, gravity and a circular motion; where they land, and where they start anew.
import { hash } from '../random.js';
import { columnAt } from './ground.js';
import type { SnowScene } from './scene.js';
import { wave } from './wave.js';
import { windAlong } from './wind/air.js';

/**
 * All flakes on one buffer, as the shaders have them. A flake is eight words of 32 bits:
 *
 *     f32 x, y, z | u32 landings | f32 speed along x, y, z | u32 phase, a whole turn being 2^32
 */
export interface Flakes {
  readonly floats: Float32Array;
  readonly words: Uint32Array;
}

/** Words of a flake. */
export const FLAKE_WORDS = 8;
const LANDINGS = 3;
const PHASE = 7;

/** What does not change about a flake. */
interface FlakeTraits {
  /** Its speed in still air, in cells per second. */
  readonly fallSpeed: number;
  /** Radius of its circular motion, in cells. */
  readonly circleRadius: number;
  /** Turn in a step, in 2^-32 of a whole turn, forwards or backwards. */
  readonly turn: number;
  /** Its size, 1 being the mean. */
  readonly size: number;
}

/** The traits of the flake with a number. */
export function flakeTraits({ seed, turnStep }: SnowScene, flake: number): FlakeTraits {
  const turns = hash(seed, flake, 2);
  return {
    fallSpeed: Math.fround(1.2 + 1.2 * share(hash(seed, flake, 0))),
    circleRadius: Math.fround(0.05 + 0.3 * share(hash(seed, flake, 1))),
    turn: Math.imul(turnStep, ((turns & 1) === 0 ? 1 : -1) * (1 + ((turns >>> 1) & 3))) >>> 0,
    size: Math.fround(0.6 + 0.8 * share(hash(seed, flake, 3))),
  };
}

/** The flakes of the first moment, all over the air above `heights`. */
export function startFlakes(scene: SnowScene, heights: Float32Array): Flakes {
  const words = new Uint32Array(FLAKE_WORDS * scene.flakes);
  const flakes = { words, floats: new Float32Array(words.buffer) };
  for (let flake = 0; flake < scene.flakes; flake++) {
    startAnew(scene, flakes, flake);
    const at = FLAKE_WORDS * flake;
    const ground = heights[columnAt(scene, flakes.floats[at], flakes.floats[at + 2])];
    flakes.floats[at + 1] = scene.gridY - (scene.gridY - ground) * 0.99 * share(hash(scene.seed, flake, 4));
    words[at + PHASE] = hash(scene.seed, flake, 5);
  }
  return flakes;
}

/** Puts a flake into the uppermost cells. Where depends on how often it has landed. */
function startAnew(scene: SnowScene, { floats, words }: Flakes, flake: number): void {
  const at = FLAKE_WORDS * flake;
  const place = (axis: number) => share(hash(scene.seed, flake, 8 * words[at + LANDINGS] + 8 + axis));
  floats[at] = scene.gridX * place(0);
  floats[at + 1] = scene.gridY - place(1);
  floats[at + 2] = scene.gridZ * place(2);
  floats[at + 4] = 0;
  floats[at + 5] = -flakeTraits(scene, flake).fallSpeed;
  floats[at + 6] = 0;
}

/**
 * Moves all flakes by a step. In air that moves with speed w, a flake of speed v has the acceleration
 *
 *     g + (w - v) * |g| / fall speed
 *
 * with the drag taken at the step's end, which is stable for steps of any length. The circular motion is added to its
 * place. A flake that leaves at a side comes back at the other. One that reaches the ground is counted in `landed`, and
 * starts anew at the top.
 */
export function moveFlakes(
  scene: SnowScene,
  flakes: Flakes,
  wind: Float32Array,
  heights: Float32Array,
  landed: Uint32Array,
): void {
  const { stepSeconds, gravity, gridX, gridY, gridZ } = scene;
  const { floats, words } = flakes;
  for (let flake = 0; flake < scene.flakes; flake++) {
    const at = FLAKE_WORDS * flake;
    const { fallSpeed, circleRadius, turn } = flakeTraits(scene, flake);
    const [x, y, z] = floats.subarray(at, at + 3);
    const drag = (gravity / fallSpeed) * stepSeconds;
    for (const axis of [0, 1, 2] as const) {
      const pulled = floats[at + 4 + axis] + drag * windAlong(scene, wind, axis, x, y, z);
      floats[at + 4 + axis] = (pulled - (axis === 1 ? gravity * stepSeconds : 0)) / (1 + drag);
    }
    const before = words[at + PHASE];
    words[at + PHASE] = before + turn;
    const [from, to] = [turnsOf(before), turnsOf(words[at + PHASE])];
    floats[at] = wrapped(
      x + stepSeconds * floats[at + 4] + circleRadius * (wave(to + 0.25) - wave(from + 0.25)),
      gridX,
    );
    floats[at + 1] = Math.min(gridY, y + stepSeconds * floats[at + 5]);
    floats[at + 2] = wrapped(z + stepSeconds * floats[at + 6] + circleRadius * (wave(to) - wave(from)), gridZ);
    const column = columnAt(scene, floats[at], floats[at + 2]);
    if (floats[at + 1] > heights[column]) continue;
    landed[column]++;
    words[at + LANDINGS]++;
    startAnew(scene, flakes, flake);
  }
}

/** How often all flakes have landed. */
export function landingsOf({ words }: Flakes): number {
  let sum = 0;
  for (let at = LANDINGS; at < words.length; at += FLAKE_WORDS) sum += words[at];
  return sum;
}

/** A place along an axis that is closed to a ring: 0 or above, below `length`. */
function wrapped(place: number, length: number): number {
  const inside = Math.fround(place - length * Math.floor(place / length));
  return inside < length ? inside : 0;
}

/** 24 of 32 random bits as a number 0..1, 1 excluded. */
function share(bits: number): number {
  return (bits >>> 8) / 2 ** 24;
}

/** A phase as turns, in steps that a 32-bit float has. */
function turnsOf(phase: number): number {
  return (phase >>> 8) / 2 ** 24;
}
