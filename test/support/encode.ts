// Encodes frames in memory and keeps everything that the encoder gives.
import type { AccessUnit } from '../../src/bitstream/access-unit.js';
import { Encoder } from '../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import type { PassStatistics } from '../../src/encoder/rate-control/pass-statistics.js';
import type { PictureReport, VectorReport } from '../../src/encoder/report/picture-report.js';
import type { EncoderStatistics } from '../../src/encoder/report/statistics.js';
import type { Frame } from '../../src/picture/frame.js';

/** Everything an encode gives. */
export interface Encoded {
  /** The elementary stream. */
  readonly stream: Uint8Array;
  readonly units: readonly AccessUnit[];
  /** What a decoder should show, in display order. */
  readonly reconstruction: readonly Frame[];
  readonly reports: readonly PictureReport[];
  readonly vectors: readonly VectorReport[];
  readonly statistics: EncoderStatistics;
  readonly passStatistics: PassStatistics;
}

/** Encodes frames, on one thread and at 25 frames a second unless told otherwise. */
export async function encodeFrames(
  frames: Iterable<Frame> | AsyncIterable<Frame>,
  options: Partial<EncoderOptions> & { width: number; height: number },
): Promise<Encoded> {
  const reconstruction: Frame[] = [];
  const reports: PictureReport[] = [];
  const vectors: VectorReport[] = [];
  const units: AccessUnit[] = [];
  const encoder = new Encoder({
    frameRate: 25,
    threads: 1,
    estimator: 'cpu-predictive',
    onReconstruction: (frame, displayNumber) => {
      reconstruction[displayNumber] = frame;
    },
    onPicture: report => {
      reports.push(report);
      vectors.push(report.vectors());
    },
    ...options,
  });
  const collecting = (async () => {
    for await (const unit of encoder) units.push(unit);
  })();
  collecting.catch(() => {}); // the error is that of add or finish, too
  for await (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await collecting;
  const stream = Buffer.concat(units.map(unit => unit.data));
  const { statistics, passStatistics } = encoder;
  return { stream, units, reconstruction, reports, vectors, statistics, passStatistics };
}
