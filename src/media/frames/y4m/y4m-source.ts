// Opens y4m files and streams; frames of other kinds than MPEG-1's are converted.

import type { Readable } from 'node:stream';
import type { FrameRate } from '../../../bitstream/tables/frame-rate.js';
import { counted } from '../../../counted.js';
import { convertFrames } from '../../filters/converted-frames.js';
import { filterChain } from '../../filters/filter-chain.js';
import { alphaWarning, interlacedWarning } from '../../filters/input-warnings.js';
import { changesSize, checkCrop, type PictureOptions } from '../../filters/picture-options.js';
import { endedByAbort } from '../../input-file.js';
import { ByteReader, openByteReader } from '../byte-reader.js';
import { requireFrame, skipFrames } from '../frame-limit.js';
import type { FrameSource, FrameSourceOptions } from '../frame-source.js';
import { type Y4mPlace, y4mFileFrames } from './y4m-file.js';
import { isPlainY4m, Y4M_FRAME, type Y4mHeader } from './y4m-header.js';
import { Y4mReader, y4mFrames } from './y4m-reader.js';

/** What is read of y4m, and how. */
type Y4mOptions = PictureOptions & Pick<FrameSourceOptions, 'frameRate' | 'start' | 'onWarning' | 'signal'>;

/**
 * Opens a y4m file or pipe, from frame `start` on. `frameRate` replaces the file's: the same frames are played at that
 * rate. Frames of another kind than 8-bit 4:2:0 of limited range, and those that options change, go through ffmpeg.
 */
export async function openY4mFile(path: string, options: Y4mOptions = {}): Promise<FrameSource> {
  const { reader: bytes, fileBytes } = await openByteReader(path);
  const reader = new Y4mReader(bytes);
  const reading = reader.readHeader({ checksSize: !changesSize(options) });
  const header = await endedByAbort(reading, bytes.stream, options.signal);
  const headerBytes = reader.headerLine.length + 1;
  const frameBytes = reader.frameBytes + Y4M_FRAME.length + 1;
  // Frame lines may carry parameters. Then the division mostly leaves a remainder, and the count is unknown.
  const frameCount = fileBytes === undefined ? undefined : (fileBytes - headerBytes) / frameBytes;
  const isCount =
    frameCount !== undefined &&
    Number.isInteger(frameCount) &&
    frameCount > 0 &&
    (await isPlainFrameAt(path, headerBytes));
  const first = options.start?.frame ?? 0;
  const start = headerBytes + first * frameBytes;
  if (!isCount || first === 0 || (first < frameCount && !(await isPlainFrameAt(path, start)))) {
    const place = isCount ? { path, start: headerBytes, frameCount } : undefined;
    return skipFrames(await y4mSource(reader, header, options, place), options.start);
  }
  reader.close();
  requireFrame(path, { frame: first }, frameCount);
  const later = await reader.reopenAt(start, first);
  return y4mSource(later, header, options, { path, start, frameCount: frameCount - first });
}

/** Whether the line of a frame, without parameters, is at a byte of a file; false for one that cannot be read. */
async function isPlainFrameAt(path: string, start: number): Promise<boolean> {
  const reader = (await openByteReader(path, start).catch(() => undefined))?.reader;
  const line = await reader?.readLine(Y4M_FRAME.length + 1).catch(() => undefined);
  reader?.close();
  return line?.text === Y4M_FRAME;
}

/** Opens a y4m stream, such as standard input. Resolves when its header has been read. */
export async function openY4mStream(name: string, stream: Readable, options: Y4mOptions = {}): Promise<FrameSource> {
  const reader = new Y4mReader(new ByteReader(name, stream));
  return y4mSource(reader, await reader.readHeader({ checksSize: !changesSize(options) }), options);
}

/** `place`: where the frames lie, if they are at equal distances in a file. */
async function y4mSource(
  reader: Y4mReader,
  header: Y4mHeader,
  options: Y4mOptions,
  place?: Y4mPlace,
): Promise<FrameSource> {
  const { name } = reader;
  const { frameRate, firstField } = header;
  const override = options.frameRate;
  const hasAlpha = header.chroma === '444alpha';
  try {
    if (firstField && !options.deinterlace) options.onWarning?.(interlacedWarning(name, firstField, options));
    if (override && frameRate) warnOfPace(name, frameRate, override, options.onWarning);
    checkCrop(name, options.crop, header.width, header.height);
    if (hasAlpha) options.onWarning?.(alphaWarning(name, options));
  } catch (error) {
    reader.close();
    throw error;
  }
  const given = place ? y4mFileFrames(reader, header, place) : y4mFrames(reader, header, undefined);
  const source = override ? { ...given, frameRate: override } : given;
  const facts = {
    ...(firstField && { firstField }),
    ...(hasAlpha && ({ alpha: 'yuv' } as const)),
    ...(header.isFullRange && { isFullRange: true }),
  };
  const chain = filterChain(options, facts);
  if (chain === undefined && isPlainY4m(header)) return source;
  return convertFrames({ source, header: reader.headerLine, rawFrames: () => reader.rawFrames(), chain }, options);
}

/** Warns where the frames are played at another pace than the header says. */
function warnOfPace(name: string, from: FrameRate, to: FrameRate, onWarning: Y4mOptions['onWarning']): void {
  const [had, has] = [from, to].map(({ numerator, denominator }) => numerator / denominator) as [number, number];
  if (Math.abs(has / had - 1) < 0.002) return;
  const rates = `${counted(Number(has.toFixed(3)), 'frame')} per second, not at its own ${Number(had.toFixed(3))}`;
  onWarning?.(`${name} is played at ${rates}: each frame is kept, and the speed changes`);
}
