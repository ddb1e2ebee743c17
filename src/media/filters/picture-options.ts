// How the pictures of an input are changed before they are frames: cropped, scaled, deinterlaced, put on a background.
import { MAX_HEIGHT, MAX_WIDTH } from '../../bitstream/limits.js';
import type { PelAspect } from '../../bitstream/tables/pel-aspect-ratio.js';
import { OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import { suggestion } from '../../nearest-name.js';

/** A part of a picture in pels; `x`, `y` is its corner at the top left. */
export interface CropRectangle {
  readonly width: number;
  readonly height: number;
  readonly x: number;
  readonly y: number;
}

/** Colours that have names, those of CSS level 1. */
export const COLOUR_NAMES = {
  black: '#000000',
  silver: '#c0c0c0',
  gray: '#808080',
  white: '#ffffff',
  maroon: '#800000',
  red: '#ff0000',
  purple: '#800080',
  fuchsia: '#ff00ff',
  green: '#008000',
  lime: '#00ff00',
  olive: '#808000',
  yellow: '#ffff00',
  navy: '#000080',
  blue: '#0000ff',
  teal: '#008080',
  aqua: '#00ffff',
} as const;

/** A colour: a name, or `#rrggbb` in hexadecimal digits. */
export type Colour = keyof typeof COLOUR_NAMES | `#${string}`;

/** Red, green and blue, 0..255 each. */
export type Rgb = readonly [red: number, green: number, blue: number];

/** The shape of the picture as `4:3`, or the shape of a pel as `sar=16:15`; width to height. */
export type Aspect = `${number}:${number}` | `sar=${number}:${number}`;

/** The legal texts of an {@link Aspect} and of a {@link Colour}, for messages. */
export const ASPECT_FORM = 'the shape of the picture, such as 4:3 or 16:9, or that of a pel, such as sar=16:15';
export const COLOURS: readonly string[] = Object.keys(COLOUR_NAMES);
export const COLOUR_FORM = `#rrggbb, ${COLOURS.join(', ')}`;

/** How pictures are changed while they are read, in this order. */
export interface PictureOptions {
  /** Makes progressive pictures of interlaced ones, as many as before (ffmpeg's bwdif); default false. */
  readonly deinterlace?: boolean | undefined;
  /** Keeps this part of each picture. An error if the picture is smaller. */
  readonly crop?: CropRectangle | undefined;
  /** What is seen behind pels that are not opaque; default black. */
  readonly background?: Colour | undefined;
  /** Converts a video that says that its matrix is that of BT.709 or BT.2020 to BT.601; default false: it is kept. */
  readonly toBt601?: boolean | undefined;
  /** Scales each picture, after the crop, to this size in pels. The shape of the pels changes with it. */
  readonly scale?: { readonly width: number; readonly height: number } | undefined;
  /** Replaces the input's shape of the pels: that of the picture after crop and scale, or that of its pels. */
  readonly aspect?: Aspect | undefined;
}

/** The names of all {@link PictureOptions}. */
export const PICTURE_OPTION_NAMES = Object.keys({
  deinterlace: true,
  crop: true,
  background: true,
  toBt601: true,
  scale: true,
  aspect: true,
} satisfies Record<keyof PictureOptions, true>) as readonly (keyof PictureOptions)[];

/** The options of pictures among given ones, as far as they have a value. */
export function pictureOptionsOf(
  given: {
    readonly [Name in keyof PictureOptions]?: PictureOptions[Name] | undefined;
  },
): PictureOptions {
  return Object.fromEntries(
    PICTURE_OPTION_NAMES.map(name => [name, given[name]]).filter(([, value]) => value !== undefined),
  );
}

/** Whether pictures get another size: then an input may be larger than MPEG-1 allows. */
export function changesSize({ crop, scale }: PictureOptions): boolean {
  return crop !== undefined || scale !== undefined;
}

/** Throws an OptionError for a wrong value. */
export function checkPictureOptions({ crop, scale, background, aspect }: PictureOptions): void {
  if (scale !== undefined && !(isLength(scale?.width, 1, MAX_WIDTH) && isLength(scale?.height, 1, MAX_HEIGHT))) {
    const isObject = typeof scale === 'object' && scale;
    const given = isObject ? `${scale.width}x${scale.height}` : inWords(scale);
    const legal = `legal: ${isObject ? '' : '{ width, height }, '}whole numbers, 1x1 to ${MAX_WIDTH}x${MAX_HEIGHT}`;
    throw new OptionError('scale', named => `${named('scale')} ${given} is no size of MPEG-1 pictures; ${legal}`);
  }
  if (crop !== undefined) {
    const { width, height, x, y }: CropRectangle = Object(crop);
    const isLegal = [width, height].every(length => isLength(length, 1)) && [x, y].every(at => isLength(at, 0));
    if (!isLegal) {
      const isPartial = [width, height, x, y].some(part => part === undefined);
      const given = isPartial ? inWords(crop) : cropText(crop);
      const legal = isPartial ? '{ width, height, x, y }' : 'width and height of 1 or more, as in 640x480+16+8';
      throw new OptionError('crop', named => `${named('crop')} ${given} is no part of a picture; legal: ${legal}`);
    }
  }
  if (background !== undefined) rgbOf(background);
  if (aspect !== undefined) requireAspect(aspect);
}

/** `640x480+16+8`. */
export function cropText({ width, height, x, y }: CropRectangle): string {
  return `${width}x${height}+${x}+${y}`;
}

/** Throws an OptionError unless the part lies within a picture of this size. */
export function checkCrop(name: string, crop: CropRectangle | undefined, width: number, height: number): void {
  if (!crop || (crop.x + crop.width <= width && crop.y + crop.height <= height)) return;
  throw new OptionError(
    'crop',
    named => `${named('crop')} ${cropText(crop)} does not lie within ${name}, which is ${width}x${height}`,
  );
}

/** The components of a colour. Throws an OptionError for what is none. */
export function rgbOf(colour: string): Rgb {
  const hex = parseColour(colour);
  if (hex === undefined)
    throw new OptionError(
      'background',
      named => `${named('background')} '${colour}' is no colour${suggestion(colour, COLOURS)}; legal: ${COLOUR_FORM}`,
    );
  const value = Number.parseInt(hex.slice(1), 16);
  return [value >> 16, (value >> 8) & 255, value & 255];
}

/** The `#rrggbb` of a colour; undefined for what is none. */
export function parseColour(text: string): Colour | undefined {
  const name = String(text).toLowerCase();
  if (Object.hasOwn(COLOUR_NAMES, name)) return COLOUR_NAMES[name as keyof typeof COLOUR_NAMES];
  return /^#[0-9a-f]{6}$/.test(name) ? (name as Colour) : undefined;
}

/** Whether a text is an {@link Aspect}. */
export function isAspect(text: string): text is Aspect {
  return readAspect(text) !== undefined;
}

/** The shape of the pels of a picture of this size whose aspect is given. Throws an OptionError for what is none. */
export function pelAspectOf(aspect: string, size: { readonly width: number; readonly height: number }): PelAspect {
  const { isPel, width, height } = requireAspect(aspect);
  return isPel ? { width, height } : { width: width * size.height, height: height * size.width };
}

function requireAspect(aspect: string): PelAspect & { readonly isPel: boolean } {
  const read = readAspect(aspect);
  if (!read)
    throw new OptionError(
      'aspect',
      named => `${named('aspect')} ${inWords(aspect)} is no shape; legal: ${ASPECT_FORM}`,
    );
  return read;
}

function readAspect(text: string): (PelAspect & { readonly isPel: boolean }) | undefined {
  const match = /^(sar=)?(\d{1,6}(?:\.\d{1,6})?):(\d{1,6}(?:\.\d{1,6})?)$/.exec(String(text));
  const [width, height] = [Number(match?.[2]), Number(match?.[3])];
  return match && width > 0 && height > 0 ? { isPel: match[1] !== undefined, width, height } : undefined;
}

function isLength(value: number, min: number, max = 1_000_000): boolean {
  return Number.isInteger(value) && value >= min && value <= max;
}
