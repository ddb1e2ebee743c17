// The flags for groups of pictures.
import { ENCODER_OPTIONS } from '../../encoder/settings/option-table.js';
import type { FlagRows } from './flag-row.js';
import { plain, TIME_CODE } from './flag-values.js';

export const GOP_FLAGS = {
  gop: {
    values: plain(ENCODER_OPTIONS.gop.values, 'n'),
    option: 'gop',
    meaning: 'pictures from one I picture to the next',
    commands: ['encode', 'plan', 'farm submit', 'compare'],
  },
  gopMin: {
    values: plain(ENCODER_OPTIONS.gopMin.values, 'n'),
    option: 'gopMin',
    meaning:
      'at least this many pictures from one I picture to the next; a scene that begins earlier starts with a P picture',
    commands: ['encode', 'plan', 'farm submit'],
  },
  bframes: {
    values: plain(ENCODER_OPTIONS.bFrames.values),
    option: 'bFrames',
    meaning: 'at most this many B pictures between two anchors',
    commands: ['encode', 'plan', 'farm submit', 'compare'],
  },
  latency: {
    values: plain(ENCODER_OPTIONS.latency.values),
    option: 'latency',
    meaning: 'low is for live pictures: no B pictures, no lookahead; each picture is out before the next frame is read',
    commands: ['encode'],
    refusedBy: ['plan', 'farm submit'],
  },
  intraRefresh: {
    values: plain(ENCODER_OPTIONS.intraRefresh.values),
    option: 'intraRefresh',
    meaning:
      'columns, with --latency low: in place of I pictures, columns of intra macroblocks from left to right, all within --gop',
    commands: ['encode'],
    refusedBy: ['plan', 'farm submit'],
  },
  startTimecode: {
    values: TIME_CODE,
    option: 'startTimeCode',
    meaning:
      'time code of the first picture; a semicolon before FF means drop frame, which needs 29.97 frames per second',
    commands: ['encode', 'plan', 'farm submit'],
  },
  openGop: {
    option: 'openGop',
    meaning: 'predict B pictures before an I picture from the group before it, too',
    negation: 'close every group: none needs another',
    commands: ['encode', 'plan', 'farm submit'],
  },
} as const satisfies FlagRows;
