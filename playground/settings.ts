// The settings of the playground, which live in the page's address.
import { ESTIMATOR_NAMES, PRESET_NAMES } from 'mpegpu';

/** What people choose. */
export interface Settings {
  /** `sample:rotation` and so on, or `files` or `camera`, which an address alone cannot open again. */
  readonly source: string;
  readonly estimator: string;
  readonly preset: string;
  readonly rate: 'quality' | 'bitrate';
  /** 0..100. */
  readonly quality: number;
  /** Mean bit rate in kbit/s. */
  readonly kbits: number;
  /** Longest side of the pictures in pels. */
  readonly size: number;
  /** Films and cameras end after so many seconds, at most. */
  readonly seconds: number;
  /** In the air, of the snow in the wind. */
  readonly flakes: number;
  /** 0: what this browser makes best use of. */
  readonly threads: number;
}

/** The samples of the page: their kinds in `samples/generate.ts`, or the simulated one, and their names on buttons. */
export const SAMPLES: Readonly<Record<string, string>> = {
  rotation: 'A turning camera',
  zoom: 'Zoom',
  cut: 'Three takes',
  snow: 'Snow',
  'snow-wind': 'Snow in the wind (GPU)',
};

export const SIZES: readonly number[] = [176, 320, 480, 640];
export const LENGTHS: readonly number[] = [10, 30, 60];
/** The second is for the GPU of any laptop. */
export const FLAKES: readonly number[] = [2 ** 13, 2 ** 16, 2 ** 19];
export const THREADS: readonly number[] = [0, 1, 2, 4, 8];

export const DEFAULTS: Settings = {
  source: 'sample:rotation',
  estimator: 'auto',
  preset: 'balanced',
  rate: 'quality',
  quality: 60,
  kbits: 400,
  size: 320,
  seconds: 10,
  flakes: 2 ** 16,
  threads: 0,
};

/** Whether a value of an address is legal. */
const LEGAL: { readonly [Name in keyof Settings]: (value: Settings[Name]) => boolean } = {
  source: value => Object.keys(SAMPLES).some(kind => value === `sample:${kind}`),
  estimator: value => (ESTIMATOR_NAMES as readonly string[]).includes(value),
  preset: value => (PRESET_NAMES as readonly string[]).includes(value),
  rate: value => value === 'quality' || value === 'bitrate',
  quality: value => Number.isInteger(value) && value >= 0 && value <= 100,
  kbits: value => Number.isInteger(value) && value >= 20 && value <= 20_000,
  size: value => SIZES.includes(value),
  seconds: value => LENGTHS.includes(value),
  flakes: value => FLAKES.includes(value),
  threads: value => THREADS.includes(value),
};

/** The settings of an address's query. What is missing or illegal has its default. */
export function readSettings(query: string): Settings {
  const given = new URLSearchParams(query);
  const read = Object.entries(DEFAULTS).map(([name, standard]) => {
    const text = given.get(name)?.trim();
    const value = typeof standard === 'number' ? Number(text) : text;
    const isLegal = LEGAL[name as keyof Settings] as (value: unknown) => boolean;
    return [name, text && isLegal(value) ? value : standard];
  });
  return Object.fromEntries(read) as unknown as Settings;
}

/** The query of an address with these settings: those that are not the default. */
export function settingsQuery(settings: Settings): string {
  const query = new URLSearchParams();
  for (const [name, value] of Object.entries(settings)) {
    const isLegal = LEGAL[name as keyof Settings] as (value: unknown) => boolean;
    if (value !== DEFAULTS[name as keyof Settings] && isLegal(value)) query.set(name, String(value));
  }
  const text = query.toString();
  return text === '' ? '' : `?${text}`;
}

/** The settings of an encode in a few words. */
export function settingsText({ estimator, preset, rate, quality, kbits }: Settings): string {
  return `${preset}, ${estimator}, ${rate === 'quality' ? `quality ${quality}` : `${kbits} kbit/s`}`;
}
