// The steps of an encode in chunks, in one module: a page loads it when the first of them is called.

export { assembleChunks } from './assemble-chunks.js';
export { encodeChunk, measureChunk } from './encode-chunk.js';
export { planChunks } from './plan-chunks.js';
