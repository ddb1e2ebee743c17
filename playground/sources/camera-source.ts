// The camera.
import type { Frame } from 'mpegpu';
import { FrameConverter } from 'mpegpu/browser';
import { type ClipSource, FRAME_RATE, fittedSize } from './clip.ts';

/** Why there is no camera, by the name of the browser's error. */
const REASONS: Readonly<Record<string, string>> = {
  NotAllowedError: 'The camera was not allowed: allow it in the address bar',
  NotFoundError: 'There is no camera here',
  NotReadableError: 'The camera cannot be read: another program may use it',
};

/**
 * The camera, from now until the signal, the end of the clip, or its own end. Rejects with an Error that says why not,
 * and where `unwanted` is aborted before the camera is there.
 */
export async function cameraSource(unwanted: AbortSignal): Promise<ClipSource> {
  let latest = await openCamera();
  let isNew = true;
  if (unwanted.aborted) {
    stopTracks(latest);
    unwanted.throwIfAborted();
  }
  /** Each clip stops the tracks that it had: the next one gets others. */
  async function nextStream(): Promise<MediaStream> {
    const before = isNew ? undefined : latest;
    isNew = false;
    if (before) latest = before.active ? before.clone() : await openCamera();
    return latest;
  }
  return {
    name: 'Camera',
    isLive: true,
    async *open({ size }, signal) {
      yield* framesOfStream(await nextStream(), size, signal);
    },
  };
}

async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new Error('The camera needs a page that is loaded over https, or from localhost');
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 }, audio: false });
  } catch (error) {
    const { name, message } = error as DOMException;
    throw new Error(REASONS[name] ?? `The camera does not start: ${message}`);
  }
}

async function* framesOfStream(stream: MediaStream, size: number, signal: AbortSignal): AsyncGenerator<Frame> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream;
  signal.addEventListener('abort', () => stopTracks(stream)); // also while the camera starts
  try {
    await video.play();
    const converter = new FrameConverter(fittedSize(video.videoWidth, video.videoHeight, size));
    const start = performance.now();
    // A video goes on showing the last picture of a camera that is pulled out.
    for (let number = 0; stream.active; number++) {
      const dueMs = start + (1000 * number) / FRAME_RATE;
      await new Promise(resolve => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      yield await converter.convert(video);
    }
  } finally {
    stopTracks(stream);
  }
}

function stopTracks(stream: MediaStream): void {
  for (const track of stream.getTracks()) track.stop();
}
