// Makes frames of the RGB that a caller has: of a canvas, a renderer, a decoded image.

import { isUint8Array, isUint8ClampedArray } from 'node:util/types';
import { MAX_HEIGHT, MAX_WIDTH } from '../bitstream/limits.js';
import { counted } from '../counted.js';
import { checkValue, wholeNumbers, words } from '../encoder/settings/option-values.js';
import { InputError } from '../errors.js';
import { inWords, requireKnownNames } from '../given-options.js';
import type { KernelSetName } from '../kernels/kernels.js';
import { createKernels, kernelChoice } from '../kernels/select-kernels.js';
import type { Frame, FrameMemory } from '../picture/frame.js';
import { checkedFrame } from '../picture/frame-check.js';
import { RgbConverter } from '../picture/rgb-converter.js';

/** How the bytes of a pel follow each other; a fourth one is not looked at. */
export const PEL_ORDERS = ['rgba', 'rgb', 'bgra', 'bgr'] as const;

/** See {@link PEL_ORDERS}. */
export type PelOrder = (typeof PEL_ORDERS)[number];

/** Which pictures become frames. */
export interface RgbFramesOptions {
  /** Size in pels, 1..4095 and 1..2800. */
  readonly width: number;
  readonly height: number;
  /** Default: 'rgba'. */
  readonly order?: PelOrder | undefined;
  /** As for `Encoder`: 'simd' (default) or 'reference'. */
  readonly kernels?: KernelSetName | undefined;
}

/**
 * The frame of a picture: 4:2:0, BT.601, limited range. `pels` are its rows from the top, without padding. With
 * `memory`, such as an encoder of such frames, its planes lie there, and `add` copies nothing. Throws InputError for
 * another number of bytes, and for memory of frames of another size.
 */
export type RgbToFrame = (pels: Uint8Array | Uint8ClampedArray, memory?: FrameMemory) => Frame;

const NAMES = ['width', 'height', 'order', 'kernels'] satisfies (keyof RgbFramesOptions)[];

/**
 * Makes what converts pictures of sRGB to frames, as images are converted. Rejects with OptionError for a wrong option,
 * with UnsupportedError where the kernels cannot run.
 *
 *     const toFrame = await rgbFrames({ width, height });
 *     await encoder.add(toFrame(context.getImageData(0, 0, width, height).data, encoder));
 */
export async function rgbFrames(options: RgbFramesOptions): Promise<RgbToFrame> {
  requireKnownNames(options, NAMES, 'RgbFramesOptions');
  const { width, height, order = 'rgba', ...given } = options;
  checkValue('width', width, wholeNumbers(1, MAX_WIDTH, 'pels'));
  checkValue('height', height, wholeNumbers(1, MAX_HEIGHT, 'pels'));
  checkValue('order', order, words(PEL_ORDERS));
  const pelBytes = order.length as 3 | 4;
  const kernels = kernelChoice(given);
  const converter = await RgbConverter.create(width, height, pelBytes, memory => createKernels(memory, kernels));
  const layout = { width, height, first: 0, rowBytes: pelBytes * width, pelBytes, redAt: order.indexOf('r') };
  return (pels, memory) => {
    if (!isUint8Array(pels) && !isUint8ClampedArray(pels)) {
      throw new InputError('a picture is no Uint8Array or Uint8ClampedArray, such as the data of an ImageData');
    }
    const { buffer, byteOffset, length } = pels;
    const expected = pelBytes * width * height;
    if (length !== expected) throw new InputError(`a picture has ${counted(length, 'byte')}, not ${expected}`);
    const { newFrame } = Object(memory) as Partial<FrameMemory>;
    if (memory !== undefined && typeof newFrame !== 'function') {
      throw new InputError(`the memory is ${inWords(memory)}, not an encoder or another object with newFrame()`);
    }
    const frame = memory?.newFrame();
    if (memory) checkedFrame(frame as Frame, width, height, 'a frame of the memory');
    return converter.frame({ ...layout, bytes: new Uint8Array(buffer, byteOffset, length) }, frame);
  };
}
