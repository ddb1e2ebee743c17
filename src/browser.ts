// `mpegpu/browser`: the encoder in a worker of a page, frames from what a page has, and videos as streams.

export { type AddOptions, WorkerEncoder } from './browser/encoder/worker-encoder.js';
export type { Conversion } from './browser/frames/conversion-choice.js';
export { FrameConverter, type FrameConverterOptions } from './browser/frames/frame-converter.js';
export type { FrameInput, VideoSample } from './browser/frames/frame-input.js';
export { type FrameCounts, type FramesOptions, openFrames, SourceFrames } from './browser/sources/open-frames.js';
export type { SourcePicture, VideoSource } from './browser/sources/video-source.js';
export { encodeVideo } from './browser/video/encode-video.js';
export type { EncodeVideoOptions } from './browser/video/encode-video-options.js';
export { EncodedVideo, type EncodedVideoSummary } from './browser/video/encoded-video.js';
