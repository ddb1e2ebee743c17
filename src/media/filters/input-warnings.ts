// What the user is told of an input whose pictures are not coded as they are.
import { asProperty, type OptionNaming } from '../../errors.js';
import { COLOUR_NAMES, type Colour } from './picture-options.js';
import type { FirstField, StreamFacts } from './stream-facts.js';

/** What a warning depends on, and how it names options. */
interface WarningOptions {
  readonly background?: Colour | undefined;
  readonly optionNaming?: OptionNaming | undefined;
}

/** Interlaced pictures are taken as if they were progressive. */
export function interlacedWarning(
  name: string,
  firstField: FirstField,
  { optionNaming: named = asProperty }: WarningOptions,
): string {
  const what = `${name} is interlaced, ${firstField} field first, and is taken as it is`;
  return `${what}: ${named('deinterlace')} makes it progressive`;
}

/** Pels that are not opaque are shown on a background. */
export function alphaWarning(
  name: string,
  { background = 'black', optionNaming: named = asProperty }: WarningOptions,
): string {
  const hex = background.toLowerCase();
  const colour = Object.entries(COLOUR_NAMES).find(([, value]) => value === hex)?.[0] ?? hex;
  return `${name} has an alpha channel: it is shown on ${colour}, and ${named('background')} chooses another colour`;
}

/** Pictures of high dynamic range lose it. */
export function hdrWarning(name: string, hdr: 'PQ' | 'HLG'): string {
  return `${name} has high dynamic range (${hdr}), which MPEG-1 has not: it is tone-mapped to standard range`;
}

/** Of other videos and of subtitles nothing is kept. */
export function leftOutWarnings(name: string, { videos, subtitles }: NonNullable<StreamFacts['leftOut']>): string[] {
  return [
    ...(videos > 0 ? [`${name} has ${videos + 1} video tracks: the first one is taken, the others are left out`] : []),
    ...(subtitles > 0 ? [`${name} has subtitles: they are left out`] : []),
  ];
}
