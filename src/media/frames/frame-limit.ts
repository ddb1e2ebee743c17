// Leaves out the first frames of a source, or ends it after a number of frames.
import { counted } from '../../counted.js';
import { InputError, OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import type { FrameSource, FrameStart } from './frame-source.js';

/** A source that ends after `maxFrames` frames; the same one if that is undefined. */
export function limitFrames<Picture>(
  source: FrameSource<Picture>,
  maxFrames: number | undefined,
): FrameSource<Picture> {
  if (maxFrames === undefined) return source;
  return {
    ...source,
    ...(source.frameCount !== undefined && { frameCount: Math.min(source.frameCount, maxFrames) }),
    frames: (...given) => firstFrames(source.frames(...given), maxFrames),
    close: () => source.close(),
  };
}

/** A source without its frames before `start`, which are read; the same one if that is undefined. */
export function skipFrames<Picture>(source: FrameSource<Picture>, start: FrameStart | undefined): FrameSource<Picture> {
  if (start === undefined || start.frame === 0) return source;
  const { frameCount, ...rest } = source;
  return {
    ...rest,
    ...(frameCount !== undefined && { frameCount: Math.max(0, frameCount - start.frame) }),
    frames: (...given) => framesFrom(source.frames(...given), start.frame),
    close: () => source.close(),
  };
}

/** Throws an InputError if an input of `count` frames has no frame `start`. */
export function requireFrame(name: string, start: FrameStart, count: number): void {
  if (start.frame < count) return;
  throw new InputError(`${name} has ${counted(count, 'frame')}, so there is no frame ${start.frame} (the first is 0)`);
}

/** Throws an OptionError unless a start is a frame's number, and a moment if there is one; undefined is the first. */
export function requireStart(start: FrameStart | undefined): void {
  if (start === undefined) return;
  const wrong = (name: string, value: unknown, legal: string) =>
    new OptionError('start', `start${name} ${inWords(value)} is not legal; legal: ${legal}`);
  if (typeof start !== 'object' || start === null) throw wrong('', start, 'as { frame: 12 }');
  const { frame, seconds = 0 } = start;
  if (!Number.isInteger(frame) || frame < 0) throw wrong('.frame', frame, 'a whole number of 0 or more');
  if (!Number.isFinite(seconds) || seconds < 0) throw wrong('.seconds', seconds, 'a number of 0 or more');
}

/** Throws an OptionError unless a number of frames to read is whole and 1 or more; undefined is all. */
export function requireFrameLimit(frames: number | undefined): void {
  if (frames === undefined || (Number.isInteger(frames) && frames >= 1)) return;
  throw new OptionError('frames', named => `${named('frames')} ${inWords(frames)} is not a whole number of 1 or more`);
}

async function* framesFrom<Picture>(frames: AsyncIterable<Picture>, first: number): AsyncGenerator<Picture> {
  let index = 0;
  for await (const frame of frames) if (index++ >= first) yield frame;
}

async function* firstFrames<Picture>(frames: AsyncIterable<Picture>, maxFrames: number): AsyncGenerator<Picture> {
  let count = 0;
  for await (const frame of frames) {
    yield frame;
    if (++count === maxFrames) return;
  }
}
