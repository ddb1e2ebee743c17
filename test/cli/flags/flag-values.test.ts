// How the texts after flags are read.
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { PLAN_FLAGS } from '../../../src/cli/flags/chunk-flags.js';
import { CODING_FLAGS } from '../../../src/cli/flags/coding-flags.js';
import { COMPARE_FLAGS } from '../../../src/cli/flags/compare-flags.js';
import { encoderOptions } from '../../../src/cli/flags/encoder-options.js';
import { ESTIMATE_FLAGS } from '../../../src/cli/flags/estimate-flags.js';
import { asFlag } from '../../../src/cli/flags/flag-table.js';
import { BIT_RATE, FRAME_RATE, parseFlag, SEARCH_RANGE, SIZE } from '../../../src/cli/flags/flag-values.js';
import { GOP_FLAGS } from '../../../src/cli/flags/gop-flags.js';
import { TOOL_SWITCHES } from '../../../src/cli/flags/tool-flags.js';
import type { ToolSwitches } from '../../../src/encoder/settings/tool-switches.js';
import { OptionError } from '../../../src/errors.js';

const parseFps = (text: string) => parseFlag('fps', FRAME_RATE, text);
const parseRange = (text: string) => parseFlag('range', SEARCH_RANGE, text);
const parseSize = (text: string) => parseFlag('size', SIZE, text);
const parseSlices = (text: string) => parseFlag('slices', CODING_FLAGS.slices.values, text);
const parseTool = (text: string, before?: ToolSwitches) => parseFlag('tool', TOOL_SWITCHES, text, before);

