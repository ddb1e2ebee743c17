// Pictures of a live track: by MediaStreamTrackProcessor where the browser has it, else from a video element.
import { InputError, UnsupportedError } from '../../errors.js';

/** Pictures as they come; leaving the iteration ends them. */
export type LivePictures<Picture> = AsyncIterator<Picture, undefined>;

/** Newer than the types of the platform. */
type ProcessorClass = new (init: { track: MediaStreamTrack }) => { readonly readable: ReadableStream<VideoFrame> };

/** How often a track is asked whether it has ended, in milliseconds: its `stop` causes no event. */
const END_CHECK_MS = 200;

/** The pictures of a video track until it ends: each to be closed. What comes while none is asked for is left out. */
export function trackPictures(track: MediaStreamTrack): LivePictures<VideoFrame> {
  if (track.readyState === 'ended') throw new InputError('the track has ended: it gives no pictures any more');
  const { MediaStreamTrackProcessor } = globalThis as { MediaStreamTrackProcessor?: ProcessorClass };
  if (MediaStreamTrackProcessor) return streamPictures(new MediaStreamTrackProcessor({ track }).readable);
  if (typeof VideoFrame !== 'function' || typeof document !== 'object') {
    throw new UnsupportedError('this browser cannot read pictures of a track here: it has no VideoFrame or no page');
  }
  return shownPictures(track);
}

/** Reads a stream; leaving the iteration cancels it at once. Throws InputError for one that something else reads. */
export function streamPictures<Picture>(stream: ReadableStream<Picture>): LivePictures<Picture> {
  if (stream.locked) throw new InputError('the ReadableStream is locked: something else reads it');
  const reader = stream.getReader();
  return {
    next: () => reader.read() as Promise<IteratorResult<Picture, undefined>>,
    return: async () => {
      await reader.cancel();
      return { done: true, value: undefined };
    },
  };
}

/** Plays the track in a video element that is not shown, and takes what that presents. */
function shownPictures(track: MediaStreamTrack): LivePictures<VideoFrame> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = new MediaStream([track]);
  const pictures = presentedPictures(video, track);
  return {
    next: () => pictures.next(),
    return: () => {
      video.srcObject = null; // ends a wait for the next picture, too
      return pictures.return(undefined);
    },
  };
}

async function* presentedPictures(
  video: HTMLVideoElement,
  track: MediaStreamTrack,
): AsyncGenerator<VideoFrame, undefined> {
  try {
    await video.play();
    while (await nextPresented(video, track)) yield new VideoFrame(video, { timestamp: performance.now() * 1000 });
    return undefined;
  } finally {
    video.srcObject = null;
  }
}

/** Resolves when the next picture is presented; false when the track has ended, or the video has lost it. */
function nextPresented(video: HTMLVideoElement, track: MediaStreamTrack): Promise<boolean> {
  return new Promise(resolve => {
    const isOver = () => track.readyState === 'ended' || video.srcObject === null;
    const done = (isPresented: boolean) => {
      clearInterval(check);
      resolve(isPresented);
    };
    const check = setInterval(() => isOver() && done(false), END_CHECK_MS);
    // Where the browser does not tell of pictures, each repaint may show one.
    if ('requestVideoFrameCallback' in video) video.requestVideoFrameCallback(() => done(true));
    else requestAnimationFrame(() => done(!isOver()));
  });
}
