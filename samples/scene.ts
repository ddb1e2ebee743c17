// Renders a scene as a frame: textured layers, snow and a fade.
import type { Frame } from '../src/picture/frame.js';
import { PHASES, rowReader, samplePel } from './bicubic.js';
import { coverageOf, type Snowflake } from './snow.js';
import type { Texture } from './texture.js';

/** What part of its texture a layer shows: picture point (x, y) shows texture point (ax + by + c, dx + ey + f). */
export interface View {
  readonly a: number;
  readonly b: number;
  readonly c: number;
  readonly d: number;
  readonly e: number;
  readonly f: number;
}

/** An ellipse in a layer's texture, in texture coordinates that go on beyond its edges. */
interface Ellipse {
  readonly x: number;
  readonly y: number;
  readonly radiusX: number;
  readonly radiusY: number;
}

/** A textured plane; with `cutout`, only the part inside an ellipse. */
export interface Layer {
  readonly texture: Texture;
  readonly view: View;
  readonly cutout?: Ellipse;
}

/** What a frame shows: layers from back to front (the first one covers the picture), snow before them, and a fade. */
export interface Scene {
  readonly layers: readonly Layer[];
  readonly snow: readonly Snowflake[];
  /** 0 is black, 256 is full brightness. */
  readonly gain: number;
}

/** Owner of a pel that a snowflake touches. Other owners are indexes of layers. */
export const SNOW_OWNER = 255;

/** The 4:2:0 frame of a scene. Chroma samples lie in the middle of four luma pels. */
export function renderScene(scene: Scene, width: number, height: number): Frame {
  const chromaWidth = (width + 1) >> 1;
  const chromaHeight = (height + 1) >> 1;
  const luma = { width, height, step: 1, black: 16, snow: 235 } as const;
  const chroma = { width: chromaWidth, height: chromaHeight, step: 2, black: 128, snow: 128 } as const;
  return {
    width,
    height,
    y: renderPlane(scene, 'y', luma),
    u: renderPlane(scene, 'u', chroma),
    v: renderPlane(scene, 'v', chroma),
  };
}

/** The index of the layer that each luma pel shows, or SNOW_OWNER. */
export function ownersOf(scene: Scene, width: number, height: number): Uint8Array {
  const owners = layerOwners(scene, width, height, 1);
  for (const flake of scene.snow) {
    forEachTouched(flake, width, height, 1, at => {
      owners[at] = SNOW_OWNER;
    });
  }
  return owners;
}

interface PlaneShape {
  readonly width: number;
  readonly height: number;
  /** Luma pels per pel of this plane, per axis. */
  readonly step: 1 | 2;
  readonly black: number;
  readonly snow: number;
}

function renderPlane(scene: Scene, name: 'y' | 'u' | 'v', plane: PlaneShape): Uint8Array {
  const { width, height, step, black } = plane;
  const pels = new Uint8Array(width * height);
  const owners = layerOwners(scene, width, height, step);
  const shift = (step - 1) / 2;
  for (const [index, { texture, view }] of scene.layers.entries()) {
    const source = texture[name];
    const side = texture.side / step;
    const place = (pels: number) => Math.floor((pels / step) * PHASES + 0.5);
    // The first layer covers the picture; where its rows are level, they are read as rows.
    if (index === 0 && view.b === 0 && view.d === 0) {
      const startX = view.c - shift;
      const columns = new Int32Array(width);
      for (let x = 0; x < width; x++) columns[x] = place(view.a * (x * step + shift) + startX);
      const readRow = rowReader(source, side, columns);
      for (let y = 0; y < height; y++) {
        const startY = view.e * (y * step + shift) + view.f - shift;
        readRow(place(startY), pels.subarray(y * width, (y + 1) * width));
      }
      continue;
    }
    for (let y = 0; y < height; y++) {
      const lumaY = y * step + shift;
      const startX = view.b * lumaY + view.c - shift;
      const startY = view.e * lumaY + view.f - shift;
      for (let x = 0; x < width; x++) {
        if (owners[y * width + x] !== index) continue;
        const lumaX = x * step + shift;
        pels[y * width + x] = samplePel(source, side, place(view.a * lumaX + startX), place(view.d * lumaX + startY));
      }
    }
  }
  if (scene.gain !== 256) {
    for (let at = 0; at < pels.length; at++) pels[at] = black + (((pels[at] - black) * scene.gain + 128) >> 8);
  }
  for (const flake of scene.snow) {
    forEachTouched(flake, width, height, step, (at, coverage) => {
      pels[at] = Math.floor(pels[at] + (plane.snow - pels[at]) * coverage + 0.5);
    });
  }
  return pels;
}

/** The front-most layer at each pel of a plane of one pel per `step` luma pels. */
function layerOwners(scene: Scene, width: number, height: number, step: 1 | 2): Uint8Array {
  const owners = new Uint8Array(width * height);
  const shift = (step - 1) / 2;
  for (const [index, { view, cutout }] of scene.layers.entries()) {
    if (cutout === undefined) continue;
    for (let y = 0; y < height; y++) {
      const lumaY = y * step + shift;
      for (let x = 0; x < width; x++) {
        const lumaX = x * step + shift;
        const across = (view.a * lumaX + view.b * lumaY + view.c - cutout.x) / cutout.radiusX;
        const down = (view.d * lumaX + view.e * lumaY + view.f - cutout.y) / cutout.radiusY;
        if (across * across + down * down <= 1) owners[y * width + x] = index;
      }
    }
  }
  return owners;
}

/**
 * Calls `visit` with the index of each pel that a flake touches, and with the share that it covers, above 0 up to 1.
 */
function forEachTouched(
  flake: Snowflake,
  width: number,
  height: number,
  step: 1 | 2,
  visit: (at: number, coverage: number) => void,
): void {
  const reach = flake.radius + 1;
  const shift = (step - 1) / 2;
  const top = Math.max(0, Math.floor((flake.y - reach) / step));
  const bottom = Math.min(height - 1, Math.ceil((flake.y + reach) / step));
  const left = Math.max(0, Math.floor((flake.x - reach) / step));
  const right = Math.min(width - 1, Math.ceil((flake.x + reach) / step));
  for (let y = top; y <= bottom; y++) {
    for (let x = left; x <= right; x++) {
      const coverage = coverageOf(flake, x * step + shift, y * step + shift);
      if (coverage > 0) visit(y * width + x, coverage);
    }
  }
}
