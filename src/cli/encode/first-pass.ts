import type { Encoder } from '../../encoder/encoder.js';
import type { PassStatistics } from '../../encoder/rate-control/pass-statistics.js';
import type { FrameSample } from '../../encoder/tuning/frame-sample.js';
import type { FrameSource } from '../../media/frames/frame-source.js';
import { Interrupted } from '../failure.js';
import type { Interruption } from '../interruption.js';
import type { Progress } from '../progress-bar.js';
import { framesUntilStopped } from '../source-frames.js';

/** What a first pass reads, and whom it tells. */
export interface FirstPassJob {
  readonly source: FrameSource;
  readonly showProgress: (expectedFrames: number | undefined) => Progress;
  /** Aborted when all is to be given up. */
  readonly signal: AbortSignal;
  /** Takes what a matrix is to be tuned by. */
  readonly sample: FrameSample | undefined;
}

/**
 * Encodes a source for what that tells about it; the stream is dropped. `makeEncoder` makes the encoder, which calls back after
 * each picture. Throws Interrupted when a stop is asked for.
 */
export async function runFirstPass(
  { source, showProgress, signal, sample }: FirstPassJob,
  interruption: Interruption,
  makeEncoder: (onPicture: () => void) => Encoder,
): Promise<PassStatistics> {
  const progress = showProgress(source.frameCount);
  let coded = 0;
  const encoder = makeEncoder(() => progress.update(++coded));
  const dropping = dropUnits(encoder);
  dropping.catch(() => {}); // `finish` throws the same
  try {
    for await (const frame of framesUntilStopped(source, interruption.stop, signal)) {
      sample?.add(frame);
      await encoder.add(frame);
    }
    await encoder.finish();
    await dropping;
    if (interruption.stop.aborted) throw new Interrupted('interrupted in the first pass: nothing was kept');
    return encoder.passStatistics;
  } finally {
    progress.stop();
    await encoder.finish().catch(() => {}); // after a failure, whose reason is on its way already
  }
}

async function dropUnits(encoder: Encoder): Promise<void> {
  for await (const _ of encoder);
}
