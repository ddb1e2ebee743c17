export * from './pixels';
export { forwardDct, reconstructBlock } from './dct';
export { quantizeBlock } from './quantize';
export { quantizeBlockByTrellis } from './trellis';
export * from './pyramid';
export * from './search';
