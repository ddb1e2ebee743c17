// What the user is told of an input whose pictures are not coded as they are.
import { COLOUR_NAMES, type Colour } from './picture-options.js';
import type { FirstField } from './stream-facts.js';

/** Interlaced pictures are coded as if they were progressive. */
export function interlacedWarning(name: string, firstField: FirstField): string {
  return `${name} is interlaced, ${firstField} field first, and is coded as it is: --deinterlace makes it progressive`;
}

/** Pels that are not opaque are shown on a background. */
export function alphaWarning(name: string, background: Colour = 'black'): string {
  const hex = background.toLowerCase();
  const named = Object.entries(COLOUR_NAMES).find(([, value]) => value === hex)?.[0] ?? hex;
  return `${name} has an alpha channel: it is shown on ${named}, and --background chooses another colour`;
}

/** Pictures of high dynamic range lose it. */
export function hdrWarning(name: string, hdr: 'PQ' | 'HLG'): string {
  return `${name} has high dynamic range (${hdr}), which MPEG-1 has not: it is tone-mapped to standard range`;
}
