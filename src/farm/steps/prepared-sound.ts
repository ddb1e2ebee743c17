// The sound of a job: coded whole, before any chunk, and kept in the store until the chunks are joined.
import { createHash, type Hash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { rm } from 'node:fs/promises';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { StoredChunk } from '../../chunks/chunk-format.js';
import type { ChunkPlan, PlannedInput } from '../../chunks/chunk-plan.js';
import { chooseSound, soundRequest } from '../../encode-files/encode-sound.js';
import type { Stops } from '../../encode-files/stops.js';
import { asProperty, InputError } from '../../errors.js';
import { readFrameHeader, type Sound, splitFrames } from '../../media/sound/layer-two.js';
import { type FarmRequest, soundUrl } from '../jobs/farm-request.js';
import type { ObjectStore } from '../places/object-store.js';
import type { StepContext } from './step-context.js';

/** Whose sound it is. */
interface SoundOf {
  readonly request: FarmRequest;
  readonly plan: ChunkPlan;
  /** Sound tracks of the input; undefined if they have not been counted. */
  readonly soundTracks: number | undefined;
  readonly outputName: string;
}

/** By how much the sound may be longer than the pictures: containers end it with the last picture. */
const SPARE_SECONDS = 1;
/** Read at a time. */
const PART_BYTES = 1 << 18;

/** The process that codes sound is stopped from outside, as a whole. The signals keep what listens: anew each time. */
function neverStops(): Stops {
  return { stop: new AbortController().signal, abort: new AbortController().signal };
}

/** Codes the sound that a request asks for. Returns its name in the store; undefined if there is none. */
export async function prepareSound(
  { request, plan, soundTracks, outputName }: SoundOf,
  context: StepContext,
  store: ObjectStore,
): Promise<string | undefined> {
  const { places, warn } = context;
  const { audio, bitRate } = request.sound;
  const from = soundUrl(request.sound);
  const seconds = secondsOf(plan.input) + SPARE_SECONDS;
  const asked = soundRequest(
    {
      audio: from === undefined ? audio : await places.inputPath(from),
      audioBitrate: bitRate,
      target: plan.options.target,
      output: outputName,
    },
    { onNote: warn, named: asProperty },
  );
  const input = await places.inputPath(request.input);
  const { sound } = await chooseSound(asked, { input, soundTracks, output: outputName, seconds }, neverStops());
  if (!sound) return undefined;
  const path = await places.scratchPath('sound.mp2');
  try {
    let frames = 0;
    const hash = createHash('sha256');
    const coded = async function* (): AsyncGenerator<Uint8Array> {
      for await (const frame of sound.frames) {
        if (++frames % 1000 === 0) context.report(plan.input.frames);
        hash.update(frame);
        yield frame;
      }
    };
    await pipeline(Readable.from(coded()), createWriteStream(path));
    const name = soundObject(hash);
    await store.putFile(name, path);
    return name;
  } finally {
    await sound.close();
    await rm(path, { force: true });
  }
}

/** Where sound lies in the store. The name is the hash of its bytes. */
function soundObject(hash: Hash): string {
  return `sound/${hash.digest('hex')}.mp2`;
}

/** The sound in the store, as a video is written with it. Its bytes are checked first. */
export async function openPreparedSound(name: string, store: ObjectStore): Promise<Sound> {
  const stored = await store.open(name);
  if (!stored) throw new Error(`the sound ${name} is not in the store: submit the job again`);
  const hash = createHash('sha256');
  for await (const part of partsOf(stored)) hash.update(part);
  const format = readFrameHeader(await stored.read(0, Math.min(stored.byteLength, 4)));
  if (!format || soundObject(hash) !== name) throw new InputError(`the sound ${name} is damaged: submit the job again`);
  const { sampleRate, channels, bitRate } = format;
  return { format: { sampleRate, channels, bitRate }, frames: splitFrames(partsOf(stored), stored.name) };
}

async function* partsOf({ byteLength, read }: StoredChunk): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < byteLength; at += PART_BYTES) yield read(at, Math.min(at + PART_BYTES, byteLength));
}

function secondsOf({ frames, frameRate }: PlannedInput): number {
  return (frames * frameRate.denominator) / frameRate.numerator;
}
