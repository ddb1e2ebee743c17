// A decoded image in memory.
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';
import type { StoredPels } from '../../picture/rgb-to-frame.js';

/** `3 * width * height` bytes R, G, B, row by row without padding; sRGB. */
export interface RgbImage {
  /** In pels. */
  readonly width: number;
  readonly height: number;
  readonly pels: Uint8Array;
}

/** How an image is decoded. */
export interface ImageDecoding {
  /** What is seen behind pels that are not opaque: red, green and blue, 0..255 each; default black. */
  readonly background?: readonly [red: number, green: number, blue: number];
  /** True: pels that are not opaque are not blended; the image has its alpha beside them. */
  readonly keepsAlpha?: boolean;
  /** True: it may be larger than a picture of MPEG-1, since it will be cropped or scaled. */
  readonly mayBeLarge?: boolean;
}

/** What an image's file says that the pels do not show. */
export interface ImageFacts {
  /** True: some pels were not opaque. */
  readonly hasAlpha?: boolean;
  /** The shape of its pels; undefined if they are square. */
  readonly pelAspect?: PelAspect;
  /** A line about a fault of the file, which could be decoded all the same. */
  readonly damage?: string;
  /** Number of its pages or of its pictures, of which this is the first. */
  readonly pages?: number;
}

/** An image, and what its file says that the pels do not show. */
export interface DecodedImage extends RgbImage, ImageFacts {
  /** The alpha of each pel, 0..255, where `keepsAlpha` asks for it and some pels are not opaque. */
  readonly alpha?: Uint8Array;
}

/** An image as its file or its decoder has left it. */
export interface StoredImage extends StoredPels, ImageFacts {}
