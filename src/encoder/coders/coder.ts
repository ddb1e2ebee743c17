// A coder: all that a thread needs to code pictures, from their planes to their bytes.

import { pictureVectorBits } from '../../bitstream/syntax/vector-bits.js';
import { KernelMemory, type MemoryPart } from '../../kernels/kernel-memory.js';
import { MAX_PREDICTED } from '../../macroblock/row/intra-refresh.js';
import type { PlannedPicture } from '../gop/gop-plan.js';
import { PictureBlocks } from '../picture/picture-blocks.js';
import { PictureCoder } from '../picture/picture-coder.js';
import type { PictureJob } from '../picture/picture-job.js';
import { frameFromPlanes } from '../picture/reconstruction.js';
import { repetitionSymbols } from '../picture/repetition.js';
import { sliceWriter } from '../picture/slice-writer.js';
import { type StreamSettings, StreamWriter, streamSettings } from '../picture/stream-writer.js';
import { TemporalFilter } from '../picture/temporal-filter.js';
import { createWorkspace, loadPicture, type Workspace } from '../picture/workspace.js';
import type { QuantizerPointers } from '../quantizer/quantizer-set.js';
import { copyOfReported, type PictureReport, pictureFigures } from '../report/picture-report.js';
import type { EncoderSettings } from '../settings/resolve-options.js';
import type { CodedPicture } from './coded-picture.js';

/** What a coder depends on; plain data, which can be sent to a thread. */
export interface CoderSettings
  extends StreamSettings,
    Pick<EncoderSettings, 'tools' | 'sliceRows' | 'kernels' | 'wantsReconstructions'> {
  /** Whether a macroblock may be predicted so often in a row that it must be refreshed; see `isRefreshDue`. */
  readonly refreshes: boolean;
}

/** The settings of the coders of an encode. */
export function coderSettings(settings: EncoderSettings): CoderSettings {
  const { tools, sliceRows, kernels, wantsReconstructions, pattern, rateMode, isLive, refreshesColumns } = settings;
  // A live group at a bit rate may be longer than `gop`: it waits until the decoder's buffer holds an I picture.
  const mayWait = isLive && rateMode.kind === 'bit-rate' && !refreshesColumns;
  const refreshes = mayWait || pattern.gop > MAX_PREDICTED + 1;
  return { ...streamSettings(settings), tools, sliceRows, kernels, wantsReconstructions, refreshes };
}

/** Codes one picture after the other. */
export class Coder {
  readonly #workspace: Workspace;
  readonly #filter: TemporalFilter | undefined;
  readonly #pictures: PictureCoder;
  readonly #writer: StreamWriter;
  readonly #sliceRows: readonly number[];
  readonly #wantsReconstructions: boolean;
  /** Of the last picture, which a repetition shows again. */
  #squaredError: PictureReport['squaredError'] = { y: 0, u: 0, v: 0 };

  private constructor(settings: CoderSettings, workspace: Workspace) {
    this.#workspace = workspace;
    const blocks = new PictureBlocks(workspace);
    const filter = workspace.filter && new TemporalFilter(workspace, workspace.filter, settings.kernels);
    this.#filter = filter;
    this.#pictures = new PictureCoder({ workspace, blocks, filter, ...settings });
    this.#sliceRows = settings.sliceRows;
    this.#wantsReconstructions = settings.wantsReconstructions;
    this.#writer = new StreamWriter(settings, sliceWriter(workspace, blocks));
  }

  /**
   * Makes a coder in a part of a kernel memory with room for `workspaceBytes`; the quantizers lie in the same memory.
   * Rejects with UnsupportedError if the kernels cannot run here.
   */
  static async create(settings: CoderSettings, part: MemoryPart, quantizers: QuantizerPointers): Promise<Coder> {
    const workspace = await createWorkspace(new KernelMemory(part), { ...settings, quantizers });
    return new Coder(settings, workspace);
  }

  /** Codes and writes a picture. Rejects with InputError for a motion field of the wrong size. */
  async code(job: PictureJob): Promise<CodedPicture> {
    const start = performance.now();
    loadPicture(this.#workspace, job.picture);
    await this.#filter?.begin(job);
    const { symbols, rows, squaredError } = this.#pictures.code(job);
    const writing = performance.now();
    const written = this.#writer.accessUnit(job.plan, symbols);
    const writingMs = performance.now() - writing;
    const figures = pictureFigures(symbols, squaredError, this.#workspace.writing.vectorBits);
    this.#squaredError = squaredError;
    const { memory, grid, nonReference } = this.#workspace;
    const isCopied = this.#wantsReconstructions && !job.references.target;
    const reconstruction = isCopied ? frameFromPlanes(memory, grid, nonReference) : undefined;
    const codingMs = performance.now() - start - writingMs;
    return { ...written, figures, symbols: copyOfReported(symbols), rows, reconstruction, codingMs, writingMs };
  }

  /** A P picture that repeats the one that was coded last; it is reported with that one's errors. */
  repetition(plan: PlannedPicture): CodedPicture {
    const symbols = repetitionSymbols(this.#workspace.grid, this.#sliceRows);
    const written = this.#writer.repetition(plan, symbols);
    const figures = pictureFigures(symbols, this.#squaredError, pictureVectorBits(symbols));
    return { ...written, figures, symbols, rows: undefined, reconstruction: undefined, codingMs: 0, writingMs: 0 };
  }

  /** The bytes of sequence_end_code. */
  sequenceEnd(): Uint8Array {
    return this.#writer.sequenceEnd();
  }
}
