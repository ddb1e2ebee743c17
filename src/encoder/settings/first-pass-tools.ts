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
] as const satisfies readonly (keyof CodingTools)[];

/**
 * The tools for a pass that finds what pictures take: those of preset fast code in the place of slower ones. All that
 * plans pictures stays, so that the second pass has the same types.
 */
export function firstPassTools(tools: CodingTools): CodingTools {
  if (!tools.rateDistortionModes) return tools;
  const fast = codingTools('fast');
  return { ...tools, ...Object.fromEntries(TOOLS_THAT_CODE.map(name => [name, fast[name]])) };
}
