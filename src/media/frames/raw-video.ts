// Reads raw video: I420 frames one after another, without any header.
import { counted } from '../../counted.js';
import { InputError, OptionError } from '../../errors.js';
import { type Frame, type FrameMemory, frameToFill, i420Bytes } from '../../picture/frame.js';
import { changedFrames } from '../filters/converted-frames.js';
import { changesSize, type PictureOptions } from '../filters/picture-options.js';
import { checkLargePictureSize, checkPictureSize } from '../picture-size.js';
import { type ByteReader, openByteReader } from './byte-reader.js';
import { FrameFile } from './frame-file.js';
import { requireFrame, skipFrames } from './frame-limit.js';
import type { FrameSource, FrameSourceOptions } from './frame-source.js';

/**
 * Opens a file or pipe of tight 8-bit I420 frames (y, then u, then v). Throws an OptionError without a size, an
 * InputError if the file is not a whole number of frames of that size.
 */
export async function openRawVideo(
  path: string,
  options: PictureOptions & Pick<FrameSourceOptions, 'size' | 'frameRate' | 'start' | 'signal'>,
): Promise<FrameSource> {
  const { size, frameRate, start } = options;
  if (!size)
    throw new OptionError(
      'size',
      named => `${path} is raw video, which does not say its size: give it with ${named('size')}, as in 352x288`,
    );
  const { width, height } = size;
  if (!Number.isInteger(width) || !Number.isInteger(height)) {
    throw new OptionError('size', named => `${named('size')} ${width}x${height} is not a pair of whole numbers`);
  }
  const checkSize = changesSize(options) ? checkLargePictureSize : checkPictureSize;
  checkSize(path, width, height);
  const frameBytes = i420Bytes(width, height);
  const { reader, fileBytes } = await openByteReader(path, start && start.frame * frameBytes);
  if (fileBytes !== undefined && (fileBytes === 0 || fileBytes % frameBytes !== 0)) {
    reader.close();
    if (fileBytes === 0) throw new InputError(`${path} is empty: it holds no frames`);
    const whole = Math.floor(fileBytes / frameBytes);
    throw new InputError(
      `${path} has ${counted(fileBytes, 'byte')}, which is not a whole number of ${width}x${height} 4:2:0 frames ` +
        `of ${frameBytes} bytes (${whole} and ${counted(fileBytes % frameBytes, 'byte')}): is the size right?`,
    );
  }
  const source: FrameSource = {
    name: path,
    width,
    height,
    ...(frameRate && { frameRate }),
    frames: (signal, memory) => reader.closedAfter(readFrames(reader, width, height, signal, memory), signal),
    close: async () => reader.close(),
  };
  if (fileBytes === undefined) return changedFrames(skipFrames(source, start), options);
  reader.close();
  const frameCount = fileBytes / frameBytes;
  if (start) requireFrame(path, start, frameCount);
  const first = start?.frame ?? 0;
  const file = new FrameFile({ path, width, height, start: first * frameBytes, before: '' });
  const frames: FrameSource['frames'] = async function* (...given) {
    const read = yield* file.frames(...given);
    if (read.next < fileBytes) throw reader.truncatedFrame(read.frames, 0, frameBytes); // it has shrunk
  };
  return changedFrames({ ...source, frameCount: frameCount - first, frames, close: () => file.close() }, options);
}

async function* readFrames(
  reader: ByteReader,
  width: number,
  height: number,
  signal?: AbortSignal,
  memory?: FrameMemory,
): AsyncGenerator<Frame> {
  const frameBytes = i420Bytes(width, height);
  for (let index = 0; ; index++) {
    signal?.throwIfAborted();
    const frame = frameToFill(width, height, memory);
    let read = 0;
    for (const plane of [frame.y, frame.u, frame.v]) read += await reader.read(plane);
    signal?.throwIfAborted();
    if (read === 0 && index === 0) throw new InputError(`${reader.name} is empty: it holds no frames`);
    if (read === 0) return;
    if (read < frameBytes) throw reader.truncatedFrame(index, read, frameBytes);
    yield frame;
  }
}
