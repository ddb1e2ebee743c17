// What random frames show: hard things for an encoder, one after the other.
import fc from 'fast-check';
import { generateSample, SAMPLE_KINDS, type SampleKind } from '../../../samples/generate.js';
import { chromaLength, type Frame } from '../../../src/picture/frame.js';
import { seededRandom } from '../../gpu/pictures.js';

const SAMPLES = Object.keys(SAMPLE_KINDS) as readonly SampleKind[];

/** Frames that show one thing. */
export interface Scene {
  readonly kind: keyof typeof DRAWINGS | 'sample';
  /** 0..255: a brightness, or what else the kind makes of it. */
  readonly value: number;
  readonly seed: number;
  /** Movement in pels a frame. */
  readonly dx: number;
  readonly dy: number;
  readonly chroma: 'gray' | 'black' | 'full' | 'noise' | 'like luma';
  readonly frames: number;
}

/** Gives the pel at a place of a frame. */
type Drawing = (x: number, y: number, frame: number) => number;

/** How each kind is drawn. */
const DRAWINGS = {
  flat:
    ({ value }) =>
    () =>
      value,
  fade:
    ({ value, dx }) =>
    (_x, _y, frame) =>
      value + dx * frame,
  flash:
    ({ value }) =>
    (_x, _y, frame) =>
      frame % 3 === 1 ? 255 : value >> 3,
  noise:
    ({ seed }) =>
    (x, y, frame) =>
      hash(seed, x, y, frame),
  'still noise':
    ({ seed, dx, dy }) =>
    (x, y, frame) =>
      hash(seed, x + dx * frame, y + dy * frame, 0),
  'faint noise':
    ({ seed, value }) =>
    (x, y, frame) =>
      value + (hash(seed, x, y, frame) & 3),
  checkers:
    ({ value, dx, dy }) =>
    (x, y, frame) => {
      const side = 1 + (value & 15);
      return ((Math.floor((x + dx * frame) / side) + Math.floor((y + dy * frame) / side)) & 1) * 255;
    },
  text:
    ({ seed, value, dx, dy }) =>
    (x, y, frame) => {
      const column = (x + dx * frame) >> 1;
      const row = (y + dy * frame) >> 1;
      const isInk = (row & 7) < 5 && (column & 3) < 3 && hash(seed, column, row, 0) > 110;
      return isInk ? 235 : value >> 4;
    },
  ramp:
    ({ value, dx, dy }) =>
    (x, y, frame) =>
      value + x * 2 + y + frame * (dx + dy),
  impulse:
    ({ seed, value, dx, dy }) =>
    (x, y, frame) =>
      x === ((seed + dx * frame) & 63) && y === (((seed >> 6) + dy * frame) & 63) ? 255 : value >> 6,
} as const satisfies Readonly<Record<string, (scene: Scene) => Drawing>>;

const SCENE_KINDS = [...Object.keys(DRAWINGS), 'sample'] as readonly Scene['kind'][];

/** Random scenes, of a few frames each. */
export const scenes: fc.Arbitrary<readonly Scene[]> = fc.array(
  fc.record<Scene>({
    kind: fc.constantFrom('flat', 'sample', ...SCENE_KINDS),
    value: fc.oneof(fc.constantFrom(0, 16, 128, 235, 255), fc.integer({ min: 0, max: 255 })),
    seed: fc.integer({ min: 0, max: 4095 }),
    dx: fc.integer({ min: -20, max: 20 }),
    dy: fc.integer({ min: -20, max: 20 }),
    chroma: fc.constantFrom('gray', 'black', 'full', 'noise', 'like luma'),
    frames: fc.integer({ min: 1, max: 12 }),
  }),
  { minLength: 1, maxLength: 4 },
);

/** All frames of the scenes, at most `maxFrames`. */
export function drawFrames(list: readonly Scene[], width: number, height: number, maxFrames: number): Frame[] {
  const frames: Frame[] = [];
  for (const scene of list) {
    const count = Math.min(scene.frames, maxFrames - frames.length);
    if (scene.kind !== 'sample') {
      for (let i = 0; i < count; i++) frames.push(drawFrame(scene, DRAWINGS[scene.kind](scene), width, height, i));
    } else if (count > 0) {
      const kind = SAMPLES[scene.value % SAMPLES.length]!;
      frames.push(...generateSample({ kind, width, height, frames: count, seed: scene.seed }));
    }
  }
  return frames;
}

function drawFrame(scene: Scene, luma: Drawing, width: number, height: number, frame: number): Frame {
  const random = seededRandom(scene.seed + frame);
  const chroma: Drawing = {
    gray: () => 128,
    black: () => 0,
    full: () => 255,
    noise: () => random() * 256,
    'like luma': (x: number, y: number) => 255 - luma(2 * x, 2 * y, frame),
  }[scene.chroma];
  const draw = (drawing: Drawing, columns: number, rows: number): Uint8Array => {
    const plane = new Uint8Array(columns * rows);
    for (let y = 0; y < rows; y++) for (let x = 0; x < columns; x++) plane[y * columns + x] = drawing(x, y, frame);
    return plane;
  };
  const [chromaWidth, chromaHeight] = [chromaLength(width), chromaLength(height)];
  const [u, v] = [draw(chroma, chromaWidth, chromaHeight), draw(chroma, chromaWidth, chromaHeight)];
  return { width, height, y: draw(luma, width, height), u, v };
}

/** 0..255, the same for the same numbers. */
function hash(seed: number, x: number, y: number, frame: number): number {
  let value = Math.imul(seed + 1, 0x9e3779b1) ^ Math.imul(x, 0x85ebca6b) ^ Math.imul(y, 0xc2b2ae35) ^ (frame << 16);
  value = Math.imul(value ^ (value >>> 15), 0x2c1b3c6d);
  return (value ^ (value >>> 13)) & 255;
}
