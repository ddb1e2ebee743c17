import { MACROBLOCK_INTRA, MACROBLOCK_MOTION_FORWARD } from '../bitstream/macroblock-codes.js';
import { smallestFCode } from '../bitstream/motion-vector-codes.js';
import type { PictureSymbols } from '../bitstream/picture-symbols.js';
import type { MotionField } from '../motion/estimator.js';
import type { Picture } from '../picture/picture.js';
import { BlockTransform } from './block-transform.js';
import type { PlannedPicture } from './gop-plan.js';
import { IntraRefresh } from './intra-refresh.js';
import { lambdaForAbsoluteError, lambdaForSquaredError } from './lagrangian.js';
import { ModeDecision } from './mode-decision.js';
import { fieldExtent, proposeVectors } from './motion-proposals.js';
import { MotionRefinement } from './motion-refinement.js';
import { PictureDecisions } from './picture-decisions.js';
import type { CodingTools } from './presets.js';
import { loadQuantisers, type QuantiserMatrices } from './quantiser-set.js';
import { SliceState } from './slice-state.js';
import { VectorCost } from './vector-cost.js';
import { loadPicture, type PlanePointers, type Workspace } from './workspace.js';

/** What a coder is made for. */
export interface PictureCoderSettings {
  readonly workspace: Workspace;
  readonly tools: CodingTools;
  readonly matrices: QuantiserMatrices;
  /** Macroblock rows at which slices start, ascending from 0. */
  readonly sliceRows: readonly number[];
  /** Pictures from one I picture to the next. */
  readonly gop: number;
}

/** One picture to code. */
export interface PictureJob {
  readonly picture: Picture;
  readonly plan: PlannedPicture;
  readonly quantizerScale: number;
  /** Motion of the macroblocks from the previous anchor; absent in I pictures. */
  readonly field: MotionField | undefined;
}

/**
 * Codes pictures one after another: decides every macroblock in raster order and reconstructs it, which makes the next
 * picture's reference. It keeps no state but the reconstruction and the refresh counters.
 */
export class PictureCoder {
  readonly #settings: PictureCoderSettings;
  readonly #transform: BlockTransform;
  readonly #decisions: PictureDecisions;
  readonly #refresh: IntraRefresh;
  readonly #state = new SliceState();
  /** Reconstructions: the one being made, and the last one made. */
  #target: PlanePointers;
  #reference: PlanePointers;

  constructor(settings: PictureCoderSettings) {
    const { workspace } = settings;
    this.#settings = settings;
    this.#transform = new BlockTransform(workspace);
    this.#decisions = new PictureDecisions(workspace);
    this.#refresh = new IntraRefresh(workspace.grid.mbWidth * workspace.grid.mbHeight, settings.gop);
    [this.#target, this.#reference] = workspace.reconstructions as [PlanePointers, PlanePointers];
    loadQuantisers(workspace, settings.matrices);
  }

  /** The last picture coded, as a decoder shows it. */
  get reconstruction(): PlanePointers {
    return this.#reference;
  }

  /** Codes a picture; the symbols are valid until the next call. */
  code(job: PictureJob): PictureSymbols {
    const { workspace, sliceRows } = this.#settings;
    const decisions = this.#decisions;
    loadPicture(workspace.memory, workspace.source, job.picture);
    decisions.type = job.plan.type;
    decisions.sliceRows = sliceRows;
    const extent = job.field ? fieldExtent(job.field) : { least: -1, greatest: 1 };
    const vectors = new VectorCost(workspace.grid, smallestFCode(extent.least, extent.greatest));
    const { modes, refinement } = this.#deciders(job, vectors);
    for (let row = 0; row < workspace.grid.mbHeight; row++) {
      if (sliceRows.includes(row)) this.#state.reset();
      for (let column = 0; column < workspace.grid.mbWidth; column++) {
        this.#codeMacroblock(job, modes, refinement, column, row);
      }
    }
    decisions.forwardFCode = usedFCode(decisions);
    [this.#target, this.#reference] = [this.#reference, this.#target];
    return decisions;
  }

  #deciders(job: PictureJob, vectors: VectorCost): { modes: ModeDecision; refinement: MotionRefinement } {
    const { workspace, tools } = this.#settings;
    const reference = this.#reference;
    const refinement = new MotionRefinement({
      kernels: workspace.kernels,
      source: workspace.source,
      reference,
      vectors,
      lambda: lambdaForAbsoluteError(job.quantizerScale),
      rounds: tools.refinementRounds,
    });
    const modes = new ModeDecision({
      type: job.plan.type,
      workspace,
      transform: this.#transform,
      reference,
      refinement,
      vectors,
      tools,
      lambda64: 64 * lambdaForSquaredError(job.quantizerScale),
    });
    return { modes, refinement };
  }

  #codeMacroblock(job: PictureJob, modes: ModeDecision, refinement: MotionRefinement, mbX: number, mbY: number): void {
    const { grid, memory } = this.#settings.workspace;
    const decisions = this.#decisions;
    const state = this.#state;
    const address = mbY * grid.mbWidth + mbX;
    const at = { mbX, mbY };
    const predictive = job.plan.type !== 'I';
    const question = {
      at,
      state,
      quantizerScale: job.quantizerScale,
      maySkip: predictive && !this.#bordersSlice(mbX, mbY),
      mustBeIntra: predictive && this.#refresh.isDue(address, job.plan.temporalReference),
    };
    if (predictive) proposeVectors(refinement, decisions, job.field, at, state.forwardX, state.forwardY);
    const trial = predictive ? modes.predictive(question) : modes.intra(question);
    const intra = (trial.flags & MACROBLOCK_INTRA) !== 0;
    decisions.record(address, trial, job.quantizerScale, intra);
    this.#transform.reconstruct(trial, at, this.#target, intra);
    this.#refresh.note(address, intra);
    if (intra) state.afterIntra(block => memory.i16[trial.blockLevels(block) >> 1]!);
    else if (trial.flags & MACROBLOCK_MOTION_FORWARD) state.afterPredicted(trial.forwardX, trial.forwardY);
    else state.afterPredicted(0, 0);
  }

  /** Whether the macroblock is the first or last of its slice. */
  #bordersSlice(mbX: number, mbY: number): boolean {
    const { sliceRows, workspace } = this.#settings;
    const { mbWidth, mbHeight } = workspace.grid;
    if (mbX === 0) return sliceRows.includes(mbY);
    return mbX === mbWidth - 1 && (mbY === mbHeight - 1 || sliceRows.includes(mbY + 1));
  }
}

/** The smallest forward_f_code that holds every vector a picture uses. */
function usedFCode({ flags, forwardX, forwardY }: PictureSymbols): number {
  let least = 0;
  let greatest = 0;
  for (let address = 0; address < flags.length; address++) {
    if ((flags[address]! & MACROBLOCK_MOTION_FORWARD) === 0) continue;
    least = Math.min(least, forwardX[address]!, forwardY[address]!);
    greatest = Math.max(greatest, forwardX[address]!, forwardY[address]!);
  }
  return smallestFCode(least, greatest);
}
