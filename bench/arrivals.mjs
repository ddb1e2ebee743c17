// Measures how fast threads search each picture from the one before, which the lookahead's other searches start from.
// Each search starts from that of a picture some places earlier, and follows it row by row. Needs a build.
//
//     node bench/arrivals.mjs [--size 1920x1072] [--threads 1,2] [--distance 2] [--pictures 120] [--rounds 5]
//
// --distance: how many pictures earlier a search starts; so many chains of searches wait for nothing of each other.
import { parseArgs } from 'node:util';
import { createSharedPictures } from '../dist/encoder/coders/shared-pictures.js';
import { SourcePictures } from '../dist/encoder/gop/source-pictures.js';
import { maxAnchorDistance } from '../dist/encoder/lookahead/picture-planner.js';
import { AnalysisThreads } from '../dist/encoder/lookahead/thread/analysis-threads.js';
import { lumaOf } from '../dist/encoder/motion/motion-search.js';
import { resolveOptions } from '../dist/encoder/settings/resolve-options.js';
import { compiledKernels } from '../dist/kernels/select-kernels.js';
import { pictureOnBuffer } from '../dist/picture/picture.js';
import { panningClip } from './luma-clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { fixed, table } from './table.mjs';

const { values } = parseArgs({
  options: {
    size: { type: 'string', default: '1920x1072' },
    threads: { type: 'string', default: '1,2' },
    distance: { type: 'string', default: '2' },
    pictures: { type: 'string', default: '120' },
    rounds: { type: 'string', default: '5' },
  },
});
/** Pictures that are there; they are shown forwards and backwards. */
const DIFFERENT_PICTURES = 24;
const WARM_UP_PICTURES = 40;
/** Pictures that are asked about ahead, as in an encode with 12 threads. */
const AHEAD = 24;

const [columns, rows] = values.size.split('x').map(Number);
const { width, height, planes } = panningClip(columns, rows, DIFFERENT_PICTURES);
const settings = resolveOptions({ width, height, frameRate: 25, threads: 12, estimator: 'cpu-predictive' });
const distance = Number(values.distance);
const sources = new SourcePictures(settings.grid, true);
const { room } = createSharedPictures(settings, sources);
const kernels = await compiledKernels(settings.kernels, room);
const shown = [...planes, ...planes.toReversed()].map(plane => {
  const place = sources.free.pop();
  new Uint8Array(place.buffer, place.first).set(plane);
  return place;
});

/** Pictures a second that so many threads search. */
async function search(threads) {
  const { grid, metric, range, candidates, estimator } = settings;
  const analysis = await AnalysisThreads.start({
    options: { grid, metric, range, candidates, kernels, estimator },
    maxDistance: maxAnchorDistance(settings),
    searcher: estimator,
    forArrivals: threads,
    forDecisions: 0,
    startDistance: distance,
    onWarning: message => console.error(message),
  });
  try {
    const luma = id => {
      const { buffer, first } = shown[id % shown.length];
      return lumaOf(pictureOnBuffer(id, grid, buffer, first));
    };
    const asked = [];
    let startMs = 0;
    for (let id = 0; id < WARM_UP_PICTURES + Number(values.pictures); id++) {
      await asked[id - AHEAD];
      if (id === WARM_UP_PICTURES) startMs = performance.now();
      const startFrom = id > distance ? id - distance : undefined;
      const before = id > 0 ? luma(id - 1) : undefined;
      asked.push(analysis.arrival({ current: luma(id), before, field: undefined, startFrom, start: undefined }));
    }
    await Promise.all(asked);
    return (1000 * Number(values.pictures)) / (performance.now() - startMs);
  } finally {
    await analysis.close();
  }
}

const counts = values.threads.split(',').map(Number);
const speeds = new Map(counts.map(count => [count, []]));
for (let round = 0; round < Number(values.rounds); round++) {
  for (const count of counts) speeds.get(count).push(await search(count));
}
const first = median(speeds.get(counts[0]));
console.log(`${machineLine(describeMachine())}\n${values.size}, starts ${distance} pictures earlier`);
console.log(
  table(
    ['threads', 'pictures/s', 'times the first'],
    counts.map(count => [count, fixed(median(speeds.get(count)), 1), fixed(median(speeds.get(count)) / first, 2)]),
  ),
);
