// `mpegpu/node`: reads frames from files and writes videos on Node. The encoder is in `mpegpu`.

export { CONTAINER_EXTENSIONS, type Container, containerForPath } from './media/containers/container.js';
export type { ContainerWriter } from './media/containers/container-writer.js';
export {
  COPY_EXTENSIONS,
  type CopyJob,
  copyIntoContainer,
  copySourceExtension,
} from './media/containers/stream-copy.js';
export type { StreamFormat } from './media/containers/stream-format.js';
export { describeFfmpeg, findFfmpeg } from './media/ffmpeg.js';
export { type FrameSource, type FrameSourceOptions, openFrameSource } from './media/frames/frame-source.js';
export { OutputFile, type OutputOptions } from './media/output/output-file.js';
export { VideoWriter } from './media/output/video-writer.js';
export { type Y4mFormat, Y4mWriter } from './media/output/y4m-writer.js';
