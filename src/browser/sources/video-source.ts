// What a video can be made from, and how its pictures are read from it.
import { InputError } from '../../errors.js';
import { compareNatural } from '../../media/frames/natural-order.js';
import { untilAborted } from '../../threads/time-limit.js';
import { className, type FrameInput, isBlob, isVideoFrame, isVideoSample } from '../frames/frame-input.js';
import { streamPictures, trackPictures } from './track-pictures.js';

/**
 * What a video is made from: a track of a camera or screen (or a stream with one), a stream of VideoFrames, or a list,
 * an iterable or an asynchronous iterable of what {@link FrameConverter} takes. A list of files is sorted by the
 * numbers in their names, as the images of a folder are in Node.
 */
export type VideoSource =
  | MediaStreamTrack
  | MediaStream
  | ReadableStream<FrameInput>
  | FileList
  | Iterable<FrameInput>
  | AsyncIterable<FrameInput>;

/** A picture of a source. */
export interface SourcePicture {
  readonly input: FrameInput;
  /** When it is shown, and for how long, in microseconds; undefined where the source does not say. */
  readonly timestampUs?: number | undefined;
  readonly durationUs?: number | undefined;
  /** Its name, for messages. */
  readonly name: string;
  /** Frees the picture: it has been read, or is not wanted. */
  close(): void;
}

/** How many pictures a source has; undefined if that is not known. */
export function pictureCount(source: VideoSource): number | undefined {
  if (className(source) === 'FileList') return (source as FileList).length;
  return Array.isArray(source) ? source.length : undefined;
}

/** The frame rate that the source says; undefined if it does not. */
export function statedRate(source: VideoSource): number | undefined {
  return videoTrack(source)?.getSettings().frameRate || undefined; // 0 of a canvas that is captured on request
}

/**
 * The pictures of a source, in order; each is to be closed. Ends with the reason of `signal` as soon as that is
 * aborted. Throws InputError for what is no source.
 */
export async function* sourcePictures(source: VideoSource, signal: AbortSignal): AsyncGenerator<SourcePicture> {
  const inputs = iteratorOf(source);
  let number = 0;
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = Promise.resolve(inputs.next());
      const { value, done } = await untilAborted(next, signal).catch(error => {
        next.then(late => late.done || asPicture(late.value, number).close()).catch(() => {});
        throw error;
      });
      if (done) return;
      yield asPicture(value, number++);
    }
  } finally {
    // Nobody waits for a source that may hang, and its failure hides no other.
    (async () => inputs.return?.())().catch(() => {});
  }
}

function asPicture(given: FrameInput, number: number): SourcePicture {
  let input = given;
  if (isVideoSample(given)) {
    try {
      input = given.toVideoFrame();
    } finally {
      given.close();
    }
  }
  const name = isBlob(input) && 'name' in input ? String(input.name) : `picture ${number}`;
  if (!isVideoFrame(input)) return { input, name, close: () => {} };
  const frame = input;
  const { timestamp: timestampUs, duration } = frame;
  return { input, name, timestampUs, durationUs: duration ?? undefined, close: () => frame.close() };
}

function iteratorOf(source: VideoSource): AsyncIterator<FrameInput> | Iterator<FrameInput> {
  const track = videoTrack(source);
  if (track) return trackPictures(track);
  const kind = className(source);
  if (isMediaStream(kind)) throw new InputError('the MediaStream has no video track');
  if (kind === 'MediaStreamTrack') throw new InputError('the track is one of sound, not of video');
  if (kind === 'ReadableStream') return streamPictures(source as ReadableStream<FrameInput>);
  const sorted = inOrder(source);
  if (Symbol.asyncIterator in sorted) return sorted[Symbol.asyncIterator]();
  return (sorted as Iterable<FrameInput>)[Symbol.iterator]();
}

/** Files by the numbers in their names; all else as it is. */
function inOrder(source: VideoSource): Iterable<FrameInput> | AsyncIterable<FrameInput> {
  const { [Symbol.iterator]: iterator, [Symbol.asyncIterator]: asyncIterator } = Object(source) as Partial<
    Iterable<FrameInput> & AsyncIterable<FrameInput>
  >;
  // A string can be iterated, too.
  if (Object(source) !== source || (typeof iterator !== 'function' && typeof asyncIterator !== 'function')) {
    const legal = 'a MediaStreamTrack, a MediaStream, a ReadableStream, files, or an iterable of pictures';
    throw new InputError(
      `the source is ${source === null ? 'null' : `of class ${className(source)}`}; legal: ${legal}`,
    );
  }
  if (!Array.isArray(source) && className(source) !== 'FileList') return source as Iterable<FrameInput>;
  const inputs = [...(source as Iterable<FrameInput>)];
  const areFiles = inputs.every(input => className(input) === 'File');
  return areFiles ? (inputs as File[]).sort((a, b) => compareNatural(a.name, b.name)) : inputs;
}

function videoTrack(source: VideoSource): MediaStreamTrack | undefined {
  const kind = className(source);
  if (isMediaStream(kind)) return (source as MediaStream).getVideoTracks()[0];
  // A canvas's track is of a class of its own.
  const isTrack = /^(MediaStream|CanvasCapture.*)Track$/.test(kind);
  return isTrack && (source as MediaStreamTrack).kind === 'video' ? (source as MediaStreamTrack) : undefined;
}

/** Whether this is a class of streams: Firefox gives a canvas's stream one of its own. */
function isMediaStream(kind: string): boolean {
  return kind === 'MediaStream' || kind === 'CanvasCaptureMediaStream';
}
