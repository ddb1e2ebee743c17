// Snowflakes: where they are in each frame, and what they cover.
import { Random } from './random.js';

/** A flake in one frame; centre and radius in luma pels. */
export interface Snowflake {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Share 0..1 of the background that it hides in its middle. */
  readonly opacity: number;
}

/** Luma pels of the picture per flake. */
const AREA_PER_FLAKE = 900;
/** Frames of one sway to the side and back. */
const SWAY_PERIOD = 32;

/**
 * The snow of a frame. Near flakes are large, fast and soft; far ones are small and slow. All drift with the wind and
 * sway. A flake that leaves at the bottom comes back at the top.
 */
export function snowOfFrame(seed: number, index: number, width: number, height: number): Snowflake[] {
  const count = Math.max(4, Math.round((width * height) / AREA_PER_FLAKE));
  const random = new Random(seed, 40);
  const wind = random.sign() * random.fraction(0.4, 1.6);
  return Array.from({ length: count }, () => {
    const nearness = random.fraction(0, 1);
    const radius = 1 + 3.6 * nearness * nearness * nearness;
    const margin = 2 * radius + 4;
    const swayReach = random.fraction(0, 5) * nearness;
    const swayPhase = random.integer(0, SWAY_PERIOD - 1);
    const startX = random.fraction(0, width + margin);
    const startY = random.fraction(0, height + margin);
    const fall = 2 + 7 * nearness + random.fraction(0, 1);
    const sway = swayReach * triangle((index + swayPhase) % SWAY_PERIOD);
    return {
      x: wrap(startX + wind * (0.5 + nearness) * index + sway, width + margin) - margin / 2,
      y: wrap(startY + fall * index, height + margin) - margin / 2,
      radius,
      opacity: 0.95 - 0.3 * nearness,
    };
  });
}

/** Share 0..1 of the pel at (x, y) that a flake hides. Its edge is one pel wide. */
export function coverageOf(flake: Snowflake, x: number, y: number): number {
  const dx = x - flake.x;
  const dy = y - flake.y;
  const distance = Math.sqrt(dx * dx + dy * dy);
  return Math.min(1, Math.max(0, flake.radius + 0.5 - distance)) * flake.opacity;
}

/** A triangle wave over one sway, -1..1. */
function triangle(turn: number): number {
  return (Math.abs(turn - SWAY_PERIOD / 2) * 4) / SWAY_PERIOD - 1;
}

/** `value` modulo `length`, 0 or above. */
function wrap(value: number, length: number): number {
  return value - Math.floor(value / length) * length;
}
