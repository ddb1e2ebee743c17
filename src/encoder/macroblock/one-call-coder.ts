// Codes macroblocks by one kernel call each, where no mode is coded only to compare it.
import { MacroblockCursor, type PictureSymbols } from '../../bitstream/picture-symbols.js';
import { CANDIDATE_SEARCH } from '../../kernels/records/candidate-search.js';
import { MACROBLOCK_CODING } from '../../kernels/records/macroblock-coding.js';
import type { PictureJob } from '../picture/picture-job.js';
import type { PlanePointers, Workspace } from '../picture/workspace.js';
import { lambdaForAbsoluteError } from '../quantizer/lagrangian.js';
import type { CodingTools } from '../settings/presets.js';
import type { MacroblockJob } from './macroblock-job.js';

/**
 * Whether the macroblocks of a picture can be coded so: by SAD, without B pictures' directions, and where neither bits
 * nor other scales are asked for. The blocks of an I picture have one mode anyway.
 */
export function isCodedInOneCall({ plan, budget, mayChangeScales }: PictureJob, tools: CodingTools): boolean {
  const { rateDistortionModes, quantizerSearchRadius } = tools;
  const triesScales = mayChangeScales === true && quantizerSearchRadius > 0;
  const comparesNothing = plan.type === 'I' || (plan.type === 'P' && !rateDistortionModes);
  return comparesNothing && !triesScales && budget === undefined;
}

/** Codes the macroblocks of a picture whose vector search is set up. */
export class OneCallCoder {
  readonly #workspace: Workspace;
  readonly #macroblock: MacroblockCursor;
  readonly #isIntraPicture: boolean;
  readonly #lambda: number;
  readonly #searchLambda: number;
  /** The scale and lambda that the kernel knows. */
  #scale = 0;
  #lambda64 = 0;

  constructor(workspace: Workspace, symbols: PictureSymbols, target: PlanePointers, { trellis }: CodingTools) {
    const { coding, vectors, trials, source, lengths } = workspace;
    const { search } = vectors.forward;
    this.#workspace = workspace;
    this.#macroblock = new MacroblockCursor(symbols);
    this.#isIntraPicture = symbols.type === 'I';
    this.#lambda = MACROBLOCK_CODING.indexOf(coding.pointer, 'lambda');
    this.#searchLambda = CANDIDATE_SEARCH.indexOf(search, 'lambda');
    coding.search = search;
    coding.trial = trials[0]!;
    coding.source = source.record;
    coding.target = target.record;
    coding.symbols = workspace.symbols.pointer;
    coding.lengths = lengths;
    coding.usesTrellis = trellis === 'none' ? 0 : 1;
  }

  /**
   * Codes and reconstructs a macroblock, and updates its predictors. Returns whether it is intra; undefined: it leaves
   * the number range of decoders, and has to be coded in the other way.
   */
  code(job: MacroblockJob): boolean | undefined {
    const { kernels, coding, grid } = this.#workspace;
    const { at, predictors, maySkip, mustBeIntra, quantizerScale, lambda64 } = job;
    if (quantizerScale !== this.#scale || lambda64 !== this.#lambda64) this.#setScale(quantizerScale, lambda64);
    const kind = kernels.codeMacroblock(
      coding.pointer,
      at.mbX,
      at.mbY,
      predictors.forwardDxHalfPels,
      predictors.forwardDyHalfPels,
      mustBeIntra || this.#isIntraPicture ? 1 : 0,
      maySkip ? 1 : 0,
    );
    if (kind < 0) return undefined;
    this.#macroblock.address = at.mbY * grid.mbWidth + at.mbX;
    predictors.update(this.#macroblock);
    return kind === 1;
  }

  #setScale(quantizerScale: number, lambda64: number): void {
    const { memory, coding, quantizers } = this.#workspace;
    const [nonIntra, intra] = coding.usesTrellis === 1 ? quantizers.nearest : quantizers.plain;
    this.#scale = quantizerScale;
    this.#lambda64 = lambda64;
    coding.quantizerScale = quantizerScale;
    coding.quantizer = nonIntra[quantizerScale]!;
    coding.intraQuantizer = intra[quantizerScale]!;
    memory.f64[this.#lambda] = lambda64;
    memory.f64[this.#searchLambda] = lambdaForAbsoluteError(lambda64);
  }
}
