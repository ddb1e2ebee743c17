// What is asked of a farm: an input, an output, and how to encode it. Plain JSON.
import type { FrameRate } from '../../bitstream/tables/frame-rate.js';
import { canonicalJson, hashOfText } from '../../chunks/content-hash.js';
import type { PlanOptions } from '../../chunks/plan-options.js';
import { OptionError } from '../../errors.js';
import { inWords, requireKnownNames } from '../../given-options.js';
import type { PictureOptions } from '../../media/filters/picture-options.js';
import { isSamePlace, parsePlace } from '../places/place-url.js';

/** How the input is read. */
export interface RequestedReading {
  /** Size of raw video. */
  readonly size?: { readonly width: number; readonly height: number } | undefined;
  /** Replaces the input's frame rate. */
  readonly frameRate?: FrameRate | undefined;
  /** How its pictures are changed. */
  readonly pictures?: PictureOptions | undefined;
}

/** The sound that is asked for. */
export interface RequestedSound {
  /** `auto`: the input's first track; `none`; or the URL of a file. */
  readonly audio: string;
  /** In bits per second. */
  readonly bitRate?: number | undefined;
}

/** The options of a plan that are plain data. */
export type RequestedOptions = Omit<PlanOptions, 'source' | 'signal' | 'onProgress' | 'frameRate'>;

/** An encode that a farm is to make. Places are URLs: `file:PATH`, below the roots of workers, or `s3://BUCKET/KEY`. */
export interface FarmRequest {
  readonly input: string;
  readonly output: string;
  /** Folder for the plan and the chunks. */
  readonly store: string;
  readonly reading: RequestedReading;
  readonly options: RequestedOptions;
  readonly sound: RequestedSound;
  /** Whether the output may replace a file. */
  readonly overwrite: boolean;
}

const NAMES = Object.keys({
  input: true,
  output: true,
  store: true,
  reading: true,
  options: true,
  sound: true,
  overwrite: true,
} satisfies Record<keyof FarmRequest, true>);

/** Where plans and chunks lie, unless the request says otherwise. */
export const DEFAULT_STORE = 'file:mpegpu-chunks';

/** The name of a job: the same for the same request. */
export function jobNameOf(request: FarmRequest): string {
  requireKnownNames(request, NAMES, 'FarmRequest');
  const { overwrite: _, ...decisive } = request;
  return hashOfText(canonicalJson(decisive));
}

/** The URL of the file whose sound is asked for; undefined if none is named. */
export function soundUrl({ audio }: RequestedSound): string | undefined {
  return audio === 'auto' || audio === 'none' ? undefined : audio;
}

/**
 * Throws an InputError or an OptionError for places that are none, or that cannot be used so, and an OptionError for
 * what no request has.
 */
export function checkRequest(request: FarmRequest): void {
  requireKnownNames(request, NAMES, 'FarmRequest');
  const { input, output, store, reading, options, sound } = request;
  for (const [name, part] of Object.entries({ reading, options, sound })) {
    if (Object(part) !== part) throw new OptionError(name, `${name} ${inWords(part)} is not an object`);
  }
  for (const url of [input, output, store]) parsePlace(url);
  for (const [what, url] of Object.entries({ input, sound: soundUrl(sound) })) {
    if (url === undefined || !isSamePlace(url, output)) continue;
    throw new OptionError('output', `the output is the ${what}: ${output}`);
  }
}
