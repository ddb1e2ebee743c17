// The settings at which a comparison encodes: quantizer_scales, qualities or bit rates.
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import { OptionError } from '../../errors.js';

/** The option of the encoder that differs from encode to encode. */
export type RateOption = 'q' | 'quality' | 'bitrate';

/** The encodes of an estimator: one option of the encoder, with one encode for each value. All values differ. */
export interface ComparedRates {
  readonly option: RateOption;
  /** quantizer_scales, qualities 0..100, or bit/s. */
  readonly values: readonly number[];
}

/** The flag that lists the values of an option. */
const LIST_FLAGS = { q: 'qs', quality: 'qualities', bitrate: 'bitrates' } as const;
const ONE_OF = { q: 'quantizer_scale', quality: 'quality', bitrate: 'bit rate' } as const;

/** Throws an OptionError that names the list if it is empty, or if a value is illegal or named twice. */
export function checkComparedRates({ option, values }: ComparedRates): void {
  const flag = LIST_FLAGS[option];
  const { min, max } = ENCODER_OPTIONS[option].values;
  const legal = `${min}..${max}`;
  if (values.length === 0)
    throw new OptionError(flag, `no ${ONE_OF[option]} to encode at: name at least one of ${legal}`);
  for (const [i, value] of values.entries()) {
    const isWhole = option !== 'q' || Number.isInteger(value);
    if (!(isWhole && value >= min && value <= max)) {
      throw new OptionError(flag, `${ONE_OF[option]} ${value} is not one of ${legal}`);
    }
    if (values.indexOf(value) !== i) throw new OptionError(flag, `${ONE_OF[option]} ${value} is named twice`);
  }
}

/** A setting in words: `q 4`, `quality 70`, `1150 kbit/s`. */
export function settingText(option: RateOption, value: number): string {
  return option === 'bitrate' ? `${value / 1000} kbit/s` : `${option} ${value}`;
}

/** The setting in the middle; of two, the one named first in rising order. */
export function middleSetting({ values }: ComparedRates): number {
  return [...values].sort((a, b) => a - b)[(values.length - 1) >> 1]!;
}
