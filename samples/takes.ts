// The takes of the samples: how camera and objects move from frame to frame.
import { Random } from './random.js';
import type { Layer, Scene, View } from './scene.js';
import { snowOfFrame } from './snow.js';
import { makeTexture, type Texture } from './texture.js';

/** A take, an uncut part of a sequence: the scene of each of its frames. */
export type Take = (index: number) => Scene;

/** What a take is made for. */
export interface TakeOptions {
  readonly width: number;
  readonly height: number;
  /** Frames of the take. */
  readonly frames: number;
  readonly seed: number;
}

const FULL_GAIN = 256;

/** A camera that slides by whole pels a frame, up to 12 horizontally and 7 vertically. */
export function panTake(options: TakeOptions): Take {
  const random = new Random(options.seed, 20);
  const dx = random.sign() * random.integer(1, 12);
  const dy = random.sign() * random.integer(0, 7);
  return slide(options, dx, dy);
}

/** A camera that slides by quarter pels, never by whole pels on either axis. */
export function subPelPanTake(options: TakeOptions): Take {
  const random = new Random(options.seed, 21);
  const dx = random.sign() * (random.integer(0, 5) + random.integer(1, 3) / 4);
  const dy = random.sign() * (random.integer(0, 3) + random.integer(1, 3) / 4);
  return slide(options, dx, dy);
}

/** Snow between the camera and a slowly sliding background. */
export function snowTake(options: TakeOptions): Take {
  const random = new Random(options.seed, 22);
  const background = slide(
    options,
    (random.sign() * random.integer(5, 11)) / 4,
    (random.sign() * random.integer(0, 3)) / 4,
  );
  return index => ({ ...background(index), snow: snowOfFrame(options.seed, index, options.width, options.height) });
}

/** A slide that fades in from black in the first quarter and out to black in the last. */
export function fadeTake(options: TakeOptions): Take {
  const random = new Random(options.seed, 23);
  const background = slide(options, random.sign() * random.integer(1, 4), random.sign() * random.integer(0, 2));
  const last = options.frames - 1;
  const length = Math.max(1, Math.floor(options.frames / 4));
  return index => {
    const steps = Math.min(index, last - index, length);
    return { ...background(index), gain: Math.floor((FULL_GAIN * steps) / length) };
  };
}

/** A camera that zooms in for 24 frames and out for the next 24, about the middle of the picture. */
export function zoomTake(options: TakeOptions): Take {
  const texture = textureOf(options, options.seed);
  const origin = originOf(options.seed);
  return index => {
    const turn = index % 48;
    const steps = 12 - (turn < 24 ? turn : 48 - turn);
    const view = aboutMiddle(options, origin, power(1.0125, Math.abs(steps), steps < 0), 0);
    return { layers: [{ texture, view }], snow: [], gain: FULL_GAIN };
  };
}

/**
 * A camera that turns about the middle of the picture, by about 0.72 degrees a frame. The tangent of half this angle is
 * 1/160, so that its cosine and sine are fractions. No trigonometric function is needed: engines round those
 * differently.
 */
export function rotationTake(options: TakeOptions): Take {
  const texture = textureOf(options, options.seed);
  const origin = originOf(options.seed);
  const half = new Random(options.seed, 24).sign() / 160;
  const stepCosine = (1 - half * half) / (1 + half * half);
  const stepSine = (2 * half) / (1 + half * half);
  return index => {
    let cosine = 1;
    let sine = 0;
    for (let i = 0; i < index; i++) {
      [cosine, sine] = [cosine * stepCosine - sine * stepSine, sine * stepCosine + cosine * stepSine];
    }
    return { layers: [{ texture, view: aboutMiddle(options, origin, cosine, sine) }], snow: [], gain: FULL_GAIN };
  };
}

/**
 * A still scene from cameras side by side, frame 0 from the leftmost: frames 0 and 1 are a stereo pair. Cut-out objects
 * stand before a far background. From frame to frame each layer moves left by its disparity; near ones move further.
 */
export function stereoTake(options: TakeOptions): Take {
  const { width, height, seed } = options;
  const random = new Random(seed, 25);
  const far = originOf(seed);
  const planes: { layer: Omit<Layer, 'view'>; origin: { x: number; y: number }; disparity: number }[] = [
    { layer: { texture: textureOf(options, seed) }, origin: far, disparity: 2 },
  ];
  const objects = 5;
  const texture = textureOf(options, seed + 1);
  for (let i = 1; i <= objects; i++) {
    const origin = { x: random.integer(0, 1023), y: random.integer(0, 1023) };
    const cutout = {
      x: origin.x + random.fraction(0.1, 0.95) * width,
      y: origin.y + random.fraction(0.1, 0.9) * height,
      radiusX: width * random.fraction(0.08, 0.2),
      radiusY: height * random.fraction(0.1, 0.28),
    };
    planes.push({ layer: { texture, cutout }, origin, disparity: 2 + 3 * i });
  }
  return index => ({
    layers: planes.map(({ layer, origin, disparity }) => ({
      ...layer,
      view: shifted(origin.x + disparity * index, origin.y),
    })),
    snow: [],
    gain: FULL_GAIN,
  });
}

function slide(options: TakeOptions, dx: number, dy: number): Take {
  const texture = textureOf(options, options.seed);
  const origin = originOf(options.seed);
  return index => ({
    layers: [{ texture, view: shifted(origin.x + dx * index, origin.y + dy * index) }],
    snow: [],
    gain: FULL_GAIN,
  });
}

function textureOf(options: TakeOptions, seed: number): Texture {
  return makeTexture(seed, Math.max(options.width, options.height));
}

function originOf(seed: number): { x: number; y: number } {
  const random = new Random(seed, 26);
  return { x: random.integer(0, 1023), y: random.integer(0, 1023) };
}

function shifted(c: number, f: number): View {
  return { a: 1, b: 0, c, d: 0, e: 1, f };
}

/** Turned and scaled about the picture's middle, which shows texture point `origin`. */
function aboutMiddle(options: TakeOptions, origin: { x: number; y: number }, cosine: number, sine: number): View {
  const middleX = (options.width - 1) / 2;
  const middleY = (options.height - 1) / 2;
  return {
    a: cosine,
    b: -sine,
    c: origin.x - cosine * middleX + sine * middleY,
    d: sine,
    e: cosine,
    f: origin.y - sine * middleX - cosine * middleY,
  };
}

/** `base` to a whole power by multiplication, which rounds the same everywhere; `Math.pow` need not. */
function power(base: number, exponent: number, inverse: boolean): number {
  let product = 1;
  for (let i = 0; i < exponent; i++) product *= base;
  return inverse ? 1 / product : product;
}
