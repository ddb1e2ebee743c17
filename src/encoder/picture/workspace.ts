// The kernel memory of a coder: lays out once all that its kernels read and write.

import { BLOCKS_PER_MACROBLOCK } from '../../bitstream/macroblock-layout.js';
import { runLevelLengths } from '../../bitstream/tables/block-codes.js';
import { MAX_MOTION_DIFFERENCES } from '../../bitstream/tables/motion-vector-codes.js';
import { MAX_EXTENT_BITS } from '../../kernels/contracts/field-kernels.js';
import { ALIGNMENT_BYTES, type KernelMemory } from '../../kernels/kernel-memory.js';
import type { KernelChoice, Kernels } from '../../kernels/kernels.js';
import { CANDIDATE_SEARCH, JOINT_SEARCH, MAX_PROPOSALS } from '../../kernels/records/candidate-search.js';
import { MACROBLOCK_CHOICES } from '../../kernels/records/macroblock-choices.js';
import type { MacroblockCoding } from '../../kernels/records/macroblock-coding.js';
import { PREDICTION_BYTES } from '../../kernels/records/macroblock-trial.js';
import { PICTURE_PLANES, type PicturePlanes } from '../../kernels/records/picture-planes.js';
import type { SliceWriting } from '../../kernels/records/slice-writing.js';
import { SYMBOL_ARRAYS, type SymbolArrays } from '../../kernels/records/symbol-arrays.js';
import { createKernels } from '../../kernels/select-kernels.js';
import { MACROBLOCK_SIZE, type MacroblockGrid, type Picture } from '../../picture/picture.js';
import type { QuantizerPointers } from '../quantizer/quantizer-set.js';
import type { CodingTools } from '../settings/presets.js';
import { allocateCoding, allocateRows, CODING_BYTES, type RowMemory, rowMemoryBytes } from './coding-memory.js';
import { allocateFilter, type FilterMemory, filterBytes } from './filter-memory.js';
import { allocatePlanes, NonReferencePicture, type PlanePointers, planesBytes } from './reconstructed-picture.js';
import { allocateWriting, writingBytes } from './slice-memory.js';

/** Pointers for the vector search of one direction. */
export interface VectorSearchPlaces {
  /** The CANDIDATE_SEARCH. */
  readonly search: number;
  /** Bits of vector differences: room for the table of any f_code. */
  readonly differenceBits: number;
  /** The vectors proposed: up to MAX_PROPOSALS int16 per macroblock and component. */
  readonly fieldDx: number;
  readonly fieldDy: number;
  /** The vectors chosen so far in the picture: an int16 per macroblock and component. */
  readonly chosenDx: number;
  readonly chosenDy: number;
}

/** Bytes of a macroblock's symbols: of its header but for vectors, which lie elsewhere; of its DCs. */
const HEADER_BYTES = 4;
const DC_BYTES = 2 * BLOCKS_PER_MACROBLOCK;

/**
 * Room for JOINT_SEARCH, the counts of extents, a prediction, SYMBOL_ARRAYS and the alignment of all that is small:
 * less than 1 KiB in all.
 */
const SMALL_ALLOCATIONS_BYTES = 4096;
/** Bytes from one MACROBLOCK_CHOICES to the next. */
const CHOICES_BYTES = Math.ceil(MACROBLOCK_CHOICES.bytes / ALIGNMENT_BYTES) * ALIGNMENT_BYTES;

/**
 * The kernel memory of a coder, laid out once:
 *
 *     | vectors | symbols of a picture | source | tables | B picture | trials |
 *
 * Quantizers and reconstructions lie elsewhere in the same memory, where all coders read them.
 */
