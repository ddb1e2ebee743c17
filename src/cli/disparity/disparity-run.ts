// Runs `mpegpu disparity`: reads a pair, matches it, measures the disparities and writes them.
import { OptionError } from '../../errors.js';
import { imageWarnings } from '../../media/filters/input-warnings.js';
import { decodeImage } from '../../media/images/image-decoder.js';
import { type DisparityFormat, encodeDisparities, formatForPath } from '../../media/maps/disparity-file.js';
import { OutputFile } from '../../media/output/output-file.js';
import { requireSameSize } from '../../stereo/disparity-of.js';
import { grayPicture } from '../../stereo/gray-picture.js';
import type { DisparityMap, GrayPicture, StageMs } from '../../stereo/matcher.js';
import { createMatcher, type MatcherName } from '../../stereo/matchers.js';
import { type StereoOptions, type StereoSettings, stereoSettings } from '../../stereo/stereo-options.js';
import { type DisparityErrors, DisparityTruthFiles, type TruthJob } from './disparity-truth.js';

/** What `mpegpu disparity` is asked for. */
export interface DisparityJob extends StereoOptions, TruthJob {
  readonly left: string;
  readonly right: string;
  readonly output: string;
  readonly matcher?: MatcherName | undefined;
  readonly format?: DisparityFormat | undefined;
  readonly colourMap?: boolean | undefined;
  readonly overwrite?: boolean | undefined;
  /** Called with what the user should know of the pictures. */
  readonly onWarning: (message: string) => void;
}

/** What it found. */
export interface DisparityResult {
  readonly job: DisparityJob;
  readonly settings: StereoSettings;
  readonly format: DisparityFormat;
  readonly map: DisparityMap;
  readonly matcher: string;
  readonly device: string;
  /** Wall time of the matching, without the set-up. */
  readonly matchMs: number;
  readonly stageMs: StageMs | undefined;
  readonly errors: DisparityErrors | undefined;
}

/** Does the job. If a file or an option is wrong, throws before anything is written. An abort removes the output. */
export async function runDisparity(job: DisparityJob, signal: AbortSignal): Promise<DisparityResult> {
  const settings = stereoSettings(job);
  const format = job.format ?? formatForPath(job.output);
  if (job.colourMap && format !== 'png') {
    throw new OptionError(
      'colourMap',
      named => `${named('colourMap')} is for PNG of 8 bits, but the format is ${format}`,
    );
  }
  const [left, right] = [await readPicture(job.left, job), await readPicture(job.right, job)];
  requireSameSize(job.left, left, job.right, right);
  const truth = await DisparityTruthFiles.read(job, left);
  const matcher = await createMatcher(left, { ...settings, matcher: job.matcher });
  try {
    const file = await OutputFile.open(job.output, { overwrite: job.overwrite ?? false, signal });
    try {
      const startMs = performance.now();
      const map = await matcher.match(left, right);
      const matchMs = performance.now() - startMs;
      const errors = truth?.measure(map);
      const drawing = { ...map, range: settings.range, inColours: job.colourMap ?? false };
      await file.write(await encodeDisparities(drawing, format));
      await file.finish();
      const { name, device } = matcher;
      return { job, settings, format, map, matcher: name, device, matchMs, stageMs: matcher.stageMs(), errors };
    } finally {
      await file.discard();
    }
  } finally {
    await matcher.close();
  }
}

async function readPicture(path: string, { onWarning }: DisparityJob): Promise<GrayPicture> {
  const { width, height, pels, hasAlpha, ...facts } = await decodeImage(path);
  for (const warning of imageWarnings({ name: path, path }, facts, {})) onWarning(warning);
  if (hasAlpha) onWarning(`${path} has an alpha channel: it is shown on black`);
  return grayPicture(width, height, pels);
}
