// An image in memory as callers give it, and its pels without alpha.
import { counted } from '../counted.js';
import { InputError, OptionError } from '../errors.js';

/** Pels row by row without padding, 8 bits a component. The pels of a canvas are such an image of 4 channels. */
export interface PelImage {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  /** Bytes of a pel. 1: gray; 2: gray and alpha; 3: red, green and blue; 4: red, green, blue and alpha. */
  readonly channels: 1 | 2 | 3 | 4;
  readonly pels: Uint8Array | Uint8ClampedArray;
  /** What messages call it, such as the name of a file. */
  readonly name?: string | undefined;
}

/** Components that are compared: 1 where all is gray, else 3. A gray pel has equal components, so both say the same. */
export type Components = 1 | 3;

/** The most pels of an image. A sum of differences and a position of so many fit together into a number. */
export const MAX_PELS = 2 ** 28;

/** The components that an image has beside its alpha. */
export function componentsOf({ channels }: Pick<PelImage, 'channels'>): Components {
  return channels <= 2 ? 1 : 3;
}

/** Throws an OptionError that names `option` unless the image has a size, and the pels that its size takes. */
export function checkPelImage(option: 'pattern' | 'picture', image: PelImage): void {
  const { width, height, channels, pels } = image ?? {};
  const isSize = [width, height].every(length => Number.isInteger(length) && length >= 1) && width * height <= MAX_PELS;
  if (!isSize || ![1, 2, 3, 4].includes(channels)) {
    const legal = `width and height of 1 or more, at most ${MAX_PELS} pels, 1 to 4 channels`;
    throw new OptionError(
      option,
      `${option} is ${width}x${height} with ${counted(channels, 'channel')}; legal: ${legal}`,
    );
  }
  const bytes = width * height * channels;
  const isBytes = pels instanceof Uint8Array || pels instanceof Uint8ClampedArray;
  if (isBytes && pels.length === bytes) return;
  const given = isBytes ? counted(pels.length, 'byte') : typeof pels;
  throw new OptionError(option, `the pels of ${option} are ${given}; legal: ${bytes} bytes in a Uint8Array`);
}

/** Throws an InputError that names both unless the picture is as wide and as high as the pattern. */
export function checkFits(pattern: PelImage, picture: PelImage): void {
  if (pattern.width <= picture.width && pattern.height <= picture.height) return;
  const { name = 'the pattern' } = pattern;
  const { name: within = 'the picture' } = picture;
  const size = ({ width, height }: PelImage) => `${width}x${height}`;
  throw new InputError(`${name} (${size(pattern)}) does not fit into ${within} (${size(picture)})`);
}

/** The pels of an image with this many components and without alpha; its own pels where they are that already. */
export function pelsWithoutAlpha(image: PelImage, components: Components): Uint8Array {
  const { width, height, channels, pels } = image;
  if (channels === components) return new Uint8Array(pels.buffer, pels.byteOffset, pels.length);
  const target = new Uint8Array(width * height * components);
  const isColour = channels >= 3;
  for (let from = 0, to = 0; to < target.length; from += channels, to += components) {
    target[to] = pels[from]!;
    if (components === 1) continue;
    target[to + 1] = pels[isColour ? from + 1 : from]!;
    target[to + 2] = pels[isColour ? from + 2 : from]!;
  }
  return target;
}
