import type { EstimatorParameters } from '../../motion/estimator.js';
import { compileAbsoluteSearch } from './absolute-search.js';
import { FullSearchPasses } from './full-search-passes.js';
import type { SearchProgram } from './search-passes.js';
import { compileSquaredSearch } from './squared-search.js';

/** What changes the speed of the exhaustive search and never its result; docs/benchmarks.md has what it is worth. */
export interface FullSearchTuning {
  /** Most threads of a workgroup, 64, 128 or 256: sets the size of tiles. */
  readonly threads?: number;
}

/** Compiles the exhaustive search for one set of parameters. */
export async function createFullSearch(
  device: GPUDevice,
  parameters: EstimatorParameters,
  tuning: FullSearchTuning = {},
): Promise<SearchProgram> {
  const compile = parameters.metric === 'sse' ? compileSquaredSearch : compileAbsoluteSearch;
  const shaders = await compile(device, parameters, tuning.threads);
  return {
    name: 'gpu-full',
    createPasses: (width, height) => new FullSearchPasses(device, shaders, { ...parameters, width, height }),
  };
}
