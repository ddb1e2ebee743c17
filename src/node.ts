/**
 * `mpegpu/node`: reading frames from files and writing videos, for programs that run on Node. The encoder itself is in
 * `mpegpu`, which runs in browsers too.
 */
export { CONTAINER_EXTENSIONS, type Container, containerForPath } from './media/containers/container.js';
export type { ContainerWriter } from './media/containers/container-writer.js';
export type { StreamFormat } from './media/containers/stream-format.js';
export { describeFfmpeg, findFfmpeg } from './media/ffmpeg.js';
export { type FrameSource, type FrameSourceOptions, openFrameSource } from './media/frames/open-frame-source.js';
export { OutputFile, type OutputOptions } from './media/output/output-file.js';
export {
  COPY_EXTENSIONS,
  type CopyJob,
  copyIntoContainer,
  copySourceExtension,
} from './media/output/stream-copy.js';
export { VideoWriter } from './media/output/video-writer.js';
export { type Y4mFormat, Y4mWriter } from './media/output/y4m-writer.js';
