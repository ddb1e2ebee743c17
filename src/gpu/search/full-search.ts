// The program of `gpu-full`: compiles the exhaustive search for the metric that is asked for.
import type { EstimatorParameters } from '../../motion/estimator.js';
import { FullSearchPasses } from './full-search-passes.js';
import { compileSadSearch } from './full-search-sad.js';
import { compileSseSearch } from './full-search-sse.js';
import type { FullSearchTuning } from './full-search-tuning.js';
import type { SearchProgram } from './search-passes.js';

/** Compiles the exhaustive search for one set of parameters. */
export async function compileFullSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  tuning: FullSearchTuning = {},
): Promise<SearchProgram> {
  const compile = parameters.metric === 'sse' ? compileSseSearch : compileSadSearch;
  const shaders = await compile(device, parameters, tuning);
  return { createPasses: (width, height) => new FullSearchPasses(device, shaders, { ...parameters, width, height }) };
}