export interface Workspace {
  readonly memory: KernelMemory;
  readonly kernels: Kernels;
  readonly grid: MacroblockGrid;
  /** The table of run/level bits. */
  readonly lengths: number;
  /** The SLICE_WRITING; its output has room for a row of macroblocks. */
  readonly writing: SliceWriting;
  readonly vectors: { readonly forward: VectorSearchPlaces; readonly backward: VectorSearchPlaces };
  /** Room for counts of macroblocks by the bits of vectors. */
  readonly extentCounts: number;
  /** The JOINT_SEARCH. */
  readonly jointSearch: number;
  /** Room for the second prediction of an interpolated macroblock. */
  readonly scratchPrediction: number;
  /** The SYMBOL_ARRAYS of the picture being coded; the vectors are those chosen. */
  readonly symbols: SymbolArrays;
  /** The MACROBLOCK_CODING: where all lies; the rest is set by the row coder. */
  readonly coding: MacroblockCoding;
  /** The ROW_CODING, and what it points to. */
  readonly rows: RowMemory;
  /** The planes of the source picture: where `loadPicture`, then the filter if there is one, have them lie. */
  readonly source: PicturePlanes;
  /** Room for a copy of it. */
  readonly ownSource: PlanePointers;
  /**
   * Room for a row of macroblocks of a plane, behind `ownSource`: for luma that is filtered as the row is coded, then
   * for a copy of a plane that lies elsewhere.
   */
  readonly sourceRow: number;
  /** Where B pictures are reconstructed. */
  readonly nonReference: NonReferencePicture;
  /** What filters a source picture; undefined where none is filtered. */
  readonly filter: FilterMemory | undefined;
}

/** What the room of a workspace depends on. */
export interface WorkspaceSettings {
  readonly grid: MacroblockGrid;
  /** By default each row is coded once, and no picture is filtered. */
  readonly tools?: Partial<Pick<CodingTools, 'rowPasses' | 'temporalFilter'>> | undefined;
  /** Whether B pictures are reconstructed as a whole; false by default. */
  readonly wantsReconstructions?: boolean | undefined;
}

/** The bytes of kernel memory that a workspace takes. */
export function workspaceBytes({ grid, tools, wantsReconstructions }: WorkspaceSettings): number {
  const { rowPasses = 1, temporalFilter = false } = tools ?? {};
  const { mbWidth, mbHeight } = grid;
  const macroblocks = mbWidth * mbHeight;
  const tables = runLevelLengths().length + writingBytes(grid);
  const small = tables + CODING_BYTES + rowMemoryBytes(grid) + SMALL_ALLOCATIONS_BYTES;
  const vectors =
    2 * (CANDIDATE_SEARCH.bytes + MAX_MOTION_DIFFERENCES + macroblocks * (MAX_PROPOSALS + 1) * 4 + 6 * ALIGNMENT_BYTES);
  const choices = macroblocksWithChoices(grid, rowPasses) * CHOICES_BYTES + ALIGNMENT_BYTES;
  const symbols = macroblocks * HEADER_BYTES + mbWidth * DC_BYTES;
  const filter = temporalFilter ? filterBytes(grid) : 0;
  const pictures = planesBytes(grid) + sourceRowBytes(grid) + NonReferencePicture.bytes(grid, wantsReconstructions);
  return small + vectors + choices + symbols + filter + pictures;
}

/** How many macroblocks have MACROBLOCK_CHOICES of their own: those of a row, if they are needed again. */
function macroblocksWithChoices({ mbWidth }: MacroblockGrid, rowPasses: number): number {
  return rowPasses > 1 ? mbWidth : 1;
}

/** What a workspace is made for. */
export interface WorkspaceSetup extends WorkspaceSettings {
  /** In the same memory. */
  readonly quantizers: QuantizerPointers;
  /** The kernel set, by name or as chosen before; undefined: the default. */
  readonly kernels?: KernelChoice | string | undefined;
}

