/**
 * `mpegpu/node`: reading frames from files and writing videos, for programs that run on Node. The encoder itself is in
 * `mpegpu`, which runs in browsers too.
 */
export { CONTAINER_EXTENSIONS, type Container, containerForPath } from './media/container.js';
export type { ContainerWriter } from './media/container-writer.js';
export { describeFfmpeg, findFfmpeg } from './media/ffmpeg.js';
export { type FrameSource, type FrameSourceOptions, openFrameSource } from './media/frame-source.js';
export { OutputFile, type OutputOptions } from './media/output-file.js';
export { COPY_EXTENSIONS, type CopyJob, copyIntoContainer, copySourceExtension } from './media/stream-copy.js';
export type { StreamFormat } from './media/stream-format.js';
export { VideoWriter } from './media/video-writer.js';
export { type Y4mFormat, Y4mWriter } from './media/y4m-writer.js';
