// How the text after a flag is read: a number, a word, a size, a frame rate, a search range, the name of a file ...
import { FRAME_RATE_NAMES, FRAME_RATES, type FrameRate, pictureRateCode } from '../../bitstream/tables/frame-rate.js';
import { legalInWords, type OptionValues, type ValueOf } from '../../encoder/settings/option-values.js';
import { isTimeCode, TIME_CODE_FORM } from '../../encoder/settings/start-time-code.js';
import { OptionError } from '../../errors.js';
import {
  ASPECT_FORM,
  type Aspect,
  COLOUR_FORM,
  COLOURS,
  type Colour,
  type CropRectangle,
  isAspect,
  parseColour,
} from '../../media/filters/picture-options.js';
import type { SearchRange } from '../../motion/estimator.js';
import { ESTIMATOR_NAMES, requireEstimatorName } from '../../motion/registry.js';
import { suggestion } from '../../nearest-name.js';

/** The values of a flag. */
export interface FlagValues<Value> {
  /** Stands for the value in `--help`, there in angle brackets. */
  readonly placeholder: string;
  /** The legal texts in words, for error messages. */
  readonly legal: string;
  /** The names that are legal; a text that is near one of them is taken for a typo. */
  readonly names?: readonly string[];
  /**
   * The value of `text`; undefined if the text is not legal. `earlier` is the value so far of a flag that may be
   * repeated.
   */
  parse(text: string, earlier?: Value): Value | undefined;
}

/** Throws an OptionError that names the flag, the text and what is legal, unless `values` takes the text. */
export function parseFlag<Value>(flag: string, values: FlagValues<Value>, text: string, earlier?: Value): Value {
  const value = values.parse(text, earlier);
  if (value !== undefined) return value;
  throw new OptionError(flag, `--${flag} is '${text}'${suggestion(text, values.names ?? [])}; legal: ${values.legal}`);
}

/** Values of an option of the encoder. The bounds of a number are checked where the number is used. */
export function plain<Values extends OptionValues>(
  values: Values,
  placeholder: string = placeholderOf(values),
): FlagValues<ValueOf<Values>> {
  return {
    placeholder,
    legal: values.kind === 'word' ? values.words.join(', ') : legalInWords(values),
    names: namesOf(values),
    parse: text => parsePlain(text, values) as ValueOf<Values> | undefined,
  };
}

function namesOf(values: OptionValues): readonly string[] {
  if (values.kind === 'word') return values.words;
  if (values.kind === 'switch') return ['on', 'off'];
  return values.kind === 'whole number' && values.word !== undefined ? [values.word] : [];
}

function parsePlain(text: string, values: OptionValues): number | string | undefined {
  switch (values.kind) {
    case 'whole number':
      return text === values.word ? text : parseNumber(text, /^-?\d{1,15}$/);
    case 'number':
      return parseNumber(text, /^-?\d{1,9}(\.\d{1,9})?$/);
    case 'word':
      return values.words.find(word => word === text);
    case 'switch':
      return undefined;
  }
}

function parseNumber(text: string, syntax: RegExp): number | undefined {
  return syntax.test(text) ? Number(text) : undefined;
}

/** `1..31`, `psnr|ssim`, `1..175|rows`. */
function placeholderOf(values: OptionValues): string {
  if (values.kind === 'word') return values.words.join('|');
  if (values.kind === 'switch') return 'on|off';
  const word = values.kind === 'whole number' && values.word !== undefined ? `|${values.word}` : '';
  return `${values.min}..${values.max}${word}`;
}

/** Any text, such as the name of a file. */
export function anyText(placeholder: string): FlagValues<string> {
  return { placeholder, legal: 'any text', parse: text => text };
}

/** A bit rate in bit/s, rounded to a whole number. */
export const BIT_RATE: FlagValues<number> = {
  placeholder: 'rate',
  legal: 'bits per second, such as 1150000, 1150k or 1.15M',
  parse: text => {
    const match = /^(\d{1,9}(?:\.\d{1,6})?)([kM]?)$/i.exec(text);
    const factor = { '': 1, k: 1000, m: 1_000_000 }[match?.[2]?.toLowerCase() ?? ''];
    return match && factor ? Math.round(Number(match[1]) * factor) : undefined;
  },
};

/** A picture size in pels. */
export const SIZE: FlagValues<{ readonly width: number; readonly height: number }> = {
  placeholder: 'WxH',
  legal: 'WIDTHxHEIGHT, such as 640x480',
  parse: text => {
    const match = /^(\d{1,5})x(\d{1,5})$/i.exec(text);
    return match ? { width: Number(match[1]), height: Number(match[2]) } : undefined;
  },
};

/** A part of a picture: its size, and its corner at the top left. */
export const CROP: FlagValues<CropRectangle> = {
  placeholder: 'WxH+X+Y',
  legal: 'WIDTHxHEIGHT+X+Y in pels, such as 640x480+16+8',
  parse: text => {
    const match = /^(\d{1,5})x(\d{1,5})\+(\d{1,5})\+(\d{1,5})$/i.exec(text);
    if (!match) return undefined;
    const [width, height, x, y] = match.slice(1).map(Number) as [number, number, number, number];
    return { width, height, x, y };
  },
};

/** The shape of the picture or of its pels. */
export const ASPECT: FlagValues<Aspect> = {
  placeholder: 'shape',
  legal: ASPECT_FORM,
  parse: text => (isAspect(text) ? text : undefined),
};

/** A colour, as `#rrggbb`. */
export const COLOUR: FlagValues<Colour> = {
  placeholder: 'colour',
  legal: COLOUR_FORM,
  names: COLOURS,
  parse: parseColour,
};

/** `25`, `29.97` or `30000/1001`: the rate of MPEG-1 that is within 0.01 % of it. */
export const FRAME_RATE: FlagValues<FrameRate> = {
  placeholder: 'rate',
  legal: FRAME_RATE_NAMES,
  parse: text => {
    const match = /^(\d+(?:\.\d+)?)(?:\/(\d+))?$/.exec(text);
    if (!match) return undefined;
    const code = pictureRateCode({ numerator: Number(match[1]), denominator: Number(match[2] ?? 1) });
    return code === undefined ? undefined : FRAME_RATES[code - 1];
  },
};

/** A time code. The encoder checks its numbers, whose bounds depend on the frame rate. */
export const TIME_CODE: FlagValues<string> = {
  placeholder: 'HH:MM:SS:FF',
  legal: TIME_CODE_FORM,
  parse: text => (isTimeCode(text) ? text : undefined),
};

/** A search range in full pels. */
export const SEARCH_RANGE: FlagValues<SearchRange> = {
  placeholder: 'N|XxY|picture',
  legal: 'N, XxY or picture, such as 16 or 64x32',
  names: ['picture'],
  parse: text => {
    if (text === 'picture') return text;
    const match = /^(\d+)(?:x(\d+))?$/i.exec(text);
    return match ? { x: Number(match[1]), y: Number(match[2] ?? match[1]) } : undefined;
  },
};

/** The name of an estimator, or the path of a module, for a flag. */
export function estimatorName(flag: string): FlagValues<string> {
  return {
    placeholder: 'name|path',
    legal: `${ESTIMATOR_NAMES.join(', ')}, or the path of a module`,
    parse: text => {
      requireEstimatorName(text, flag);
      return text;
    },
  };
}
