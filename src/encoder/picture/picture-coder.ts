// Codes pictures: decides every macroblock in raster order and reconstructs it.
import { CONSTRAINED_PARAMETERS } from '../../bitstream/constrained-parameters.js';
import type { HeaderSymbols } from '../../bitstream/picture-symbols.js';
import { MAX_F_CODE } from '../../bitstream/tables/motion-vector-codes.js';
import { setUpJointSearch, setUpVectorSearch } from '../motion/vector-searches.js';
import { factorPartAt } from '../quantizer/factor-part.js';
import { type CodedRows, PictureBudget } from '../rate-control/picture-budget.js';
import type { CodingTools } from '../settings/presets.js';
import type { PictureBlocks } from './picture-blocks.js';
import { PictureDecisions } from './picture-decisions.js';
import type { PictureJob } from './picture-job.js';
import { publishRows } from './reconstructed-picture.js';
import { PictureErrors } from './reconstruction.js';
import { RowCoder, type RowRequest } from './row-coder.js';
import type { TemporalFilter } from './temporal-filter.js';
import type { Workspace } from './workspace.js';

/** What stays the same for all pictures. */
export interface PictureCoderSettings {
  readonly workspace: Workspace;
  /** Where the blocks are kept until the picture is written. */
  readonly blocks: PictureBlocks;
  /** Filters each row before it is coded; it was told of the picture. */
  readonly filter: Pick<TemporalFilter, 'filterRow'> | undefined;
  readonly tools: CodingTools;
  /** Macroblock rows at which slices start, ascending from 0. */
  readonly sliceRows: readonly number[];
  /** Whether macroblocks that have been predicted often in a row are refreshed. */
  readonly refreshes: boolean;
  /** Whether the stream keeps to constrained parameters. */
  readonly constrainedParameters: boolean;
}

/** A picture whose macroblocks are decided. */
export interface DecidedPicture {
  /** Valid until the next picture is coded. */
  readonly symbols: HeaderSymbols;
  /** What its rows took; of a picture with a budget. */
  readonly rows: CodedRows | undefined;
  /** See {@link PictureErrors}. */
  readonly squaredError: PictureErrors['sums'];
}

/** The coder of pictures. It keeps nothing from one picture to the next. */
export class PictureCoder {
  readonly #settings: PictureCoderSettings;
  readonly #rows: RowCoder;
  readonly #decisions: PictureDecisions;
  readonly #errors: PictureErrors;

  constructor(settings: PictureCoderSettings) {
    const { workspace, tools, refreshes } = settings;
    this.#settings = settings;
    this.#rows = new RowCoder(workspace, tools, refreshes);
    this.#decisions = new PictureDecisions(workspace);
    this.#errors = new PictureErrors(workspace);
    setUpJointSearch(workspace, tools);
  }

  /**
   * Codes the picture that was loaded. Waits for rows of its anchors that are not final yet, and publishes its own as
   * they are, unless the picture may be coded again. Throws InputError for a motion field of the wrong size.
   */
  code(job: PictureJob): DecidedPicture {
    const { workspace, filter, sliceRows, blocks } = this.#settings;
    const { memory, grid, nonReference } = workspace;
    const { target } = job.references;
    this.#decisions.begin(job.plan.type, sliceRows);
    this.#rows.begin(job);
    this.#errors.begin();
    if (job.plan.type !== 'I') this.#setUpSearch(job, 'forward');
    if (job.plan.type === 'B') this.#setUpSearch(job, 'backward');
    const budget = job.budget && new PictureBudget(job.budget);
    for (let mbY = 0; mbY < grid.mbHeight; mbY++) {
      if (!target) nonReference.reconstructRow(mbY);
      filter?.filterRow(mbY);
      this.#rows.code(this.#rowOf(job, budget, mbY));
      if (target && !job.budget?.mayBeRepeated) publishRows(memory, target, mbY + 1);
      this.#errors.addRow(mbY, job.picture, target ?? nonReference);
      blocks.addRow(mbY);
    }
    this.#decisions.end();
    return { symbols: this.#decisions, rows: budget?.rows, squaredError: this.#errors.sums };
  }

  #setUpSearch({ plan, references, proposals }: PictureJob, direction: 'forward' | 'backward'): void {
    const { workspace, tools, constrainedParameters } = this.#settings;
    setUpVectorSearch({
      workspace,
      tools,
      places: workspace.vectors[direction],
      reference: direction === 'forward' ? references.past : references.future,
      proposals: proposals[direction],
      isB: plan.type === 'B',
      maxFCode: constrainedParameters ? CONSTRAINED_PARAMETERS.maxFCode : MAX_F_CODE,
    });
  }

  #rowOf({ plan, quantizerScale }: PictureJob, budget: PictureBudget | undefined, mbY: number): RowRequest {
    const { sliceRows, workspace } = this.#settings;
    const startsSlice = sliceRows.includes(mbY);
    const endsSlice = mbY === workspace.grid.mbHeight - 1 || sliceRows.includes(mbY + 1);
    if (!budget) return { mbY, startsSlice, endsSlice, scale: quantizerScale, factorPart: 1 };
    const scale = budget.rowScale(mbY, this.#rows.bits);
    const factorPart = factorPartAt(plan.type, plan.type === 'B' ? budget.settings.anchorScale : scale);
    return { mbY, startsSlice, endsSlice, scale, factorPart };
  }
}
