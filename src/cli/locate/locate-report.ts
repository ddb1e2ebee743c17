// What `locate` prints: an object as JSON, or a line for each place.
import { counted } from '../../counted.js';
import { printable } from '../failure.js';
import type { LocateResult, PictureOfPlace } from './locate-run.js';

/** A place in JSON. */
interface PlaceJson {
  /** The file that the picture comes from. */
  readonly input: string;
  /** Its number within the input, from 0. */
  readonly frame: number;
  /** When it is shown; absent for images. */
  readonly seconds?: number;
  readonly x: number;
  readonly y: number;
  /** 0..255. */
  readonly error: number;
}

/** The object that `locate --json` prints. */
export function locateReport(result: LocateResult): object {
  const { pattern, places, pictures, searchMs, search, files, interrupted } = result;
  return {
    places: places.map(placeJson),
    pictures,
    pattern: { width: pattern.width, height: pattern.height },
    searchMs,
    device: search.device,
    passedOver: search.passedOver,
    files,
    interrupted,
  };
}

function placeJson({ picture: { path, number, seconds }, x, y, error }: PictureOfPlace): PlaceJson {
  return { input: path, frame: number, ...(seconds !== undefined && { seconds }), x, y, error };
}

/** A line for each place; then, unless `quiet`, a summary. */
export function locateText(result: LocateResult, { quiet = false }: { readonly quiet?: boolean }): string {
  const { places, pictures, pattern, search, searchMs, files } = result;
  const summary = [
    `${counted(places.length, 'place')} of ${pattern.width}x${pattern.height} pels in ${counted(pictures, 'picture')}`,
    `  searched on ${search.device}, ${(searchMs / Math.max(1, pictures)).toFixed(2)} ms a picture`,
    ...search.passedOver.map(({ name, reason }) => `              not ${name}: ${reason}`),
    ...(files.length === 0 ? [] : [`  written  ${counted(files.length, 'file')}`]),
  ];
  return [...places.map(lineOf), ...(quiet ? [] : summary)].map(line => `${line}\n`).join('');
}

/** `film.mp4  frame 12  0:00:00.480  x 40  y 24  error 1.23`. */
function lineOf({ picture: { path, number, seconds }, x, y, error }: PictureOfPlace): string {
  const time = seconds === undefined ? [] : [timeOf(seconds)];
  return [printable(path), `frame ${number}`, ...time, `x ${x}`, `y ${y}`, `error ${error.toFixed(2)}`].join('  ');
}

/** `1:02:03.480`. */
function timeOf(seconds: number): string {
  const ms = Math.round(1000 * seconds);
  const twoDigits = (value: number) => String(Math.floor(value)).padStart(2, '0');
  const rest = `${twoDigits((ms / 1000) % 60)}.${String(ms % 1000).padStart(3, '0')}`;
  return `${Math.floor(ms / 3_600_000)}:${twoDigits((ms / 60_000) % 60)}:${rest}`;
}
