// Measures how far a place may differ from its pattern: what the default tolerance of `mpegpu locate` follows from.
// Patterns are cut at random from the first picture of each real clip and searched in copies of the picture with JPEG
// artefacts and noise. A table: for each tolerance, the share of patterns that are found where they were cut, and the
// places beside, which look like the pattern without being it. Needs a build, ffmpeg and the clips.
//
//     node bench/locate-tolerance.mjs [--side 16] [--patterns 20]
import { parseArgs } from 'node:util';
import sharp from 'sharp';
import { findRgbSource } from '../dist/media/rgb/rgb-source.js';
import { Random } from '../dist/samples/random.js';
import { createPatternSearch } from '../dist/vision.js';
import { listClips, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const { values } = parseArgs({
  options: { side: { type: 'string', default: '16' }, patterns: { type: 'string', default: '20' } },
});
const SIDE = Number(values.side);
const PATTERNS = Number(values.patterns);
const TOLERANCES = [4, 6, 8, 10, 12, 14, 16, 20, 24];
/** A pattern of less contrast, as a patch of sky, looks like its surroundings. */
const MIN_DEVIATION = 15;

const raw = ({ width, height, channels }) => ({ raw: { width, height, channels } });
const jpeg = quality => async picture => {
  const bytes = await sharp(picture.pels, raw(picture)).jpeg({ quality }).toBuffer();
  return { ...picture, pels: await sharp(bytes).raw().toBuffer() };
};
/** Gaussian noise of a standard deviation, by the sum of twelve uniform numbers. */
const noise = deviation => async picture => {
  const random = new Random(5, 0);
  const gauss = () => Array.from({ length: 12 }, () => random.fraction(0, 1)).reduce((sum, value) => sum + value, -6);
  return { ...picture, pels: Uint8ClampedArray.from(picture.pels, value => value + deviation * gauss()) };
};
const DAMAGES = {
  none: async picture => picture,
  'JPEG 75': jpeg(75),
  'JPEG 50': jpeg(50),
  'noise 5': noise(5),
  'noise 10': noise(10),
};

/** A part of a picture. */
function cut({ width, channels, pels }, x, y) {
  const part = new Uint8Array(SIDE * SIDE * channels);
  for (let row = 0; row < SIDE; row++) {
    const from = ((y + row) * width + x) * channels;
    part.set(pels.subarray(from, from + SIDE * channels), row * SIDE * channels);
  }
  return { width: SIDE, height: SIDE, channels, pels: part };
}

function deviation({ pels }) {
  const mean = pels.reduce((sum, value) => sum + value, 0) / pels.length;
  return Math.sqrt(pels.reduce((sum, value) => sum + (value - mean) ** 2, 0) / pels.length);
}

/** Patterns of a picture that have some contrast, and where they are. */
function* patternsOf(picture) {
  const random = new Random(9, 0);
  for (let tries = 0, found = 0; tries < 50 * PATTERNS && found < PATTERNS; tries++) {
    const x = random.integer(0, picture.width - SIDE);
    const y = random.integer(0, picture.height - SIDE);
    const pattern = cut(picture, x, y);
    if (deviation(pattern) < MIN_DEVIATION) continue;
    found++;
    yield { pattern, x, y };
  }
}

/** Of each damage and tolerance: how many patterns were found, and how many other places. */
const counts = Object.fromEntries(
  Object.keys(DAMAGES).map(name => [name, TOLERANCES.map(() => ({ found: 0, others: 0, patternsWithOthers: 0 }))]),
);
let total = 0;
for (const clip of listClips(SEQUENCES)) {
  const source = await findRgbSource(clip.path, { frames: 1, damage: 'warn' });
  const signal = new AbortController().signal;
  let picture;
  for await (const { width, height, pels } of source.pictures(signal)) picture ??= { width, height, channels: 3, pels };
  if (picture.width * picture.height > 1e6) continue;
  for (const [name, damage] of Object.entries(DAMAGES)) {
    const damaged = await damage(picture);
    for (const { pattern, x, y } of patternsOf(picture)) {
      if (name === 'none') total++;
      const search = await createPatternSearch(pattern, { device: 'cpu', tolerance: Math.max(...TOLERANCES) });
      const places = await search.search(damaged);
      const isNear = place => Math.abs(place.x - x) <= 1 && Math.abs(place.y - y) <= 1;
      for (const [i, tolerance] of TOLERANCES.entries()) {
        const within = places.filter(({ error }) => error <= tolerance);
        const others = within.filter(place => !isNear(place)).length;
        const count = counts[name][i];
        count.found += within.some(isNear) ? 1 : 0;
        count.others += others;
        count.patternsWithOthers += others > 0 ? 1 : 0;
      }
    }
  }
}

const percent = (count, of) => `${fixed((100 * count) / of, 1)} %`;
console.log(`${machineLine(describeMachine())}\n\n${total} patterns of ${SIDE}x${SIDE}\n`);
console.log(
  table(
    ['tolerance', ...Object.keys(DAMAGES).map(name => `found, ${name}`), 'with other places', 'other places a pattern'],
    TOLERANCES.map((tolerance, i) => [
      tolerance,
      ...Object.keys(DAMAGES).map(name => percent(counts[name][i].found, total)),
      percent(counts.none[i].patternsWithOthers, total),
      fixed(counts.none[i].others / total, 2),
    ]),
  ),
);
