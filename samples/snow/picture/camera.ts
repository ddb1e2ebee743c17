// The camera: where a point of the air lies in the picture. It stands at the near side and looks along z.
import { FLAKE_WORDS, type Flakes, flakeTraits } from '../flakes.js';
import type { SnowScene } from '../scene.js';

/** A flake as the camera sees it. */
export interface SeenFlake {
  /** Its middle and radius in pels; the middle of the upper left pel is (0.5, 0.5). */
  readonly x: number;
  readonly y: number;
  readonly radius: number;
  /** Share 0..1 of what lies behind it that its middle hides. */
  readonly opacity: number;
  /** Its distance along z, in cells. */
  readonly distance: number;
}

/** Nothing is seen that is nearer. */
const NEAR = 0.75;
/** In pels. A flake with its edge lies in two tiles per axis at most. */
const MAX_RADIUS = 6;
/** A smaller flake is drawn as large as this, and fainter. */
const MIN_RADIUS = 0.5;
const OPACITY = 0.9;

/** The flake with a number, or undefined where it lies before the camera or behind the fog. */
export function seenFlake(scene: SnowScene, { floats }: Flakes, flake: number): SeenFlake | undefined {
  const at = FLAKE_WORDS * flake;
  const distance = Math.fround(floats[at + 2] - scene.eyeZ);
  if (distance < NEAR || distance >= scene.far) return undefined;
  const scale = scene.focal / distance;
  const exact = Math.min(MAX_RADIUS, scale * scene.flakeRadius * flakeTraits(scene, flake).size);
  const radius = Math.max(MIN_RADIUS, exact);
  return {
    x: 0.5 * scene.width + scale * (floats[at] - scene.eyeX),
    y: scene.horizon - scale * (floats[at + 1] - scene.eyeY),
    radius,
    opacity: OPACITY * (exact / radius) * (exact / radius),
    distance,
  };
}

/** Share 0..1 of the point (x, y) that a flake hides. Its edge is one pel wide. */
export function coverageOf(flake: SeenFlake, x: number, y: number): number {
  const dx = x - flake.x;
  const dy = y - flake.y;
  const distance = Math.sqrt(dx * dx + dy * dy);
  return flake.opacity * Math.min(1, Math.max(0, flake.radius + 0.5 - distance));
}
