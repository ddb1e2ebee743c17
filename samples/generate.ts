// Generates test sequences: textures under a moving camera, with their true motion.
import type { Frame } from '../src/picture/frame.js';
import { hash } from './random.js';
import { renderScene, type Scene } from './scene.js';
import {
  fadeTake,
  panTake,
  rotationTake,
  snowTake,
  stereoTake,
  subPelPanTake,
  type Take,
  type TakeOptions,
  zoomTake,
} from './takes.js';
import { motionBetween, type TrueMotion } from './true-motion.js';

/** The kinds of sequences, and what each shows. */
export const SAMPLE_KINDS = {
  pan: 'a camera sliding by whole pels',
  'pan-subpel': 'a camera sliding by quarter pels',
  zoom: 'a camera zooming in and out',
  rotation: 'a camera turning',
  snow: 'snow falling over a moving background',
  cut: 'three takes with hard cuts between them',
  fade: 'a take that fades in from black and out again',
  noise: 'random pels in every frame',
  stereo: 'a still scene from cameras side by side; the first two frames are a stereo pair',
} as const;

export type SampleKind = keyof typeof SAMPLE_KINDS;

/** What to generate. */
interface SampleOptions {
  readonly kind: SampleKind;
  /** Size in pels, 1..4095 each. */
  readonly width: number;
  readonly height: number;
  /** Length, 1 or more. */
  readonly frames: number;
  /** 0..2^32-1; the same seed gives the same pels on every machine. */
  readonly seed: number;
}

/** A generated sequence. Iterate over it for its frames in order, or ask for any of them. */
export interface Sample extends Iterable<Frame> {
  readonly options: SampleOptions;
  /** A new frame each time; `index` is 0..frames-1. */
  frame(index: number): Frame;
  /** The motion of frame `index` since the one before; undefined for frame 0, after a cut, and for noise. */
  trueMotion(index: number): TrueMotion | undefined;
}

/** Generates a sequence. Each frame is rendered when it is asked for. Throws a RangeError for options out of range. */
export function generateSample(options: SampleOptions): Sample {
  requireInteger('width', options.width, 1, 4095);
  requireInteger('height', options.height, 1, 4095);
  requireInteger('frames', options.frames, 1, Number.MAX_SAFE_INTEGER);
  requireInteger('seed', options.seed, 0, 0xffffffff);
  if (!Object.hasOwn(SAMPLE_KINDS, options.kind)) {
    throw new RangeError(`kind '${options.kind}' is unknown; legal: ${Object.keys(SAMPLE_KINDS).join(', ')}`);
  }
  return options.kind === 'noise' ? noiseSample(options) : filmedSample(options, takesOf(options));
}

/** The takes of a sequence, and the number of the first frame of each. */
type Cuts = readonly { readonly start: number; readonly take: Take }[];

const TAKES: Record<Exclude<SampleKind, 'noise' | 'cut'>, (options: TakeOptions) => Take> = {
  pan: panTake,
  'pan-subpel': subPelPanTake,
  zoom: zoomTake,
  rotation: rotationTake,
  snow: snowTake,
  fade: fadeTake,
  stereo: stereoTake,
};

function takesOf(options: SampleOptions & { kind: SampleKind }): Cuts {
  if (options.kind !== 'cut') {
    return [{ start: 0, take: TAKES[options.kind as keyof typeof TAKES](options) }];
  }
  const length = Math.ceil(options.frames / 3);
  return [panTake, subPelPanTake, zoomTake].map((makeTake, i) => ({
    start: i * length,
    take: makeTake({ ...options, frames: length, seed: hash(options.seed, 30, i) }),
  }));
}

function filmedSample(options: SampleOptions, cuts: Cuts): Sample {
  const { width, height } = options;
  const cutBefore = (index: number) => cuts.findLast(cut => cut.start <= index)!;
  const sceneOf = (index: number): Scene => {
    const { start, take } = cutBefore(index);
    return take(index - start);
  };
  const frame = (index: number) => renderScene(sceneOf(requireIndex(options, index)), width, height);
  return {
    options,
    frame,
    trueMotion: index =>
      cutBefore(requireIndex(options, index)).start === index
        ? undefined
        : motionBetween(sceneOf(index - 1), sceneOf(index), width, height),
    [Symbol.iterator]: () => framesInOrder(options, frame),
  };
}

function noiseSample(options: SampleOptions): Sample {
  const { width, height, seed } = options;
  const chroma = ((width + 1) >> 1) * ((height + 1) >> 1);
  const noise = (length: number, index: number, stream: number) => {
    const seedOfPlane = hash(seed, index, stream);
    const pels = new Uint8Array(length);
    for (let at = 0; at < length; at++) pels[at] = hash(seedOfPlane, at, 0) >>> 24;
    return pels;
  };
  const frame = (index: number): Frame => {
    requireIndex(options, index);
    return {
      width,
      height,
      y: noise(width * height, index, 50),
      u: noise(chroma, index, 51),
      v: noise(chroma, index, 52),
    };
  };
  return {
    options,
    frame,
    trueMotion: index => {
      requireIndex(options, index);
      return undefined;
    },
    [Symbol.iterator]: () => framesInOrder(options, frame),
  };
}

function* framesInOrder(options: SampleOptions, frame: (index: number) => Frame): Generator<Frame> {
  for (let index = 0; index < options.frames; index++) yield frame(index);
}

function requireIndex(options: SampleOptions, index: number): number {
  requireInteger('frame index', index, 0, options.frames - 1);
  return index;
}

function requireInteger(name: string, value: number, min: number, max: number): void {
  if (!(Number.isInteger(value) && value >= min && value <= max)) {
    throw new RangeError(`${name} is ${value}; legal: a whole number, ${min}..${max}`);
  }
}
