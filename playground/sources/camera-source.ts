// The camera.
import type { Frame } from 'mpegpu';
import { FrameConverter } from 'mpegpu/browser';
import { type ClipSource, FRAME_RATE, fittedSize } from './clip.ts';

/** The camera, from now until the signal or the clip's end. Rejects with an Error that says why not. */
export async function cameraSource(): Promise<ClipSource> {
  const stream = await openCamera();
  return { name: 'Camera', isLive: true, open: ({ size }, signal) => framesOfStream(stream, size, signal) };
}

async function openCamera(): Promise<MediaStream> {
  if (!navigator.mediaDevices) throw new Error('The camera needs a page that is loaded over https, or from localhost');
  try {
    return await navigator.mediaDevices.getUserMedia({ video: { width: 640, height: 480 }, audio: false });
  } catch (error) {
    const isRefused = (error as DOMException).name === 'NotAllowedError';
    throw new Error(isRefused ? 'The camera was not allowed: allow it in the address bar' : 'There is no camera here');
  }
}

async function* framesOfStream(stream: MediaStream, size: number, signal: AbortSignal): AsyncGenerator<Frame> {
  const video = document.createElement('video');
  video.muted = true;
  video.playsInline = true;
  video.srcObject = stream.active ? stream : await openCamera();
  try {
    await video.play();
    const converter = new FrameConverter(fittedSize(video.videoWidth, video.videoHeight, size));
    const start = performance.now();
    for (let number = 0; !signal.aborted; number++) {
      const dueMs = start + (1000 * number) / FRAME_RATE;
      await new Promise(resolve => setTimeout(resolve, Math.max(0, dueMs - performance.now())));
      yield await converter.convert(video);
    }
  } finally {
    for (const track of (video.srcObject as MediaStream).getTracks()) track.stop();
  }
}
