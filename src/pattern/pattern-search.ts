// Searches pictures for a pattern, on the GPU or the CPU.
import { messageOf, OptionError, UnsupportedError } from '../errors.js';
import { requireOptions } from '../given-options.js';
import { suggestion } from '../nearest-name.js';
import { bestPlaces, type Place } from './best-places.js';
import { createCpuFinder } from './cpu-finder.js';
import { type Pattern, readPattern } from './pattern.js';
import { checkFits, checkPelImage, componentsOf, type PelImage } from './pel-image.js';
import type { FinderSetup, FoundPlaces, PlaceFinder } from './place-finder.js';
import { checkTolerance, DEFAULT_TOLERANCE } from './tolerance.js';

/** The names of the devices. `auto`: on a GPU where there is a real one, else on the CPU. */
export const SEARCH_DEVICES = ['auto', 'cpu', 'gpu'] as const;
/** Where a pattern is searched. */
export type SearchDevice = (typeof SEARCH_DEVICES)[number];

/** How a pattern is searched. */
export interface PatternSearchOptions {
  /** The largest error of a place, 0..255; default {@link DEFAULT_TOLERANCE}. */
  readonly tolerance?: number | undefined;
  /** Default `auto`. `gpu` also takes a software adapter. The places are the same on each. */
  readonly device?: SearchDevice | undefined;
  /** Called once, if the GPU fails and the CPU goes on in its place. */
  readonly onWarning?: ((message: string) => void) | undefined;
}

const NAMES = Object.keys({
  tolerance: true,
  device: true,
  onWarning: true,
} satisfies Record<keyof PatternSearchOptions, true>);

/** A search that is ready for pictures. */
export interface PatternSearch {
  /** What searches, for people: `NVIDIA H200 (WebGPU)`, `CPU, WebAssembly SIMD`. */
  readonly device: string;
  /** What `auto` tried before, with the reason why this machine cannot run it. */
  readonly passedOver: readonly { readonly name: string; readonly reason: string }[];
  /**
   * The places of a picture where the pattern occurs, by y, then by x. Pictures may have different sizes. Throws an
   * OptionError for what is no picture, an InputError for a picture that is smaller than the pattern or has more than a
   * million places.
   */
  search(picture: PelImage): Promise<Place[]>;
  /** Releases the GPU. */
  close(): Promise<void>;
}

/**
 * Makes a search for a pattern of 1x1 to 64x64 pels, whose pels of an alpha below 128 do not count. Throws an
 * OptionError or InputError for a pattern or an option that cannot be used, and an UnsupportedError where `gpu` is
 * asked for and there is none.
 */
export async function createPatternSearch(
  pattern: PelImage,
  options: PatternSearchOptions = {},
): Promise<PatternSearch> {
  requireOptions(options, NAMES, 'PatternSearchOptions');
  const { tolerance = DEFAULT_TOLERANCE, device = 'auto', onWarning } = options;
  checkTolerance(tolerance);
  requireDevice(device);
  const setup = { pattern: readPattern(pattern), tolerance };
  if (device === 'cpu') return new FinderSearch(setup, await createCpuFinder(setup), []);
  try {
    const { createGpuFinder } = await import('../gpu/pattern/gpu-finder.js');
    const finder = await createGpuFinder(setup, { allowSoftware: device === 'gpu' });
    return new FinderSearch(setup, finder, [], onWarning);
  } catch (error) {
    if (device === 'gpu' || !(error instanceof UnsupportedError)) throw error;
    return new FinderSearch(setup, await createCpuFinder(setup), [{ name: 'gpu', reason: error.message }]);
  }
}

function requireDevice(device: string): void {
  if (SEARCH_DEVICES.some(name => name === device)) return;
  const wrong = `'${String(device)}' does not exist${suggestion(device, SEARCH_DEVICES)}`;
  throw new OptionError('device', named => `${named('device')} ${wrong}; legal: ${SEARCH_DEVICES.join(', ')}`);
}

/** Has a finder find places and keeps the best. Where a GPU fails, the CPU finds them. */
export class FinderSearch implements PatternSearch {
  readonly #pattern: Pattern;
  /** Calls wait for each other: a finder does one at a time. */
  #last: Promise<unknown> = Promise.resolve();

  constructor(
    readonly setup: FinderSetup,
    private finder: PlaceFinder,
    readonly passedOver: PatternSearch['passedOver'],
    private readonly onWarning?: (message: string) => void,
  ) {
    this.#pattern = setup.pattern;
  }

  get device(): string {
    return this.finder.device;
  }

  search(picture: PelImage): Promise<Place[]> {
    const places = this.#last.then(() => this.#search(picture));
    this.#last = places.catch(() => {});
    return places;
  }

  async close(): Promise<void> {
    await this.#last;
    await this.finder.close();
  }

  async #search(picture: PelImage): Promise<Place[]> {
    checkPelImage('picture', picture);
    checkFits(this.#pattern, picture);
    const { width: patternWidth, height: patternHeight, pelsThatCount } = this.#pattern;
    const components = componentsOf(this.#pattern) === 1 ? componentsOf(picture) : 3;
    const found = await this.#find(picture, components);
    const samples = pelsThatCount * components;
    return bestPlaces(found, { pictureWidth: picture.width, patternWidth, patternHeight, samples });
  }

  async #find(picture: PelImage, components: 1 | 3): Promise<FoundPlaces> {
    try {
      return await this.finder.find(picture, components);
    } catch (error) {
      if (!(error instanceof UnsupportedError)) throw error;
      this.onWarning?.(`${messageOf(error)}; the CPU goes on in its place, with the same result`);
      await this.finder.close();
      this.finder = await createCpuFinder(this.setup);
      return this.finder.find(picture, components);
    }
  }
}

/** The places of one picture where a pattern occurs. For many pictures, {@link createPatternSearch} is faster. */
export async function locatePattern(
  pattern: PelImage,
  picture: PelImage,
  options: PatternSearchOptions = {},
): Promise<Place[]> {
  const search = await createPatternSearch(pattern, options);
  try {
    return await search.search(picture);
  } finally {
    await search.close();
  }
}
