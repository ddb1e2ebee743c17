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
 * The tools of a first pass. It codes with the tools of preset fastest, but with the trellis on the chosen mode and all
 * vectors refined in full: first passes were measured so (docs/decisions/bit-rate.md). It plans with the tools of the
 * second pass, so that both have the same picture types.
 */
export function firstPassTools(tools: CodingTools): CodingTools {
  if (!tools.rateDistortionModes) return tools;
  const fastest = codingTools('fastest');
  const quick = Object.fromEntries(TOOLS_THAT_CODE.map(name => [name, fastest[name]]));
  return { ...tools, ...quick, trellis: 'chosen', bPictureRefinement: 'full' };
}
