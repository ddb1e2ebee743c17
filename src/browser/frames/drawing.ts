// Draws pictures on a canvas to read them as RGB.
import { InputError, OptionError, UnsupportedError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import type { RgbPels } from '../../picture/rgb-to-frame.js';
import { type Drawable, otherOrigin, type Size } from './frame-input.js';

type Context = CanvasRenderingContext2D | OffscreenCanvasRenderingContext2D;

/** Reads pictures by drawing them over a background; keeps its canvas from one to the next. */
export class Drawing {
  readonly #background: string;
  #context: Context | undefined;

  /** `background`: a colour of CSS. Throws OptionError for what is no text; for another one, once it is used. */
  constructor(background: string) {
    if (typeof background !== 'string') throw noColour(background);
    this.#background = background;
  }

  /**
   * The picture scaled to `size`, in sRGB, four bytes a pel. Throws InputError where the page may not read it, or the
   * browser has no memory for it.
   */
  read(picture: Drawable, { width, height }: Size): RgbPels {
    const context = this.#sized(width, height);
    context.fillStyle = this.#background;
    context.fillRect(0, 0, width, height);
    context.drawImage(picture, 0, 0, width, height);
    try {
      return { width, height, pels: context.getImageData(0, 0, width, height).data };
    } catch (error) {
      this.#context = undefined; // its canvas stays unreadable
      const { name } = error as Error;
      if (name === 'RangeError') throw new InputError(`a picture of ${width}x${height} is too large to be read`);
      throw name === 'SecurityError' ? otherOrigin(error) : error;
    }
  }

  /** The background as a picture has it: R, G, B in the low three bytes. */
  get backgroundPel(): number {
    const context = this.#open(1, 1);
    context.fillStyle = this.#background;
    context.fillRect(0, 0, 1, 1);
    const [r = 0, g = 0, b = 0] = context.getImageData(0, 0, 1, 1).data;
    return r | (g << 8) | (b << 16);
  }

  #sized(width: number, height: number): Context {
    this.#context ??= this.#open(width, height);
    const { canvas } = this.#context;
    if (canvas.width !== width || canvas.height !== height) {
      canvas.width = width;
      canvas.height = height;
    }
    this.#context.imageSmoothingQuality = 'high';
    return this.#context;
  }

  #open(width: number, height: number): Context {
    const canvas = newCanvas(width, height);
    const context = canvas.getContext('2d', { alpha: false, willReadFrequently: true }) as Context | null;
    if (!context) throw new UnsupportedError('this browser gives no canvas to draw on');
    requireColour(context, this.#background);
    return context;
  }
}

/** A canvas that is not shown. */
export function newCanvas(width: number, height: number): HTMLCanvasElement | OffscreenCanvas {
  if (typeof OffscreenCanvas === 'function') return new OffscreenCanvas(width, height);
  return Object.assign(document.createElement('canvas'), { width, height });
}

/** Throws OptionError for a text that is no colour: then a canvas keeps the colour that it had. */
function requireColour(context: Context, colour: string): void {
  const kept = ['#000000', '#ffffff'].map(before => {
    context.fillStyle = before;
    context.fillStyle = colour;
    return context.fillStyle;
  });
  if (kept[0] !== kept[1]) throw noColour(colour);
}

function noColour(given: unknown): OptionError {
  return new OptionError('background', named => `${named('background')} ${inWords(given)} is not a colour of CSS`);
}
