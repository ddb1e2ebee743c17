// The kernels of the module, file by file.
export { writeBlocks } from './bitstream/syntax/write-blocks';
export { writeMacroblocks } from './bitstream/syntax/write-macroblocks';
export { quantizeMacroblock, quantizeMacroblockByTrellis } from './dct/quantize-macroblock';
export { reconstructMacroblock } from './dct/reconstruct-macroblock';
export { transformMacroblock } from './dct/transform-macroblock';
export { codeMacroblock } from './macroblock/code-macroblock';
export { chooseRow } from './macroblock/row/choose-row';
export { codeRow } from './macroblock/row/code-row';
export {
  searchByElimination,
  searchExhaustively,
  searchLogarithmically,
  searchNeighbourhoods,
  searchPredictively,
} from './motion/search/block-matching';
export { searchCandidates } from './motion/search/candidate-search';
export { bestOfField, countExtents, vectorExtent } from './motion/search/field-vectors';
export { refineJointly } from './motion/search/joint-search';
export { blockSums, halvePlane } from './motion/search/pyramid';
export { deviation16x16, sumSquaredDifferences } from './picture/block-differences';
export {
  interpolatedSads,
  macroblockDeviations,
  sumAtLeast,
  sumCodingCosts,
  sumLesser,
  takeLesser,
} from './picture/macroblock-costs';
export { averagePredictions, predictionError, predictMacroblock } from './picture/macroblock-prediction';
export { convertRgb } from './picture/rgb-to-frame';
export { spreadRows } from './picture/row-spreading';
export { filterLumaRow } from './picture/temporal-filter';
export { addWeights, findDependence, findDivisors, handOnWeights, squareErrors } from './picture/weight-propagation';