/** Makes a workspace in a memory with room for `workspaceBytes`. */
export async function createWorkspace(
  memory: KernelMemory,
  { grid, quantizers, kernels, tools, wantsReconstructions }: WorkspaceSetup,
): Promise<Workspace> {
  const { rowPasses = 1, temporalFilter = false } = tools ?? {};
  const lengths = runLevelLengths();
  const macroblocks = grid.mbWidth * grid.mbHeight;
  const allocateVectors = (): VectorSearchPlaces => ({
    search: memory.allocate(CANDIDATE_SEARCH.bytes),
    differenceBits: memory.allocate(MAX_MOTION_DIFFERENCES),
    fieldDx: memory.allocate(macroblocks * MAX_PROPOSALS * 2),
    fieldDy: memory.allocate(macroblocks * MAX_PROPOSALS * 2),
    chosenDx: memory.allocate(macroblocks * 2),
    chosenDy: memory.allocate(macroblocks * 2),
  });
  const vectors = { forward: allocateVectors(), backward: allocateVectors() };
  const symbols = allocateSymbols(memory, grid, vectors);
  const ownSource = allocatePlanes(memory, grid);
  const chosen = await createKernels(memory, kernels);
  const workspace: Omit<Workspace, 'coding' | 'rows'> = {
    memory,
    kernels: chosen,
    grid,
    lengths: memory.allocate(lengths.length),
    vectors,
    extentCounts: memory.allocate(4 * (MAX_EXTENT_BITS + 1)),
    jointSearch: memory.allocate(JOINT_SEARCH.bytes),
    scratchPrediction: memory.allocate(PREDICTION_BYTES),
    symbols,
    writing: allocateWriting(memory, grid, symbols),
    source: PICTURE_PLANES.at(memory, ownSource.record),
    ownSource,
    sourceRow: memory.allocateUnset(sourceRowBytes(grid)),
    nonReference: new NonReferencePicture(memory, grid, wantsReconstructions),
    filter: temporalFilter ? allocateFilter(memory, chosen, grid) : undefined,
  };
  memory.u8.set(lengths, workspace.lengths);
  const places = {
    forward: vectors.forward.search,
    backward: vectors.backward.search,
    joint: workspace.jointSearch,
    scratch: workspace.scratchPrediction,
    source: ownSource.record,
    symbols: symbols.pointer,
    codes: workspace.writing.codes,
    writing: workspace.writing.pointer,
    lengths: workspace.lengths,
    choices: memory.allocate(macroblocksWithChoices(grid, rowPasses) * CHOICES_BYTES),
    choicesStep: rowPasses > 1 ? CHOICES_BYTES : 0,
    mbWidth: grid.mbWidth,
  };
  const coding = allocateCoding(memory, places, quantizers);
  return { ...workspace, coding, rows: allocateRows(memory, grid, coding) };
}

/** Takes room for the symbols of a picture and the DCs of a row; the vectors have their places. */
function allocateSymbols(
  memory: KernelMemory,
  { mbWidth, mbHeight }: MacroblockGrid,
  { forward, backward }: Workspace['vectors'],
): SymbolArrays {
  const macroblocks = mbWidth * mbHeight;
  return SYMBOL_ARRAYS.allocate(memory, {
    flags: memory.allocate(macroblocks),
    direction: memory.allocate(macroblocks),
    quantizerScale: memory.allocate(macroblocks),
    codedBlockPattern: memory.allocate(macroblocks),
    forwardDx: forward.chosenDx,
    forwardDy: forward.chosenDy,
    backwardDx: backward.chosenDx,
    backwardDy: backward.chosenDy,
    quantizedDcs: memory.allocate(mbWidth * DC_BYTES),
  });
}

function sourceRowBytes({ codedWidth }: MacroblockGrid): number {
  return MACROBLOCK_SIZE * codedWidth + ALIGNMENT_BYTES;
}

/** Makes a picture the source: where it lies if that is in the same memory, else as a copy. */
export function loadPicture({ memory, source, ownSource }: Workspace, picture: Picture): void {
  for (const plane of ['y', 'u', 'v'] as const) {
    const own = ownSource[plane];
    source[plane] = memory.addressOf(picture[plane]) || own;
    if (source[plane] === own) memory.u8.set(picture[plane], own);
  }
}
