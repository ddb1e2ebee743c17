// Reads the frames of a y4m file where each can be told from its place, without a copy in between.
import type { Frame, FrameMemory } from '../../../picture/frame.js';
import type { AbortSignalType } from '../../../platform-types.js';
import { FrameFile } from '../frame-file.js';
import type { FrameSource } from '../frame-source.js';
import { Y4M_FRAME, type Y4mHeader } from './y4m-header.js';
import { type Y4mReader, y4mFrames } from './y4m-reader.js';

/** Where frames lie in a file. */
export interface Y4mPlace {
  readonly path: string;
  /** The byte at which the line of the first frame starts. */
  readonly start: number;
  readonly frameCount: number;
}

/** The frames of a file as they are stored. `reader` is open at the first one; it is closed when frames are read. */
export function y4mFileFrames(reader: Y4mReader, header: Y4mHeader, place: Y4mPlace): FrameSource {
  const source = y4mFrames(reader, header, place.frameCount);
  if (header.chroma === 'mono') return source;
  const { path, start } = place;
  const { width, height } = header;
  const file = new FrameFile({ path, width, height, start, before: `${Y4M_FRAME}\n` });
  let rest: Y4mReader | undefined;
  async function* frames(signal?: AbortSignalType, memory?: FrameMemory): AsyncGenerator<Frame> {
    reader.close();
    const read = yield* file.frames(signal, memory);
    // What follows is the end of the file, a frame line with parameters, or damage.
    rest = await reader.reopenAt(read.next, read.frames);
    yield* rest.frames(header, signal, memory);
  }
  const close = async (): Promise<void> => {
    reader.close();
    rest?.close();
    await file.close();
  };
  return { ...source, frames, close };
}
