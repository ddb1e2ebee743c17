// Makes frames for the encoder from whatever a page has.
import { MAX_HEIGHT, MAX_WIDTH } from '../../bitstream/limits.js';
import { checkValue, wholeNumbers, words } from '../../encoder/settings/option-values.js';
import { InputError, messageOf, OptionError } from '../../errors.js';
import { requireKnownNames } from '../../given-options.js';
import { kernelChoice } from '../../kernels/select-kernels.js';
import type { Frame } from '../../picture/frame.js';
import type { RgbPels } from '../../picture/rgb-to-frame.js';
import type { UrlType } from '../../platform-types.js';
import { CONVERSIONS, type Conversion, ConversionChoice } from './conversion-choice.js';
import { Drawing, newCanvas } from './drawing.js';
import {
  type Drawable,
  type FrameInput,
  isBitmapOrCanvas,
  isBlob,
  isFrame,
  isVideoFrame,
  isVideoSample,
  NO_PICTURE,
  otherOrigin,
  type Size,
  shownSize,
} from './frame-input.js';
import { RgbFrames } from './rgb-frames.js';
import { framePlanes, isPlain } from './video-frame-planes.js';

/** How frames are made. */
export interface FrameConverterOptions {
  /** Size of the frames in pels, 1..4095 and 1..2800, both or none; default: that in which each input is shown. */
  readonly width?: number | undefined;
  readonly height?: number | undefined;
  /** What is seen behind pels that are not opaque: a colour of CSS; default 'black'. */
  readonly background?: string | undefined;
  /**
   * What converts bitmaps, canvases and VideoFrames whose planes cannot be copied: 'gpu' needs WebGPU and takes a
   * software adapter, too; 'cpu' draws them on a canvas; 'auto' (default) is 'gpu' where there is a real GPU that is
   * faster. The frames are the same.
   */
  readonly convert?: Conversion | undefined;
  /** Where the file of the kernels is, as for `Encoder`; with it the CPU converts faster. */
  readonly kernelsUrl?: string | UrlType | undefined;
}

const NAMES = Object.keys({
  width: true,
  height: true,
  background: true,
  convert: true,
  kernelsUrl: true,
} satisfies Record<keyof FrameConverterOptions, true>);

/**
 * Makes frames: 4:2:0, BT.601, limited range. RGB is converted as `mpegpu encode` converts images. A VideoFrame of
 * I420 or NV12 is copied; its matrix and range are converted where it says that they are others. Where it says nothing
 * of them, they count as those of MPEG-1.
 */
export class FrameConverter {
  readonly #size: Size | undefined;
  readonly #drawing: Drawing;
  readonly #choice: ConversionChoice;
  readonly #rgb: RgbFrames;

  /** Throws OptionError for a wrong option; a background that is no colour is found by the first drawing. */
  constructor(options: FrameConverterOptions = {}) {
    requireKnownNames(options, NAMES, 'FrameConverterOptions');
    const { width, height, background = 'black', convert = 'auto', kernelsUrl } = options;
    if ((width === undefined) !== (height === undefined)) {
      const missing = width === undefined ? 'width' : 'height';
      throw new OptionError(missing, `${missing} is missing: give both width and height, or none`);
    }
    if (width !== undefined && height !== undefined) {
      checkValue('width', width, wholeNumbers(1, MAX_WIDTH, 'pels'));
      checkValue('height', height, wholeNumbers(1, MAX_HEIGHT, 'pels'));
      this.#size = { width, height };
    }
    checkValue('convert', convert, words(CONVERSIONS));
    this.#drawing = new Drawing(background);
    this.#rgb = new RgbFrames(kernelChoice({ kernelsUrl }));
    this.#choice = new ConversionChoice(convert, () => this.#drawing.backgroundPel);
  }

