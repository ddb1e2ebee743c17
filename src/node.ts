// `mpegpu/node`: reads frames from files and writes videos on Node. The encoder is in `mpegpu`.

export { type EncodedFiles, encodeFiles } from './encode-files/encode-files.js';
export type { EncodeFilesOptions } from './encode-files/encode-files-options.js';
export type { SoundEntry } from './encode-files/encode-sound.js';
export {
  PEL_ORDERS,
  type PelOrder,
  type RgbFramesOptions,
  type RgbToFrame,
  rgbFrames,
} from './encode-files/rgb-frames.js';
export {
  CONTAINER_EXTENSIONS,
  COPY_EXTENSIONS,
  type Container,
  containerForPath,
  copySourceExtension,
} from './media/containers/container.js';
export type { ContainerWriter, StreamFormat } from './media/containers/container-writer.js';
export type { Aspect, Colour, CropRectangle, PictureOptions } from './media/filters/picture-options.js';
export { describeFfmpeg, type Ffmpeg, type FfmpegDescription, findFfmpeg } from './media/find-ffmpeg.js';
export { DamagedInput } from './media/frames/damaged-input.js';
export { type FrameRange, FrameRanges, type OpenAt, openFrameRanges } from './media/frames/frame-ranges.js';
export type { FrameSource, FrameSourceOptions, FrameStart } from './media/frames/frame-source.js';
export { openFrameSource } from './media/frames/open-frame-source.js';
export { OutputFile } from './media/output/output-file.js';
export type { OutputOptions } from './media/output/output-place.js';
export { type CopyJob, copyIntoContainer } from './media/output/stream-copy.js';
export { type VideoOptions, VideoWriter } from './media/output/video-writer.js';
export { type Y4mFormat, Y4mWriter } from './media/output/y4m-writer.js';
export {
  type FrameHeader,
  framesBefore,
  readFrameHeader,
  type Sound,
  type SoundFormat,
} from './media/sound/layer-two.js';
export { type OpenSound, openSound, type SoundOptions } from './media/sound/open-sound.js';
export { type StoredFile, storedFile } from './media/stored-file.js';
export type { AbortSignalType, UrlType } from './platform-types.js';
export { KeptThreads } from './threads/node/kept-threads.js';
export type { EncodeThreads } from './threads/thread-messages.js';
