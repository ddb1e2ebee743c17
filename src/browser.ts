// `mpegpu/browser`: the encoder in a worker of a page, frames from what a page has, and videos as streams.

export { type AddOptions, WorkerEncoder } from './browser/encoder/worker-encoder.js';
export { FrameConverter, type FrameConverterOptions } from './browser/frames/frame-converter.js';
export type { FrameInput, VideoSample } from './browser/frames/frame-input.js';
