// What the value of an option may be: kinds of values, the check of a value, and what is legal in words.
import { OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';
import { suggestion } from '../../nearest-name.js';

/** A whole number from `min` to `max`, or `word` where there is one. */
export interface WholeNumbers<Word extends string = never> {
  readonly kind: 'whole number';
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
  readonly word?: Word;
}

/** A number from `min` to `max`, fractions included. */
export interface Numbers {
  readonly kind: 'number';
  readonly min: number;
  readonly max: number;
  readonly unit?: string;
}

/** One of a few words. */
export interface Words<Word extends string> {
  readonly kind: 'word';
  readonly words: readonly Word[];
}

/** True or false; `on` or `off` on the command line. */
export interface Switch {
  readonly kind: 'switch';
}

export type OptionValues = WholeNumbers<string> | Numbers | Words<string> | Switch;

/** Values without a plain form, such as functions. */
export interface OtherValues {
  readonly kind: 'other';
  /** What is legal as part of a sentence: 'a function'. */
  readonly legal: string;
  readonly isLegal: (value: unknown) => boolean;
}

/** The type of a value among `Values`. */
export type ValueOf<Values> =
  Values extends WholeNumbers<infer Word>
    ? number | Word
    : Values extends Numbers
      ? number
      : Values extends Words<infer Word>
        ? Word
        : Values extends Switch
          ? boolean
          : never;

export const SWITCH: Switch = { kind: 'switch' };

/** Whole numbers from `min` to `max`, both included. */
export function wholeNumbers(min: number, max: number, unit?: string): WholeNumbers {
  return { kind: 'whole number', min, max, ...(unit !== undefined && { unit }) };
}

/** Numbers from `min` to `max`, both included. */
export function numbers(min: number, max: number, unit?: string): Numbers {
  return { kind: 'number', min, max, ...(unit !== undefined && { unit }) };
}

/** These words and no others. */
export function words<const Word extends string>(legal: readonly Word[]): Words<Word> {
  return { kind: 'word', words: legal };
}

/** Values that `isLegal` takes; `legal` says in words which these are. */
export function otherValues(legal: string, isLegal: (value: unknown) => boolean): OtherValues {
  return { kind: 'other', legal, isLegal };
}

/** `value` if it is legal. Throws an OptionError that names the option, the value and what is legal. */
export function checkValue<Values extends OptionValues | OtherValues>(
  option: string,
  value: unknown,
  values: Values,
): ValueOf<Values> {
  if (isLegal(value, values)) return value as ValueOf<Values>;
  if (values.kind === 'word') throw unknownWord(option, value, values.words);
  const nearest = values.kind === 'whole number' ? suggestion(value, [values.word ?? '']) : '';
  throw new OptionError(option, named => `${named(option)} ${inWords(value)} is not ${legalInWords(values)}${nearest}`);
}

/** The error for a word that is none of the legal ones. */
export function unknownWord(option: string, word: unknown, legal: readonly string[]): OptionError {
  const wrong = `${inWords(word)} does not exist${suggestion(word, legal)}`;
  return new OptionError(option, named => `${named(option)} ${wrong}; legal: ${legal.join(', ')}`);
}

/** What is legal as part of a sentence: 'a whole number from 1 to 31', 'none, chosen or all'. */
export function legalInWords(values: OptionValues | OtherValues): string {
  const unit = 'unit' in values ? ` ${values.unit}` : '';
  switch (values.kind) {
    case 'whole number': {
      const or = values.word === undefined ? '' : ` or '${values.word}'`;
      if (values.max === Number.POSITIVE_INFINITY) return `a whole number of ${values.min} or more${unit}${or}`;
      return `a whole number from ${values.min} to ${values.max}${unit}${or}`;
    }
    case 'number':
      return `a number from ${values.min} to ${values.max}${unit}`;
    case 'word':
      return `one of ${values.words.join(', ')}`;
    case 'switch':
      return 'true or false';
    case 'other':
      return values.legal;
  }
}

function isLegal(value: unknown, values: OptionValues | OtherValues): boolean {
  switch (values.kind) {
    case 'whole number':
      return (Number.isInteger(value) && isBetween(value, values)) || (value !== undefined && value === values.word);
    case 'number':
      return isBetween(value, values);
    case 'word':
      return values.words.some(word => word === value);
    case 'switch':
      return typeof value === 'boolean';
    case 'other':
      return values.isLegal(value);
  }
}

function isBetween(value: unknown, { min, max }: { readonly min: number; readonly max: number }): boolean {
  return typeof value === 'number' && value >= min && value <= max;
}
