// A race of estimators: the same pictures, one after the other, on an otherwise idle page.
import { type Frame, UnsupportedError } from 'mpegpu';
import { WorkerEncoder } from 'mpegpu/browser';
import type { Settings } from '../settings.ts';
import type { Clip } from '../sources/clip.ts';
import { encoderOptions } from './run.ts';

/** Those who run: a search, and its twin on the GPU, give the same vectors. */
export const ENTRANTS: readonly string[] = ['cpu-predictive', 'cpu-mrmp', 'gpu-mrmp', 'cpu-full', 'gpu-full'];

/** Pictures of a run. */
const PICTURES = 40;

/** Where an entrant is. */
export interface Lap {
  readonly name: string;
  readonly pictures: number;
  readonly of: number;
  readonly picturesPerSecond: number;
  /** Of the stream so far. */
  readonly bits: number;
  /** Why it does not run. */
  readonly reason?: string;
}

/** The pictures of a race: the clip's first ones, as soon as they are there. Throws what the clip throws. */
export async function racePictures(clip: Clip, signal: AbortSignal): Promise<Frame[]> {
  const frames: Frame[] = [];
  for await (const frame of clip.read(signal)) {
    if (frames.push(frame) === PICTURES) break;
  }
  return frames;
}

/** Runs one entrant, and tells how it goes. The clock starts with its second picture: setup is not search. */
export async function runEntrant(
  name: string,
  job: { readonly frames: readonly Frame[]; readonly settings: Settings; readonly signal: AbortSignal },
  onLap: (lap: Lap) => void,
): Promise<Lap> {
  const { frames, settings, signal } = job;
  const of = frames.length;
  let lap: Lap = { name, pictures: 0, of, picturesPerSecond: 0, bits: 0 };
  let startMs = 0;
  const onPicture = ({ bits }: { bits: number }) => {
    const pictures = lap.pictures + 1;
    if (pictures === 1) startMs = performance.now();
    const seconds = (performance.now() - startMs) / 1000;
    lap = { ...lap, pictures, bits: lap.bits + bits, picturesPerSecond: seconds > 0 ? (pictures - 1) / seconds : 0 };
    onLap(lap);
  };
  try {
    const options = encoderOptions({ ...settings, estimator: name }, frames[0]!);
    const encoder = new WorkerEncoder({ ...options, signal, onPicture });
    const taking = (async () => {
      for await (const _ of encoder);
    })();
    taking.catch(() => {}); // `add` and `finish` tell of it
    for (const frame of frames) await encoder.add(frame);
    await encoder.finish();
    await taking;
  } catch (error) {
    const isMissing = error instanceof UnsupportedError;
    lap = { ...lap, reason: isMissing || !signal.aborted ? (error as Error).message : 'stopped' };
    onLap(lap);
  }
  return lap;
}
