// constrained_parameters_flag: set where a stream keeps to every limit of ISO/IEC 11172-2 §2.4.3.2, and only there.
import { expect, it } from 'vitest';
import {
  keepsConstrainedParameters,
  type StreamParameters,
} from '../../../src/encoder/rate-control/constrained-parameters.js';
import { resolveRate } from '../../../src/encoder/rate-control/rate-settings.js';
import { macroblockGrid } from '../../../src/picture/picture.js';

const perSecond = (numerator: number, denominator = 1) => ({ numerator, denominator });
const rateOf = (options: { bitrate: number; vbvBytes?: number; maxrate?: number }) => {
  const grid = macroblockGrid(352, 288);
  const shape = { grid, frameRate: perSecond(25), sliceRows: [0], gop: 12, slices: 1, isLive: false, refreshed: 0 };
  return resolveRate(options, shape);
};

/** The greatest of everything that Video CD has. */
const LARGEST: StreamParameters = {
  grid: macroblockGrid(352, 288),
  frameRate: perSecond(25),
  range: { x: 62, y: 62 },
  rate: rateOf({ bitrate: 1_856_000, maxrate: 1_856_000, vbvBytes: 40_960 }),
};

it.each<[string, Partial<StreamParameters>]>([
  ['396 macroblocks at 25 pictures a second, 62 pels of range, 1,856,000 bit/s and 40 KiB', {}],
  ['330 macroblocks at 30 pictures a second', { grid: macroblockGrid(352, 240), frameRate: perSecond(30) }],
  ['a width of 768', { grid: macroblockGrid(768, 128) }],
  ['a height of 576', { grid: macroblockGrid(176, 576) }],
])('a stream with %s keeps to the limits', (_, changed) => {
  expect(keepsConstrainedParameters({ ...LARGEST, ...changed })).toBe(true);
});

it.each<[string, Partial<StreamParameters>]>([
  ['vectors that need an f_code of 5 across', { range: { x: 63, y: 62 } }],
  ['vectors that need an f_code of 5 down', { range: { x: 62, y: 63 } }],
  ['vectors over the whole picture', { range: 'picture' }],
  ['more than 9900 macroblocks a second', { frameRate: perSecond(30) }],
  ['more than 30 pictures a second', { grid: macroblockGrid(160, 128), frameRate: perSecond(50) }],
  ['more than 396 macroblocks', { grid: macroblockGrid(368, 288), frameRate: perSecond(24) }],
  ['a width above 768', { grid: macroblockGrid(769, 128) }],
  ['a height above 576', { grid: macroblockGrid(160, 577) }],
  ['a higher rate', { rate: rateOf({ bitrate: 1_856_400, maxrate: 1_856_400, vbvBytes: 40_960 }) }],
  ['a larger buffer', { rate: rateOf({ bitrate: 1_856_000, maxrate: 1_856_000, vbvBytes: 43_008 }) }],
  ['no buffer', { rate: rateOf({ bitrate: 1_000_000 }) }],
  ['no rate', { rate: undefined }],
])('a stream with %s does not', (_, changed) => {
  expect(keepsConstrainedParameters({ ...LARGEST, ...changed })).toBe(false);
});
