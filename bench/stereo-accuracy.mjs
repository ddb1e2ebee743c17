// Measures the disparities of a stereo pair of one's own against its truth, at its size and scaled down.
// Needs a build.
//
//     node bench/stereo-accuracy.mjs LEFT RIGHT TRUTH [--truth-scale N] [--mask FILE] [--divisors 1,2,3]
//
// TRUTH is a gray image of disparities of the left picture: its values are divided by N (default 1), and 0 is unknown.
// Without a mask, a pel counts as occluded where its match lies outside of the right picture, or where a pel whose
// disparity is larger by more than 1 has the same match. Pictures are scaled by a cubic
// filter; truth and mask are sampled.
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { readGrayImage } from '../dist/media/maps/gray-image.js';
import { badPixelsOf } from '../dist/stereo/disparity-quality.js';
import { grayPicture } from '../dist/stereo/gray-picture.js';
import { createMatcher } from '../dist/stereo/matchers.js';
import { fixed, table } from './table.mjs';

const { values: options, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    'truth-scale': { type: 'string', default: '1' },
    mask: { type: 'string' },
    divisors: { type: 'string', default: '1,2,3' },
  },
});
const [leftFile, rightFile, truthFile] = positionals;
if (positionals.length !== 3) throw new Error('three files are needed: LEFT RIGHT TRUTH');
const truthScale = Number(options['truth-scale']);

const CHOICES = {
  defaults: {},
  '`--cost census`': { cost: 'census' },
  '`--cost bt`': { cost: 'bt' },
  '`--p1 7 --p2 60`': { p1: 7, p2: 60 },
  '`--p1 30 --p2 150`': { p1: 30, p2: 150 },
};
const MAX_RANGE = 256;

async function pictureOf(file, { width, height }) {
  const image = sharp(file).removeAlpha().toColourspace('srgb').resize(width, height, { kernel: 'cubic', fit: 'fill' });
  return grayPicture(width, height, new Uint8Array(await image.raw().toBuffer()));
}

/** 0 where a pel is occluded, else 1. */
function maskOf({ width, height, values }) {
  const mask = new Uint8Array(width * height);
  for (let y = 0; y < height; y++) {
    const nearest = new Float32Array(width);
    const matchOf = x => Math.round(x - values[y * width + x]);
    const forEachMatch = use => {
      for (let x = 0; x < width; x++) if (matchOf(x) >= 0) use(matchOf(x), y * width + x);
    };
    forEachMatch((match, pel) => {
      nearest[match] = Math.max(nearest[match], values[pel]);
    });
    forEachMatch((match, pel) => {
      mask[pel] = values[pel] > 0 && nearest[match] <= values[pel] + 1 ? 1 : 0;
    });
  }
  return mask;
}

/** The nearest samples of a map, for pictures of another size. */
function sampled({ width, height, values }, to) {
  return Float32Array.from({ length: to.width * to.height }, (_, pel) => {
    const x = Math.floor((((pel % to.width) + 0.5) * width) / to.width);
    const y = Math.floor(((Math.floor(pel / to.width) + 0.5) * height) / to.height);
    return values[y * width + x];
  });
}

async function measure(truth, mask, divisor) {
  const size = { width: Math.round(truth.width / divisor), height: Math.round(truth.height / divisor) };
  const disparity = sampled(truth, size).map(value => (value * size.width) / truth.width);
  const scaled = { name: truthFile, ...size, disparity };
  const scaledMask = sampled({ ...truth, values: mask }, size);
  const largest = disparity.reduce((most, value) => Math.max(most, value));
  const range = Math.min(MAX_RANGE, 16 * Math.ceil((largest + 1) / 16));
  const pair = [await pictureOf(leftFile, size), await pictureOf(rightFile, size)];
  const rows = [];
  for (const [choice, chosen] of Object.entries(CHOICES)) {
    const matcher = await createMatcher(size, { matcher: 'cpu-sgm', range, ...chosen });
    const { sixteenths } = await matcher.match(...pair);
    await matcher.close();
    const disparityAt = (x, y) => sixteenths[y * size.width + x] / 16;
    const shares = [{ ...scaled, mask: scaledMask }, scaled].flatMap(counted => {
      const { above1, above2 } = badPixelsOf(disparityAt, counted);
      return [`${fixed(100 * above1, 2)} %`, `${fixed(100 * above2, 2)} %`];
    });
    rows.push([`${size.width}x${size.height}`, range, choice, ...shares]);
  }
  return rows;
}

const map = await readGrayImage(truthFile);
const truth = { ...map, values: Float32Array.from(map.values, value => value / truthScale) };
const mask = options.mask ? (await readGrayImage(options.mask)).values : maskOf(truth);
const rows = [];
for (const divisor of options.divisors.split(',').map(Number)) rows.push(...(await measure(truth, mask, divisor)));
const heads = ['not occluded, > 1 pel', '> 2 pels', 'all, > 1 pel', '> 2 pels'];
console.log(table(['size', 'range', 'options', ...heads], rows));
