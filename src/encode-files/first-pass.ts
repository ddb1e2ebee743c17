// The first of two passes: an encode that is measured and thrown away.
import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import type { Encoder } from '../encoder/encoder.js';
import type { PassStatistics } from '../encoder/rate-control/pass-statistics.js';
import type { PictureReport } from '../encoder/report/picture-report.js';
import { callsNoEncoder } from '../encoder/settings/calls-no-encoder.js';
import type { FrameSample } from '../encoder/tuning/frame-sample.js';
import type { FrameSource } from '../media/frames/frame-source.js';
import { framesUntilStopped } from './open-input.js';
import type { ShowProgress } from './progress.js';
import { Interrupted, type Stops } from './stops.js';

/** The source of a first pass, and who is told about it. */
export interface FirstPassJob {
  readonly source: FrameSource;
  readonly frameRate: FrameRate;
  readonly showProgress: ShowProgress;
  /** Aborted when the whole encode is given up. */
  readonly signal: AbortSignal;
  /** Takes the frames by which the intra matrix is tuned; undefined if it is not tuned. */
  readonly sample: FrameSample | undefined;
}

/**
 * Encodes a source, drops the stream and returns the statistics. `makeEncoder` makes an encoder that calls `onPicture`
 * after each picture. Throws Interrupted when the user stops it.
 */
export async function runFirstPass(
  { source, frameRate, showProgress, signal, sample }: FirstPassJob,
  interruption: Stops,
  makeEncoder: (onPicture: (report: PictureReport) => void) => Encoder,
): Promise<PassStatistics> {
  const progress = showProgress(source.frameCount, { label: 'pass 1 of 2', frameRate });
  let coded = 0;
  const encoder = makeEncoder(callsNoEncoder(report => progress.update(++coded, report)));
  const dropping = dropUnits(encoder);
  dropping.catch(() => {}); // `finish` throws the same error
  try {
    // The sample keeps frames, which an encoder would use again.
    const memory = sample ? undefined : encoder;
    for await (const frame of framesUntilStopped(source, interruption.stop, signal, memory)) {
      sample?.add(frame);
      await encoder.add(frame);
    }
    await encoder.finish();
    await dropping;
    if (interruption.stop.aborted) throw new Interrupted('interrupted in the first pass: nothing was kept');
    return encoder.passStatistics;
  } finally {
    progress.stop();
    await encoder.finish().catch(() => {}); // after a failure: its error is being thrown already
  }
}

async function dropUnits(encoder: Encoder): Promise<void> {
  for await (const _ of encoder);
}