describe('the values of flags', () => {
  it.each([
    ['25', 25, 1],
    ['29.97', 30000, 1001],
    ['30000/1001', 30000, 1001],
    ['23.976', 24000, 1001],
    ['59.94', 60000, 1001],
    ['50', 50, 1],
    ['50/2', 25, 1],
  ])('--fps %s is %d/%d', (text, numerator, denominator) => {
    expect(parseFps(text)).toEqual({ numerator, denominator });
  });

  it('--fps takes every legal rate as a fraction, and nothing that is not within 0.01 % of one', () => {
    for (const rate of FRAME_RATES) expect(parseFps(`${rate.numerator}/${rate.denominator}`)).toEqual(rate);
    for (const text of ['0', '15', '29', '25/0', '1e2', 'pal', '', '-25', '25.1']) {
      expect(() => parseFps(text), text).toThrow(OptionError);
    }
  });

  it('--range is N, XxY or picture', () => {
    fc.assert(
      fc.property(fc.nat(4095), fc.nat(4095), (x, y) => {
        expect(parseRange(`${x}x${y}`)).toEqual({ x, y });
        expect(parseRange(String(x))).toEqual({ x, y: x });
      }),
    );
    expect(parseRange('picture')).toBe('picture');
    for (const text of ['', 'x', '16x', '-4', '3.5', '16x16x16'])
      expect(() => parseRange(text), text).toThrow(OptionError);
  });

  it('--size is WxH', () => {
    expect(parseSize('640x480')).toEqual({ width: 640, height: 480 });
    for (const text of ['640', '640*480', 'x480', '640x480 ']) expect(() => parseSize(text), text).toThrow(OptionError);
  });

  it.each([
    ['1150000', 1_150_000],
    ['1150k', 1_150_000],
    ['1.15M', 1_150_000],
    ['0.1285K', 129],
    ['2m', 2_000_000],
  ])('--bitrate %s is %d bit/s', (text, bitRate) => {
    expect(parseFlag('bitrate', BIT_RATE, text)).toBe(bitRate);
  });

  it('--bitrate is no other text', () => {
    for (const text of ['', 'k', '1e6', '-1', '1.', '.5M', '1kb', '1 M', '1G']) {
      expect(() => parseFlag('bitrate', BIT_RATE, text), text).toThrow(OptionError);
    }
  });

  it('--chunk-seconds is the least and the greatest length; the greatest is 4 times the least if it is not given', () => {
    const parse = (text: string) => parseFlag('chunk-seconds', PLAN_FLAGS.chunkSeconds.values, text);
    expect(['5', '0.5', '5-12.5', '5-5'].map(parse)).toEqual([
      { min: 5, max: 20 },
      { min: 0.5, max: 2 },
      { min: 5, max: 12.5 },
      { min: 5, max: 5 },
    ]);
    for (const text of ['', '0', '0-5', '5-4.9', '-5', '5-', '5-6-7', '1e1'])
      expect(() => parse(text), text).toThrow(OptionError);
  });

  it('the lists of compare take the bounds that they name, and nothing beyond', () => {
    const lists = {
      qs: ['1,31', '0', '32'],
      qualities: ['0,100', '-1', '100.5'],
      bitrates: ['1k,104856800', '999', '105M'],
    };
    for (const [flag, [legal = '', ...others]] of Object.entries(lists)) {
      const { values } = COMPARE_FLAGS[flag as keyof typeof lists];
      expect(parseFlag(flag, values, legal)).toHaveLength(2);
      for (const text of others) expect(() => parseFlag(flag, values, text), text).toThrow(OptionError);
    }
  });

  it('--slices is a number or rows', () => {
    expect([parseSlices('rows'), parseSlices('3')]).toEqual(['rows', 3]);
    expect(() => parseSlices('columns')).toThrow(OptionError);
  });

  it('--tool adds to what was given before', () => {
    const tools = ['trellis=all', 'coded-vectors=8', 'rate-distortion-modes=on', 'trellis=none'].reduce(
      (before, text) => parseTool(text, before),
      {},
    );
    expect(tools).toEqual({ trellis: 'none', rdVectorCandidates: 8, rateDistortionModes: true });
    expect(() => parseTool('trelis=all')).toThrow(
      /'trelis' does not exist \(did you mean trellis\?\); legal: .*neighbour-vectors/,
    );
    expect(() => parseTool('trellis')).toThrow(/needs a value: trellis=none, chosen, all/);
    expect(() => parseTool('adaptive-types=1')).toThrow(/'1'; legal: on, off/);
    expect(() => parseTool('trellis=all=none')).toThrow(/--tool trellis is 'all=none'; legal: none, chosen, all/);
  });

  it.each([
    ['coded-vectors=8', 'rd-vector-candidates=8'],
    ['scale-steps=2', 'quantizer-search-radius=2'],
    ['search-b-pictures=near', 'b-picture-motion=near'],
  ])('--tool %s is an old way to write %s', (former, text) => {
    expect(parseTool(former)).toEqual(parseTool(text));
  });

  it('options are named by their flags in messages, and what no flag sets as it is', () => {
    const options = ['gopMin', 'tools.trellis', 'tools.rdVectorCandidates', 'intraMatrix[3]', 'startTicks'];
    const flags = ['--gop-min', '--tool trellis', '--tool rd-vector-candidates', '--intra-matrix[3]', 'startTicks'];
    expect(options.map(asFlag)).toEqual(flags);
    const ofEstimate = ['blockSize', 'candidatesPerBlock', 'pelAspectRatio'];
    expect(ofEstimate.map(asFlag)).toEqual(['--block', '--candidates', '--aspect']);
  });

  it('whole numbers name their option', () => {
    const parseGop = (text: string) => parseFlag('gop', GOP_FLAGS.gop.values, text);
    expect(parseGop('12')).toBe(12);
    for (const text of ['', '1.5', '1e3', ' 1', '0x10']) {
      expect(() => parseGop(text), text).toThrow(`--gop is '${text}'; legal: a whole number from 1 to 1000000`);
    }
  });

  it('--start-timecode has the form of a time code, and is an option of the encoder', () => {
    const parse = (text: string) => parseFlag('start-timecode', GOP_FLAGS.startTimecode.values, text);
    for (const text of ['10:00:00:00', '23:59:59;29']) expect(parse(text)).toBe(text);
    for (const text of ['', '10:00:00', '1:0:0:0', '10:00:00.00', '10:00:00:000', '-1:00:00:00']) {
      expect(() => parse(text), text).toThrow(/legal: HH:MM:SS:FF, such as 10:00:00:00; HH:MM:SS;FF for drop frame/);
    }
    const flags = { output: 'a.m1v', startTimecode: '10:00:00:00' };
    expect(encoderOptions(flags)).toEqual({ startTimeCode: '10:00:00:00' });
  });

  it('--disparity-scale is any number above 0', () => {
    const parseScale = (text: string) => parseFlag('disparity-scale', ESTIMATE_FLAGS.disparityScale.values, text);
    expect([parseScale('4'), parseScale('.5'), parseScale('1e-2')]).toEqual([4, 0.5, 0.01]);
    for (const text of ['0', '-1', '', 'x', 'Infinity'])
      expect(() => parseScale(text), text).toThrow(/legal: a finite number above 0/);
  });
});
