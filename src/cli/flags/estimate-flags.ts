// The flags of `mpegpu estimate` alone.
import { wholeNumbers, words } from '../../encoder/settings/option-values.js';
import { MAX_CANDIDATES } from '../../kernels/records/search-job.js';
import { CONTAINER_EXTENSIONS } from '../../media/containers/container.js';
import type { FlagRows } from './flag-row.js';
import { anyText, estimatorName, type FlagValues, plain } from './flag-values.js';

export const DEFAULT_BLOCK_SIZE = 16;
export const DEFAULT_CANDIDATES = 1;

const BLOCK_SIZE: FlagValues<8 | 16> = {
  placeholder: '8|16',
  legal: '8, 16',
  parse: text => (text === '8' ? 8 : text === '16' ? 16 : undefined),
};

/** What numbers of a file are divided by. */
export const DIVISOR: FlagValues<number> = {
  placeholder: 'number',
  legal: 'a finite number above 0',
  parse: text => {
    const value = text.trim() === '' ? Number.NaN : Number(text);
    return value > 0 && Number.isFinite(value) ? value : undefined;
  },
};

export const ESTIMATE_FLAGS = {
  block: {
    values: BLOCK_SIZE,
    default: String(DEFAULT_BLOCK_SIZE),
    meaning: 'side of a block in pels',
    commands: ['estimate'],
  },
  candidates: {
    values: plain(wholeNumbers(1, MAX_CANDIDATES)),
    default: String(DEFAULT_CANDIDATES),
    meaning: 'vectors per block that the estimator is asked for',
    commands: ['estimate'],
  },
  reference: {
    values: plain(words(['previous', 'next'])),
    default: 'previous; next with --truth and --disparity',
    meaning: 'search each frame in the previous or in the next one',
    commands: ['estimate'],
  },
  gray: {
    meaning: 'measure and show luma only',
    commands: ['estimate'],
  },
  against: {
    values: estimatorName('against'),
    meaning: 'report how many vectors are the same as those of another estimator',
    commands: ['estimate'],
  },
  vectors: {
    values: anyText('file.jsonl'),
    meaning: 'write the vectors in full pels, a line of JSON per pair of frames',
    commands: ['estimate'],
  },
  csv: {
    values: anyText('file.csv'),
    meaning: 'write a table with a row for each pair of frames',
    commands: ['estimate'],
  },
  flo: {
    values: anyText('folder'),
    meaning: 'write the field of each pair as a Middlebury .flo file, a vector per pel',
    commands: ['estimate'],
  },
  kitti: {
    values: anyText('folder'),
    meaning: 'write the field of each pair as a flow PNG of KITTI, of 16 bits, a vector per pel',
    commands: ['estimate'],
  },
  pictures: {
    values: anyText('folder'),
    meaning:
      'write four PNGs of each pair: the difference without and with motion compensation, the vectors alone and over the reference',
    commands: ['estimate'],
  },
  overlay: {
    values: anyText('folder'),
    meaning: 'write the vectors of each pair, drawn over the frame, as PNG',
    commands: ['estimate'],
  },
  overlayVideo: {
    values: anyText('file'),
    meaning: `write the pictures of --overlay as a video: ${CONTAINER_EXTENSIONS.join(', ')}`,
    commands: ['estimate'],
  },
  residuals: {
    values: anyText('folder'),
    meaning: 'write the difference of each frame before and after motion compensation as PNG',
    commands: ['estimate'],
  },
  predicted: {
    values: anyText('folder'),
    meaning: 'write the frames that the vectors predict as PNG',
    commands: ['estimate'],
  },
  truth: {
    values: anyText('file'),
    meaning: 'true flow from the first frame to the second, .flo or a flow PNG of KITTI: report the endpoint error',
    commands: ['estimate'],
  },
  disparity: {
    values: anyText('file'),
    meaning: 'true disparity of the first frame, the left one of a stereo pair: report bad pixels',
    commands: ['estimate'],
  },
  disparityScale: {
    values: DIVISOR,
    default: '1',
    meaning: 'divide the values of the disparity map by this to get pels',
    commands: ['estimate'],
  },
  mask: {
    values: anyText('file'),
    meaning: 'leave out the pels that are 0 in this image from the bad pixels',
    commands: ['estimate'],
  },
} as const satisfies FlagRows;
