// Plans an encode in chunks: reads all frames once, finds the scenes, and sets the chunks.

import type { FrameRate } from '../bitstream/tables/frame-rate.js';
import { timeCodeOfPicture } from '../bitstream/time-code.js';
import { checkValue, wholeNumbers } from '../encoder/settings/option-values.js';
import type { EncoderSettings } from '../encoder/settings/resolve-options.js';
import { InputError, OptionError } from '../errors.js';
import { inWords, requireOptions } from '../given-options.js';
import { checkedFrame } from '../picture/frame-check.js';
import { type ChunkPlan, makePlan, type PlannedChunk } from './chunk-plan.js';
import { type ChunkSource, isSameRate, requireSource } from './chunk-source.js';
import { chunkStarts } from './chunk-starts.js';
import { hashOfFrame, hashOfText } from './content-hash.js';
import { type ChunkSeconds, checkPlanOptions, type PlanOptions } from './plan-options.js';
import { SceneFinder } from './scene-finder.js';

const DEFAULT_CHUNK_SECONDS: ChunkSeconds = { min: 5, max: 20 };

/** What planning finds in the frames. */
interface Findings {
  /** Hash of each frame. */
  readonly hashes: readonly string[];
  readonly cuts: readonly number[];
}

/** As `planChunks` of the library. */
export async function planChunks(source: ChunkSource, planOptions: PlanOptions = {}): Promise<ChunkPlan> {
  const {
    chunkSeconds = DEFAULT_CHUNK_SECONDS,
    frames,
    source: place,
    signal,
    onProgress,
    ...coding
  }: PlanOptions = Object(planOptions);
  requireOptions({ signal, onProgress }, ['signal', 'onProgress'], 'PlanOptions');
  requireSource(source);
  checkSeconds(chunkSeconds);
  if (frames !== undefined) checkValue('frames', frames, wholeNumbers(1, Number.POSITIVE_INFINITY, 'frames'));
  const { options, settings } = checkPlanOptions(coding, source);
  const { frameRate, grid, pattern } = settings;
  requireRateOf(source, frameRate);
  const { hashes, cuts } = await readFrames(source, { frames, signal, onProgress });
  const framesIn = (seconds: number) =>
    Math.max(1, Math.round((seconds * frameRate.numerator) / frameRate.denominator));
  const [min, max] = [framesIn(chunkSeconds.min), framesIn(chunkSeconds.max)];
  const starts = chunkStarts({ frames: hashes.length, cuts, min, max, gop: pattern.gop });
  const fingerprint = hashOfText(hashes.join(''));
  const input = { width: grid.displayWidth, height: grid.displayHeight, frameRate, frames: hashes.length, fingerprint };
  const chunks = starts.map((start, index) => plannedChunk(index, start, starts[index + 1], hashes, settings));
  return makePlan({ input, options, chunks, source: place });
}

/** Throws an OptionError unless the source has the rate of the plan, or none: its chunks could not be coded. */
function requireRateOf({ name, frameRate: own }: ChunkSource, planned: FrameRate): void {
  if (own === undefined || isSameRate(own, planned)) return;
  const [has, wanted] = [own, planned].map(({ numerator, denominator }) => (numerator / denominator).toFixed(3));
  throw new OptionError(
    'frameRate',
    `frameRate is ${wanted}, and ${name} has ${has}: open it with the frameRate that is wanted`,
  );
}

async function readFrames(
  source: ChunkSource,
  {
    frames: count,
    signal,
    onProgress,
  }: { [Name in 'frames' | 'signal' | 'onProgress']: PlanOptions[Name] | undefined },
): Promise<Findings> {
  const { width, height } = source;
  const hashes: string[] = [];
  const scenes = await SceneFinder.create(width, height, signal);
  try {
    for await (const given of source.frames({ first: 0, count }, signal)) {
      const frame = checkedFrame(given, width, height, `frame ${hashes.length}`);
      hashes.push(hashOfFrame(frame));
      await scenes.add(frame);
      signal?.throwIfAborted();
      await onProgress?.(hashes.length);
    }
    if (hashes.length === 0) throw new InputError(`${source.name} holds no frames`);
    return { hashes, cuts: await scenes.end() };
  } finally {
    await scenes.close();
  }
}

function plannedChunk(
  index: number,
  firstFrame: number,
  next: number | undefined,
  hashes: readonly string[],
  settings: EncoderSettings,
): PlannedChunk {
  const ofChunk = hashes.slice(firstFrame, next);
  const startTimeCode = timeCodeText(firstFrame, settings);
  return { index, firstFrame, frames: ofChunk.length, startTimeCode, frameHashes: ofChunk.join('') };
}

/** The time code of a frame as `startTimeCode` is written. */
function timeCodeText(frame: number, { timeCodeStart, frameRate }: EncoderSettings): string {
  const { picture, dropFrameFlag } = timeCodeStart;
  const { hours, minutes, seconds, pictures } = timeCodeOfPicture(picture + frame, frameRate, dropFrameFlag);
  const [hh, mm, ss, ff] = [hours, minutes, seconds, pictures].map(part => String(part).padStart(2, '0'));
  return `${hh}:${mm}:${ss}${dropFrameFlag ? ';' : ':'}${ff}`;
}

function checkSeconds(range: ChunkSeconds): void {
  const { min, max }: ChunkSeconds = Object(range);
  if (Number.isFinite(min) && min > 0 && min <= max && Number.isFinite(max)) return;
  const given = typeof range === 'object' && range ? `${inWords(min)}-${inWords(max)}` : inWords(range);
  throw new OptionError('chunkSeconds', `chunkSeconds ${given} is no range: min above 0, max at least min`);
}
