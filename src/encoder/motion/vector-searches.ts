// Sets up the vector searches of a picture's macroblocks: where they begin, how far they go, what vectors are legal.
import {
  maxVectorHalfPels,
  minVectorHalfPels,
  motionDifferenceBits,
  motionDifferenceOrigin,
} from '../../bitstream/tables/motion-vector-codes.js';
import {
  CANDIDATE_SEARCH,
  type CandidateSearch,
  JOINT_SEARCH,
  type JointSearch,
} from '../../kernels/records/candidate-search.js';
import { MACROBLOCK_SIZE } from '../../picture/picture.js';
import type { PlanePointers } from '../picture/reconstructed-picture.js';
import type { VectorSearchPlaces, Workspace } from '../picture/workspace.js';
import type { CodingTools } from '../settings/presets.js';
import { coderFCode } from './f-code.js';
import { proposalsPerMacroblock, type VectorProposals, writeProposals } from './vector-proposals.js';

/** The search of one direction. */
export interface VectorSearchSettings {
  readonly workspace: Workspace;
  readonly tools: CodingTools;
  /** Where the search of this direction and the vectors chosen so far in the picture lie. */
  readonly places: VectorSearchPlaces;
  readonly reference: PlanePointers;
  readonly proposals: VectorProposals;
  /** Whether the picture is a B picture. */
  readonly isB: boolean;
  /** The greatest f_code that the stream may have. */
  readonly maxFCode: number;
}

/**
 * Sets up the search of one direction: the CANDIDATE_SEARCH but for its lambda. Vectors are compared by SAD + lambda *
 * bits. Throws InputError if the estimator's field has the wrong size.
 */
export function setUpVectorSearch(settings: VectorSearchSettings): void {
  const { workspace, tools, places, reference, proposals, isB, maxFCode } = settings;
  const { memory, grid, source } = workspace;
  const candidates = proposalsPerMacroblock(proposals);
  writeProposals(memory, places, grid.mbWidth * grid.mbHeight, proposals);
  const fCode = coderFCode(workspace, { places, candidates }, maxFCode);
  const record: Partial<CandidateSearch> = {
    source: source.pointer,
    reference: reference.record,
    differenceBits: places.differenceBits + motionDifferenceOrigin(fCode),
    minHalfPels: minVectorHalfPels(fCode),
    maxHalfPels: maxVectorHalfPels(fCode),
    maxXHalfPels: 2 * (grid.codedWidth - MACROBLOCK_SIZE),
    maxYHalfPels: 2 * (grid.codedHeight - MACROBLOCK_SIZE),
    rounds: tools.refinementRounds,
    mbWidth: grid.mbWidth,
    candidates,
    fieldDx: places.fieldDx,
    fieldDy: places.fieldDy,
    chosenDx: places.chosenDx,
    chosenDy: places.chosenDy,
    usesNeighbours: tools.neighbourVectors ? 1 : 0,
    remembersNeighbours: tools.rateDistortionModes && tools.rdVectorCandidates > 1 ? 1 : 0,
    refinesHalfPels: isB && tools.bPictureRefinement === 'light' ? 0 : 1,
  };
  Object.assign(CANDIDATE_SEARCH.at(memory, places.search), record);
  memory.u8.set(motionDifferenceBits(fCode), places.differenceBits);
}

/** Sets up the search of both vectors of an interpolated macroblock together. */
export function setUpJointSearch(workspace: Workspace, { jointRounds, bPictureRefinement }: CodingTools): void {
  const { memory, vectors, jointSearch, scratchPrediction } = workspace;
  const settings: Partial<JointSearch> = {
    forward: vectors.forward.search,
    backward: vectors.backward.search,
    rounds: jointRounds,
    movesBoth: bPictureRefinement === 'light' ? 0 : 1,
    scratch: scratchPrediction,
  };
  Object.assign(JOINT_SEARCH.at(memory, jointSearch), settings);
}
