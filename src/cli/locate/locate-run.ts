// Searches the pictures of all inputs for a pattern, and writes those that show where it is.
import { signalOfTerminal } from '../../encode-files/open-input.js';
import type { ShowProgress } from '../../encode-files/progress.js';
import { decodeImage } from '../../media/images/image-decoder.js';
import { findRgbSource, type RgbOptions, type RgbPicture, type RgbSource } from '../../media/rgb/rgb-source.js';
import type { Place } from '../../pattern/best-places.js';
import { asGray } from '../../pattern/gray-image.js';
import { createPatternSearch, type PatternSearch, type PatternSearchOptions } from '../../pattern/pattern-search.js';
import type { PelImage } from '../../pattern/pel-image.js';
import type { Interruption } from '../interruption.js';
import { type MarkedOutput, MarkedPictures } from './marked-pictures.js';

/** One search. */
export interface LocateJob {
  /** Path of the pattern's image. */
  readonly pattern: string;
  /** The inputs, as `findRgbSource` takes them. */
  readonly inputs: readonly string[];
  readonly reading: RgbOptions;
  readonly search: PatternSearchOptions;
  readonly output: MarkedOutput;
  readonly showProgress: ShowProgress;
}

/** A place, and the picture that it is in. */
export interface PictureOfPlace extends Place {
  readonly picture: Pick<RgbPicture, 'path' | 'number' | 'seconds'>;
}

/** The outcome of a search. */
export interface LocateResult {
  readonly job: LocateJob;
  readonly pattern: PelImage;
  readonly search: Pick<PatternSearch, 'device' | 'passedOver'>;
  /** Sorted by input, picture, y and x. */
  readonly places: readonly PictureOfPlace[];
  /** Number of pictures that were searched. */
  readonly pictures: number;
  /** Time of the searches alone. */
  readonly searchMs: number;
  /** Names of the files that were written. */
  readonly files: readonly string[];
  readonly interrupted: boolean;
}

/**
 * Searches all pictures. An interruption ends it after the current one; what was found until then is the result. Throws
 * an InputError or OptionError for what cannot be read or searched. Files appear one by one, when they are complete.
 */
export async function runLocate(job: LocateJob, interruption: Interruption): Promise<LocateResult> {
  const pattern = await readPatternImage(job.pattern);
  const sources: RgbSource[] = [];
  for (const input of job.inputs) sources.push(await findRgbSource(input, job.reading));
  const search = await createPatternSearch(pattern, job.search);
  const marked = new MarkedPictures(job.output, pattern, interruption.abort);
  const places: PictureOfPlace[] = [];
  const progress = job.showProgress(expectedPictures(sources), { unit: 'pictures' });
  let pictures = 0;
  let searchMs = 0;
  try {
    for await (const picture of picturesUntilStopped(sources, interruption.stop)) {
      interruption.abort.throwIfAborted();
      const image = asPelImage(picture);
      const startMs = performance.now();
      const found = await search.search(pattern.channels <= 2 ? asGray(image) : image);
      searchMs += performance.now() - startMs;
      await marked.open(); // not before: a picture that cannot be searched leaves no folder
      const { path, number, seconds } = picture;
      const shown = { path, number, ...(seconds !== undefined && { seconds }) };
      for (const place of found) places.push({ ...place, picture: shown });
      await marked.write(image, found, { path, number: pictures });
      progress.update(++pictures);
    }
  } finally {
    progress.stop();
    await search.close();
  }
  const { device, passedOver } = search;
  const interrupted = interruption.stop.aborted;
  return {
    job,
    pattern,
    search: { device, passedOver },
    places,
    pictures,
    searchMs,
    files: marked.files,
    interrupted,
  };
}

/** The pattern in a file: gray if all its pels are, with its alpha if it has any. */
async function readPatternImage(path: string): Promise<PelImage> {
  const { width, height, pels, alpha } = await decodeImage(path, { keepsAlpha: true, mayBeLarge: true });
  const image = { width, height, name: path };
  if (!alpha) return asGray({ ...image, channels: 3, pels });
  const withAlpha = new Uint8Array(4 * width * height);
  for (let pel = 0; pel < alpha.length; pel++) {
    withAlpha.set(pels.subarray(3 * pel, 3 * pel + 3), 4 * pel);
    withAlpha[4 * pel + 3] = alpha[pel]!;
  }
  return asGray({ ...image, channels: 4, pels: withAlpha });
}

function asPelImage({ width, height, pels, path }: RgbPicture): PelImage {
  return { width, height, channels: 3, pels, name: path };
}

/** The pictures of all sources. They end early, without an error, once `stop` is aborted. */
async function* picturesUntilStopped(sources: readonly RgbSource[], stop: AbortSignal): AsyncGenerator<RgbPicture> {
  try {
    for (const source of sources) {
      stop.throwIfAborted();
      yield* source.pictures(stop) as AsyncGenerator<RgbPicture>;
    }
  } catch (error) {
    await signalOfTerminal(stop);
    if (!stop.aborted) throw error;
  }
}

function expectedPictures(sources: readonly RgbSource[]): number | undefined {
  const counts = sources.map(({ pictureCount }) => pictureCount);
  return counts.every(count => count !== undefined) ? counts.reduce((sum, count) => sum + count, 0) : undefined;
}
