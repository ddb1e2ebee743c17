// Films and images that people drop or choose.
import type { Frame } from 'mpegpu';
import { FrameConverter } from 'mpegpu/browser';
import { type ClipSource, FRAME_RATE, fittedSize } from './clip.ts';

/** A single image is shown for a second. */
const STILL_FRAMES = 25;

/** A film, or images in the natural order of their names. Throws an Error that says what would be right. */
export function fileSource(files: readonly File[]): ClipSource {
  const images = files.filter(({ type }) => type.startsWith('image/'));
  const film = files.find(file => !images.includes(file));
  if (film) return { name: film.name, open: ({ size }, signal) => framesOfFilm(film, size, signal) };
  if (images.length === 0) throw new Error('Nothing was dropped: drop a video, or images');
  const order = new Intl.Collator('en', { numeric: true });
  const sorted = images.toSorted((a, b) => order.compare(a.name, b.name));
  const name = sorted.length === 1 ? sorted[0]!.name : `${sorted.length} images`;
  return { name, open: ({ size }) => framesOfImages(sorted, size) };
}

async function* framesOfImages(images: readonly File[], size: number): AsyncGenerator<Frame> {
  let converter: FrameConverter | undefined;
  for (const file of images) {
    const bitmap = await createImageBitmap(file).catch(() => {
      throw new Error(`${file.name} is an image that this browser cannot decode: try PNG or JPEG`);
    });
    converter ??= new FrameConverter(fittedSize(bitmap.width, bitmap.height, size));
    const frame = await converter.convert(bitmap);
    bitmap.close();
    for (let i = 0; i < (images.length === 1 ? STILL_FRAMES : 1); i++) yield frame;
  }
}

/** Seeks from picture to picture: every one is taken, however slow the machine is. */
async function* framesOfFilm(file: File, size: number, signal: AbortSignal): AsyncGenerator<Frame> {
  const video = document.createElement('video');
  video.muted = true;
  video.preload = 'auto';
  video.src = URL.createObjectURL(file);
  try {
    await happens(video, 'loadeddata', file.name);
    if (video.videoWidth === 0) throw new Error(`${file.name} has sound, but no pictures`);
    const converter = new FrameConverter(fittedSize(video.videoWidth, video.videoHeight, size));
    const seconds = Number.isFinite(video.duration) ? video.duration : Number.POSITIVE_INFINITY;
    for (let number = 0; (number + 0.5) / FRAME_RATE < seconds && !signal.aborted; number++) {
      video.currentTime = (number + 0.5) / FRAME_RATE;
      await happens(video, 'seeked', file.name);
      yield await converter.convert(video);
    }
  } finally {
    URL.revokeObjectURL(video.src);
    video.removeAttribute('src');
    video.load();
  }
}

function happens(video: HTMLVideoElement, event: string, name: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const types = 'try WebM, or MP4 with H.264';
    video.addEventListener(event, () => resolve(), { once: true });
    video.addEventListener('error', () => reject(new Error(`${name} cannot be decoded by this browser: ${types}`)), {
      once: true,
    });
  });
}
