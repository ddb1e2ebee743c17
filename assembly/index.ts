export * from './lookahead';
export * from './pixels';
export { forwardDct, reconstructBlock } from './dct';
export { quantizeBlock } from './quantize';
export { quantizeBlockByTrellis } from './trellis';
export * from './macroblock';
export * from './pyramid';
export * from './search';
export * from './vectors';
