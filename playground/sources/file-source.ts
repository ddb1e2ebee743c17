// Films and images that people drop or choose.
import type { Frame } from 'mpegpu';
import { FrameConverter } from 'mpegpu/browser';
import { type ClipSource, fittedSize } from './clip.ts';

/** A single image is shown for a second. */
const STILL_FRAMES = 25;
/** Images of one shape differ by so much where their sizes were rounded. */
const SHAPE_TOLERANCE = 0.02;

/** A film, or images in the natural order of their names. Throws an Error that says what would be right. */
export function fileSource(files: readonly File[]): ClipSource {
  const images = files.filter(({ type }) => type.startsWith('image/'));
  // Browsers know no type of some films.
  const film = files.find(({ type }) => type.startsWith('video/')) ?? (images.length === 0 ? files[0] : undefined);
  const others = files.length - 1;
  const left = others === 1 ? 'the other file is' : `the other ${others} files are`;
  const note = others > 0 ? `One film is taken at a time: ${left} left out.` : '';
  if (film) return { name: film.name, note, open: ({ size }) => openFilm(film, size) };
  if (images.length === 0) throw new Error('Nothing was dropped: drop a video, or images');
  const order = new Intl.Collator('en', { numeric: true });
  const sorted = images.toSorted((a, b) => order.compare(a.name, b.name));
  const name = sorted.length === 1 ? sorted[0]!.name : `${sorted.length} images`;
  return { name, open: ({ size }) => framesOfImages(sorted, size) };
}

async function* framesOfImages(images: readonly File[], size: number): AsyncGenerator<Frame> {
  let converter: FrameConverter | undefined;
  let shape: number | undefined;
  for (const file of images) {
    const bitmap = await createImageBitmap(file).catch(() => {
      throw new Error(`${file.name} is an image that this browser cannot decode: try PNG or JPEG`);
    });
    const { width, height } = bitmap;
    shape ??= width / height;
    if (Math.abs(width / height / shape - 1) > SHAPE_TOLERANCE) {
      throw new Error(`${file.name} has another shape than ${images[0]!.name}: give images of one shape`);
    }
    converter ??= new FrameConverter(fittedSize(width, height, size));
    const frame = await converter.convert(bitmap);
    bitmap.close();
    for (let i = 0; i < (images.length === 1 ? STILL_FRAMES : 1); i++) yield frame;
  }
}

/** What decodes films is loaded with the first one. */
async function* openFilm(file: File, size: number): AsyncGenerator<Frame> {
  const { framesOfFilm } = await import('./film-source.ts');
  yield* framesOfFilm(file, size);
}
