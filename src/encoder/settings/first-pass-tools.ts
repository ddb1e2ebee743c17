// The coding tools of the first of two passes.
import { type CodingTools, codingTools } from './presets.js';

/** Tools that decide how a picture is coded once its type, its anchors and its motion are known. */
const TOOLS_THAT_CODE = [
  'rateDistortionModes',
  'earlySkips',
  'rdVectorCandidates',
  'fullRefinementRounds',
  'rowPasses',
  'jointSymbols',
  'trellis',
  'quantizerSearchRadius',
  'refinementRounds',
  'jointRounds',
  'bPictureRefinement',
  'directionFactor',
  'temporalFilter',
] as const satisfies readonly (keyof CodingTools)[];

/**
 * The tools for a pass that finds what pictures take: in the place of slower ones those of preset fastest code, but
 * with the trellis on the chosen mode and all vectors refined in full, as first passes were measured
 * (docs/decisions/bit-rate.md). All that plans pictures stays, so that the second pass has the same types.
 */
export function firstPassTools(tools: CodingTools): CodingTools {
  if (!tools.rateDistortionModes) return tools;
  const fastest = codingTools('fastest');
  const quick = Object.fromEntries(TOOLS_THAT_CODE.map(name => [name, fastest[name]]));
  return { ...tools, ...quick, trellis: 'chosen', bPictureRefinement: 'full' };
}
