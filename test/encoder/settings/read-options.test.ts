// Options that are wrong: each is an OptionError of the constructor that names the option.
import { describe, expect, it } from 'vitest';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { ENCODER_OPTIONS } from '../../../src/encoder/settings/option-table.js';
import { OptionError } from '../../../src/errors.js';
import { nearestName, suggestion } from '../../../src/nearest-name.js';

const GOOD = { width: 48, height: 32, frameRate: 25 };

/** The error of an encoder with these options. */
function errorOf(options: unknown): OptionError {
  try {
    new Encoder(options as EncoderOptions);
  } catch (error) {
    expect(error).toBeInstanceOf(OptionError);
    return error as OptionError;
  }
  throw new Error('the options were accepted');
}

/** An object that throws whatever is asked of it. */
const hostile = new Proxy(
  {},
  {
    get: () => {
      throw new Error('no');
    },
  },
);

describe('an encoder', () => {
  it.each([null, undefined, 5, 'q=4', () => {}])('refuses options that are %s', options => {
    expect(errorOf(options).option).toBe('options');
  });

  it('refuses null as any option, and what has no sense', () => {
    for (const name of Object.keys(ENCODER_OPTIONS)) {
      for (const value of [null, Number.NaN, Symbol('q'), hostile]) {
        if (name === 'tools' && value === hostile) continue; // an object that has no tools
        const { option, message } = errorOf({ ...GOOD, [name]: value });
        expect(`${option}: ${message}`, name).toMatch(new RegExp(`^${name}: .*${name}`));
      }
    }
  });

  it('refuses one whose getter throws', () => {
    const options = {
      ...GOOD,
      get gop() {
        throw new Error('not today');
      },
    };
    expect(errorOf(options)).toMatchObject({ option: 'gop', message: 'gop cannot be read: not today' });
  });

  it.each<[string, object, string]>([
    ['frameRate', { frameRate: '25' }, "frameRate '25' is not one of MPEG-1's rates"],
    ['frameRate', { frameRate: { numerator: 25 } }, 'frameRate {"numerator":25} is not one of'],
    ['frameRate', { frameRate: undefined }, 'frameRate undefined is not'],
    ['width', { width: '48' }, "width '48' is not a whole number from 1 to 4095 pels"],
    ['q', { q: 5n }, 'q 5 is not a whole number from 1 to 31'],
    ['cbr', { cbr: 'no', bitrate: 1e6 }, "cbr 'no' is not true or false"],
    ['openGop', { openGop: 1 }, 'openGop 1 is not true or false'],
    ['adaptiveTypes', { adaptiveTypes: 'off' }, "adaptiveTypes 'off' is not true or false"],
    ['bitrate', { bitrate: '1M' }, "bitrate '1M' is not a number from 1000"],
    ['vbvBytes', { vbvBytes: 5 }, 'vbvBytes 5 is not a number from 2048'],
    [
      'maxrate',
      { bitrate: 1e6, maxrate: 5e5 },
      'maxrate 500000 is less than bitrate 1000000, the mean; legal: 1000000..104856800',
    ],
    ['firstPass', { firstPass: [{ type: 'I' }], bitrate: 1e6 }, 'is not the passStatistics of an encode'],
    ['intraMatrix', { intraMatrix: [8, 16] }, 'intraMatrix [8,16] is not a list of 64 numbers'],
    ['intraMatrix[1]', { intraMatrix: [8, '16', ...new Array(62).fill(16)] }, "intraMatrix[1] '16' is not"],
    ['range', { range: 16 }, 'range is 16; legal: whole numbers 0..'],
    ['range', { range: { x: 16 } }, 'range is {"x":16}; legal: whole numbers 0..'],
    ['range', { range: { x: -1, y: 8 } }, 'range is -1; legal: whole numbers 0..'],
    [
      'estimator',
      { estimator: 'cpu-ful' },
      "estimator 'cpu-ful' does not exist (did you mean cpu-full?); legal: auto, ",
    ],
    ['estimator', { estimator: {} }, 'estimator {} is not the name of an estimator'],
    ['tools', { tools: { treillis: 'all' } }, "tools 'treillis' does not exist (did you mean trellis?); legal: "],
    ['tools.trellis', { tools: { trellis: true } }, 'tools.trellis true does not exist; legal: none, '],
    ['kernels', { kernels: 'mmx' }, "kernels 'mmx' does not exist; legal: simd, reference"],
    ['signal', { signal: {} }, 'signal {} is not an AbortSignal'],
    ['onPicture', { onPicture: 'log' }, "onPicture 'log' is not a function"],
    ['qualty', { qualty: 50 }, "the option 'qualty' does not exist; did you mean quality?"],
    ['fps', { fps: 25 }, "the option 'fps' does not exist; the type EncoderOptions lists"],
  ])('refuses %s as in %o', (option, more, says) => {
    const error = errorOf({ ...GOOD, ...more });
    expect(error.option).toBe(option);
    expect(error.message).toContain(says);
  });

  it('refuses a first pass that no encode has, before it begins', () => {
    const picture = (type: string, more: object = {}) => ({ type, bits: 900, quantizerScale: 4, ...more });
    const cases = [
      [picture('P'), picture('P')],
      [picture('I'), picture('B'), picture('P')],
      [picture('I'), picture('P'), picture('b')],
      new Array(3),
      ...[Number.NaN, Number.POSITIVE_INFINITY, 0, null, 900n, '900', [900]].map(bits => [picture('I', { bits })]),
      ...[0, Number.NaN, Number.POSITIVE_INFINITY, null, '4'].map(scale => [picture('I', { quantizerScale: scale })]),
    ];
    for (const firstPass of cases) {
      const error = errorOf({ ...GOOD, bitrate: 1e6, firstPass });
      expect(error).toMatchObject({ option: 'firstPass' });
      expect(error.message).toMatch(/^firstPass .* is not the passStatistics of an encode$/);
    }
    new Encoder({ ...GOOD, bitrate: 1e6, firstPass: [] });
  });

  it('takes the path of a module without loading it, and what is undefined as left out', () => {
    new Encoder({ ...GOOD, estimator: './no/such/module.js' });
    const nothing = Object.fromEntries(Object.keys(ENCODER_OPTIONS).map(name => [name, undefined]));
    new Encoder({
      ...nothing,
      unknown: undefined,
      tools: { trellis: undefined },
      ...GOOD,
    } as unknown as EncoderOptions);
  });
});

describe('the nearest name', () => {
  it.each([
    ['Bframes', 'bFrames'],
    ['bitrat', 'bitrate'],
    ['gpo', 'gop'],
    ['bfr', 'bFrames'],
    ['b', undefined],
    ['xyz', undefined],
  ])('of %s is %s', (word, nearest) => expect(nearestName(word, ['q', 'gop', 'bFrames', 'bitrate'])).toBe(nearest));
  it('is not offered where it reads like the word', () =>
    expect([suggestion('a\ufffd', ['a\ufffd', 'b']), suggestion('fsat', ['fast'])]).toEqual([
      '',
      ' (did you mean fast?)',
    ]));
});
