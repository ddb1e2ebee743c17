// What a frame can be made from, and how large that is.
import { InputError } from '../../errors.js';
import type { Frame } from '../../picture/frame.js';

/** A decoded picture of a library, such as mediabunny's VideoSample. */
export interface VideoSample {
  /** The picture as a frame of its own, which is closed when it has been read. */
  toVideoFrame(): VideoFrame;
  close(): void;
}

/** What {@link FrameConverter} makes frames from. A Blob, or a File, is an image. */
export type FrameInput =
  | Frame
  | VideoFrame
  | VideoSample
  | ImageBitmap
  | ImageData
  | HTMLCanvasElement
  | OffscreenCanvas
  | HTMLVideoElement
  | HTMLImageElement
  | Blob;

/** What can be drawn on a canvas. */
export type Drawable = Exclude<FrameInput, Frame | VideoSample | ImageData | Blob>;

/** Width and height in pels. */
export interface Size {
  readonly width: number;
  readonly height: number;
}

/** The name of the platform's class that `input` is of, from any window: 'VideoFrame', 'ImageBitmap', 'Object'. */
export function className(input: unknown): string {
  return Object.prototype.toString.call(input).slice('[object '.length, -1);
}

/** Whether `input` is a VideoFrame. */
export function isVideoFrame(input: unknown): input is VideoFrame {
  return className(input) === 'VideoFrame';
}

/** Whether `input` is an image file in memory. */
export function isBlob(input: unknown): input is Blob {
  return ['Blob', 'File'].includes(className(input));
}

/** Whether `input` is a frame of planes. */
export function isFrame(input: unknown): input is Frame {
  const { y, u, v } = Object(input) as Partial<Frame>;
  return [y, u, v].every(plane => className(plane) === 'Uint8Array');
}

/** Whether `input` is a library's picture. */
export function isVideoSample(input: unknown): input is VideoSample {
  return typeof (Object(input) as Partial<VideoSample>).toVideoFrame === 'function';
}

/** Whether `input` has pels of RGB that nothing turns or scales. */
export function isBitmapOrCanvas(input: unknown): input is ImageBitmap | HTMLCanvasElement | OffscreenCanvas {
  return ['ImageBitmap', 'HTMLCanvasElement', 'OffscreenCanvas'].includes(className(input));
}

/** What to say of a video that shows nothing: while it seeks, too, and where it was loaded without pictures. */
export const NO_PICTURE =
  "the video has no picture now: give it preload 'auto', and wait for 'loadeddata', or after a seek for 'seeked'";

/** What to throw for a picture that the page may not read; `cause` says so. */
export function otherOrigin(cause: unknown): InputError {
  const right = "its server must allow that, and its element have the attribute 'crossorigin'";
  return new InputError(`the picture comes from another origin and cannot be read: ${right}`, { cause });
}

/** What to say of an input that shows nothing, by the name of its class. */
const EMPTY: Readonly<Record<string, string>> = {
  HTMLVideoElement: NO_PICTURE,
  ImageBitmap: 'the ImageBitmap is closed',
  ImageData: 'the ImageData has no pels any more: its buffer was transferred',
  HTMLImageElement: 'the image has no pels: wait for its decode(), and give an SVG a width and a height',
};

/**
 * The size in which a drawable input is shown. Throws InputError for one that shows nothing, and for something else.
 */
export function shownSize(input: Drawable | ImageData): Size {
  const name = className(input);
  const size = sizeByClass(input, name);
  if (!size) {
    const legal =
      'a Frame, VideoFrame, video sample, ImageBitmap, ImageData, canvas, <video>, <img>, or an image as Blob or File';
    const given = typeof input === 'object' && input !== null ? `of class ${name}` : String(input);
    throw new InputError(`the input is ${given}; legal: ${legal}`);
  }
  if (size.width > 0 && size.height > 0) return size;
  throw new InputError(EMPTY[name] ?? `the ${name} has no pels`);
}

function sizeByClass(input: Drawable | ImageData, name: string): Size | undefined {
  switch (name) {
    case 'VideoFrame': {
      const { displayWidth: width, displayHeight: height, format } = input as VideoFrame;
      if (width === 0 && format === null) throw new InputError('the VideoFrame is closed');
      return { width, height };
    }
    case 'HTMLVideoElement': {
      const { videoWidth: width, videoHeight: height } = input as HTMLVideoElement;
      return { width, height };
    }
    case 'HTMLImageElement': {
      const { naturalWidth: width, naturalHeight: height } = input as HTMLImageElement;
      return { width, height };
    }
    case 'ImageData': {
      const { width, height, data } = input as ImageData;
      return data.length > 0 ? { width, height } : { width: 0, height: 0 };
    }
    case 'ImageBitmap':
    case 'HTMLCanvasElement':
    case 'OffscreenCanvas': {
      const { width, height } = input as ImageBitmap;
      return { width, height };
    }
    default:
      return undefined;
  }
}
