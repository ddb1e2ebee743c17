// Reads the planes of a VideoFrame without drawing it.
import { chromaLength, type Frame, frameFromI420 } from '../../picture/frame.js';
import { limitedBt601, ycbcrKind } from './limited-bt601.js';
import type { RgbFrames } from './rgb-frames.js';

/** Newer than the types of the platform: how a frame is turned when it is shown. */
interface Orientation {
  /** Clockwise, in degrees. */
  readonly rotation?: number;
  readonly flip?: boolean;
}

/** Transfer functions far from that of sRGB: those of high dynamic range, and the linear one. */
const FAR_TRANSFERS = ['pq', 'hlg', 'linear'];

/** Primaries of what sRGB can show, whose conversion to sRGB all ways of a browser round alike. */
const PLAIN_PRIMARIES = ['bt709', 'bt470bg', 'smpte170m', null];

/** Whether a VideoFrame is shown as its pels lie in memory: not turned, not scaled, of plain colours. */
export function isPlain(video: VideoFrame): boolean {
  const { primaries, transfer } = video.colorSpace;
  return isShownAsStored(video) && PLAIN_PRIMARIES.includes(primaries) && !isFar(transfer);
}

function isFar(transfer: string | null): boolean {
  return FAR_TRANSFERS.includes(transfer ?? '');
}

function isShownAsStored(video: VideoFrame): boolean {
  const { visibleRect, displayWidth, displayHeight } = video;
  const { rotation = 0, flip = false } = video as Orientation;
  return visibleRect?.width === displayWidth && visibleRect.height === displayHeight && rotation === 0 && !flip;
}

/**
 * The frame, read from the memory of the VideoFrame; undefined for one that must be drawn: scaled, turned, of high
 * dynamic range or linear, with pels that may be transparent or cannot be copied, or of another format than I420, NV12
 * and RGB, which `rgb` converts.
 */
export async function framePlanes(video: VideoFrame, rgb: RgbFrames): Promise<Frame | undefined> {
  const { format, visibleRect, colorSpace } = video;
  if (!visibleRect || !isShownAsStored(video) || isFar(colorSpace.transfer)) return undefined;
  const { width, height } = visibleRect;
  if (format === 'I420' || format === 'NV12') {
    const kind = ycbcrKind(colorSpace);
    // Chroma of an odd place belongs to pels outside the visible part.
    const isEven = visibleRect.x % 2 === 0 && visibleRect.y % 2 === 0;
    if (!kind || !isEven) return undefined;
    return limitedBt601(await (format === 'I420' ? readI420 : readNv12)(video, width, height), kind);
  }
  if (format !== 'RGBX' && format !== 'BGRX') return undefined;
  if (!['bt709', null].includes(colorSpace.primaries)) return undefined;
  const pels = new Uint8Array(4 * width * height);
  try {
    await video.copyTo(pels, { layout: [{ offset: 0, stride: 4 * width }] });
  } catch {
    return undefined; // WebKitGTK copies no pels of these formats, but draws them
  }
  return rgb.frame(width, height, pels, format === 'BGRX' ? 2 : 0);
}

async function readI420(video: VideoFrame, width: number, height: number): Promise<Frame> {
  const [chromaWidth, chromaHeight] = [chromaLength(width), chromaLength(height)];
  const [lumaBytes, chromaBytes] = [width * height, chromaWidth * chromaHeight];
  const bytes = new Uint8Array(lumaBytes + 2 * chromaBytes);
  const layout = [
    { offset: 0, stride: width },
    { offset: lumaBytes, stride: chromaWidth },
    { offset: lumaBytes + chromaBytes, stride: chromaWidth },
  ];
  await video.copyTo(bytes, { layout });
  return frameFromI420(width, height, bytes);
}

async function readNv12(video: VideoFrame, width: number, height: number): Promise<Frame> {
  const [chromaWidth, chromaHeight] = [chromaLength(width), chromaLength(height)];
  const [lumaBytes, chromaBytes] = [width * height, chromaWidth * chromaHeight];
  const bytes = new Uint8Array(lumaBytes + 2 * chromaBytes);
  const layout = [
    { offset: 0, stride: width },
    { offset: lumaBytes, stride: 2 * chromaWidth },
  ];
  await video.copyTo(bytes, { layout });
  const [u, v] = [new Uint8Array(chromaBytes), new Uint8Array(chromaBytes)];
  for (let at = 0; at < chromaBytes; at++) {
    u[at] = bytes[lumaBytes + 2 * at]!;
    v[at] = bytes[lumaBytes + 2 * at + 1]!;
  }
  return { width, height, y: bytes.subarray(0, lumaBytes), u, v };
}