  /**
   * The frame that an input shows now. The input stays open. Rejects with InputError for an input that cannot be read:
   * one that shows nothing yet, one from another origin, a file that is no image; with UnsupportedError for
   * `convert: 'gpu'` where there is none.
   */
  async convert(input: FrameInput): Promise<Frame> {
    if (isFrame(input)) return this.#planesOf(input);
    if (isVideoFrame(input)) return this.#convertVideo(input);
    if (isVideoSample(input)) return closing(input.toVideoFrame(), frame => this.#convertVideo(frame));
    if (isBlob(input)) return closing(await decodedImage(input), bitmap => this.#draw(bitmap));
    const size = shownSize(input);
    if (typeof VideoFrame === 'function' && !('data' in input) && isVideoElement(input)) {
      return closing(shownFrame(input), shown => this.#convertVideo(shown));
    }
    if (!('data' in input)) return this.#draw(input);
    if (!this.#needsScaling(size) && isOpaqueSrgb(input)) return this.#rgbFrame({ ...size, pels: input.data });
    return this.#draw(onCanvas(input));
  }

  /** Frees the GPU, if it was used. The converter goes on without it. */
  async close(): Promise<void> {
    await this.#choice.close();
  }

  #planesOf(frame: Frame): Frame {
    if (!this.#needsScaling(frame)) return frame;
    const { width, height } = this.#size!;
    throw new InputError(`the frame is ${frame.width}x${frame.height}, not ${width}x${height}: planes are not scaled`);
  }

  async #convertVideo(video: VideoFrame): Promise<Frame> {
    const frame = this.#needsScaling(shownSize(video)) ? undefined : await framePlanes(video, this.#rgb);
    return frame ?? this.#draw(video);
  }

  async #draw(input: Drawable): Promise<Frame> {
    const shown = shownSize(input);
    const draw = () => this.#rgbFrame(this.#drawing.read(input, this.#size ?? shown));
    const isSuitable = isBitmapOrCanvas(input) || (isVideoFrame(input) && isPlain(input));
    if (this.#needsScaling(shown) || !isSuitable) return draw();
    return this.#choice.convert({ source: input, ...shown }, draw);
  }

  #rgbFrame({ width, height, pels }: RgbPels): Frame {
    // One kind of array, so that one compiled loop serves all.
    return this.#rgb.frame(width, height, new Uint8Array(pels.buffer, pels.byteOffset, pels.length));
  }

  #needsScaling({ width, height }: Size): boolean {
    return this.#size !== undefined && (width !== this.#size.width || height !== this.#size.height);
  }
}

/** What `read` makes of a source, which is closed afterwards. */
async function closing<Source extends { close(): void }>(
  source: Source,
  read: (source: Source) => Frame | Promise<Frame>,
): Promise<Frame> {
  try {
    return await read(source);
  } finally {
    source.close();
  }
}

async function decodedImage(file: Blob): Promise<ImageBitmap> {
  try {
    return await createImageBitmap(file);
  } catch (error) {
    const name = 'name' in file ? String(file.name) : `the ${file.type || 'file'}`;
    throw new InputError(`${name} is not an image that this browser reads: ${messageOf(error)}`, { cause: error });
  }
}

function isVideoElement(input: Drawable): input is HTMLVideoElement {
  return 'videoWidth' in input;
}

/** What a video shows now. Throws InputError where it shows nothing, or nothing that the page may read. */
function shownFrame(video: HTMLVideoElement): VideoFrame {
  try {
    return new VideoFrame(video);
  } catch (error) {
    // A video that shows nothing yet is black when it is drawn, and the canvas stays readable.
    throw (error as Error).name === 'SecurityError' ? otherOrigin(error) : new InputError(NO_PICTURE, { cause: error });
  }
}

/** Whether a frame can be made of the pels as they are. */
function isOpaqueSrgb({ data, colorSpace }: ImageData): boolean {
  if (colorSpace !== 'srgb') return false;
  for (let at = 3; at < data.length; at += 4) if (data[at] !== 255) return false;
  return true;
}

/** Pels that may be transparent or of another colour space, so that they can be drawn over something in sRGB. */
function onCanvas(image: ImageData): HTMLCanvasElement | OffscreenCanvas {
  const canvas = newCanvas(image.width, image.height);
  (canvas.getContext('2d') as CanvasRenderingContext2D).putImageData(image, 0, 0);
  return canvas;
}
