// The sound of a run: which file it comes from, and what is told about it.
import { stat } from 'node:fs/promises';
import { extname } from 'node:path';
import { InputError, messageOf, OptionError, type OptionNaming } from '../errors.js';
import { isBareStream } from '../media/containers/container.js';
import { hasImageExtension } from '../media/images/image-decoder.js';
import { requireBitRate } from '../media/sound/layer-two.js';
import { type OpenSound, openSound, type SoundOptions, soundSeconds } from '../media/sound/open-sound.js';
import { shortage } from '../media/system-error.js';
import { suggestion } from '../nearest-name.js';
import { signalOfTerminal } from './open-input.js';
import { Interrupted, type Stops } from './stops.js';

/** The values of the option `audio` that name no file. */
export const AUDIO_AUTO = 'auto';
const AUDIO_NONE = 'none';

/** What is asked for. */
export interface SoundRequest {
  /** `auto`, `none` or the path of a file. */
  readonly audio: string;
  /** In bits per second. */
  readonly bitRate: number | undefined;
  readonly target: string | undefined;
  /** Takes lines about the sound. */
  readonly onNote: (note: string) => void;
  /** How they name options. */
  readonly named: OptionNaming;
}

/** Whose sound it is to be. */
export interface SoundPlace {
  /** The input; undefined if it is not known. */
  readonly input: string | undefined;
  /** Sound tracks of the input, where they have been counted. */
  readonly soundTracks?: number | undefined;
  readonly output: string;
  /** Length of the pictures at most; undefined if it is not limited. */
  readonly seconds?: number | undefined;
}

/** The sound in the JSON report. */
export interface SoundEntry {
  readonly codec: 'mp2';
  readonly sampleRate: number;
  readonly channels: number;
  readonly bitRate: number;
  readonly seconds: number;
  readonly from: string;
  /** Tracks of that file; the first one is taken. */
  readonly tracks: number;
}

/** The fields of the JSON report about the sound. */
export interface SoundReport {
  readonly audio: SoundEntry | null;
  /** Why there is none, or what was left out; null where there is nothing to say. */
  readonly audioNote: string | null;
}

/** The sound of a run, or why there is none. */
export type ChosenSound = { readonly sound: OpenSound } | { readonly sound?: undefined; readonly reason: string };

/** Video CD has this and no other. */
const VIDEO_CD_SOUND = { sampleRate: 44_100, channels: 2, bitRate: 224_000 } as const;

/** The options of a run that sound depends on. */
interface SoundChoice {
  readonly audio?: string | undefined;
  readonly audioBitrate?: number | undefined;
  readonly target?: string | undefined;
  readonly output: string;
}

/** What is asked for. Throws an OptionError for options that contradict each other or the output. */
export function soundRequest(
  { audio = AUDIO_AUTO, audioBitrate, target, output }: SoundChoice,
  { onNote, named }: Pick<SoundRequest, 'onNote' | 'named'>,
): SoundRequest {
  if (typeof audio !== 'string' || audio === '' || audio === '-') {
    throw new OptionError(
      'audio',
      named => `${named('audio')} is '${audio}'; legal: auto, none, or the name of a file`,
    );
  }
  if (audioBitrate !== undefined) requireBitRate('audioBitrate', audioBitrate);
  if (audioBitrate !== undefined && target === 'vcd') {
    throw new OptionError(
      'audioBitrate',
      named => `${named('audioBitrate')} is given by ${named('target')} vcd (224k): leave it out`,
    );
  }
  if (audioBitrate !== undefined && audio === AUDIO_NONE) {
    throw new OptionError(
      'audioBitrate',
      named => `${named('audioBitrate')} is for sound, which ${named('audio')} none leaves out: leave one out`,
    );
  }
  if (isFile(audio) && isBare(output)) {
    const legal = 'use .mpg, .ts, .mp4, .mkv, .avi or .mov';
    throw new OptionError('audio', named => `${named('audio')} ${audio}: ${bareOutput(output)}; ${legal}`);
  }
  return { audio, bitRate: audioBitrate, target, onNote, named };
}

/** The file that is named; undefined if it names none. */
export function soundFile({ audio }: SoundRequest): string | undefined {
  return isFile(audio) ? audio : undefined;
}

/** Opens the sound that is asked for. Throws an InputError or OptionError for a file that cannot give it. */
export async function chooseSound(request: SoundRequest, place: SoundPlace, interruption: Stops): Promise<ChosenSound> {
  const { audio, bitRate, onNote, named } = request;
  if (audio === AUDIO_NONE) return { reason: `${named('audio')} none` };
  const { stop } = interruption;
  const chosen = await openChosen(request, place, interruption).catch(async error => {
    await signalOfTerminal(stop);
    if (!stop.aborted) throw error;
    throw new Interrupted('interrupted while the sound was opened: nothing was kept', { cause: error });
  });
  if (!chosen.sound && bitRate !== undefined) {
    onNote(`${named('audioBitrate')} has no effect, since there is no sound: ${chosen.reason}`);
  }
  return chosen;
}

async function openChosen(request: SoundRequest, place: SoundPlace, { stop, abort }: Stops): Promise<ChosenSound> {
  const { audio, onNote, named } = request;
  const options = { ...soundOptions(request, place), signal: abort };
  if (isFile(audio)) {
    const sound = await openNamed(audio, options).catch(error => {
      throw error instanceof InputError ? soundError(audio, error) : error;
    });
    if (!sound) {
      const advice = 'it has no sound; use another file, or';
      throw new InputError(named => `${named('audio')} ${audio}: ${advice} ${named('audio')} none`);
    }
    return opened(sound, onNote, stop);
  }
  const reason = await whyNone(place, named);
  if (reason === undefined) return ofInput(place, options, onNote, stop);
  if (reason.isLoss) onNote(`${reason.text}: there is no sound (${named('audio')} none says so beforehand)`);
  return { reason: reason.text };
}

/** What there is to report: how many frames of the sound were written, and whether the run was interrupted. */
export interface WrittenSound {
  readonly frames: number;
  readonly interrupted: boolean;
}

/** What the JSON report says of the sound. Says if more was left out at the end of a whole run. */
export function soundReport(
  chosen: ChosenSound,
  { frames, interrupted }: WrittenSound,
  { onNote }: SoundRequest,
): SoundReport {
  if (!chosen.sound) return { audio: null, audioNote: chosen.reason };
  const { format, name, tracks, goesOn } = chosen.sound;
  const { sampleRate, channels, bitRate } = format;
  const seconds = soundSeconds(frames, format);
  const audioNote =
    goesOn && !interrupted ? `the sound of ${name} goes on after the last picture: it is cut there` : null;
  if (audioNote !== null) onNote(audioNote);
  return { audio: { codec: 'mp2', sampleRate, channels, bitRate, seconds, from: name, tracks }, audioNote };
}

function soundOptions({ bitRate, target, onNote }: SoundRequest, { seconds }: SoundPlace): SoundOptions {
  const asked = target === 'vcd' ? VIDEO_CD_SOUND : { bitRate };
  return { ...asked, seconds, onWarning: onNote };
}

function opened(sound: OpenSound, onNote: (note: string) => void, stop: Stops['stop']): ChosenSound {
  const { name, tracks } = sound;
  if (tracks > 1) onNote(`${name} has ${tracks} sound tracks: the first one is taken, the others are left out`);
  const frames = framesUntilFailure(sound, stop);
  return {
    sound: {
      ...sound,
      frames,
      get goesOn() {
        return sound.goesOn;
      },
    },
  };
}

/** The frames, also those of the pictures that are coded after a stop. Ctrl-C in a terminal may end ffmpeg before. */
async function* framesUntilFailure({ frames }: OpenSound, stop: Stops['stop']): AsyncGenerator<Uint8Array> {
  try {
    yield* frames;
  } catch (error) {
    if (!stop.aborted) throw error;
  }
}

async function ofInput(
  { input = '' }: SoundPlace,
  options: SoundOptions,
  onNote: (note: string) => void,
  stop: Stops['stop'],
): Promise<ChosenSound> {
  try {
    const sound = await openNamed(input, options);
    return sound ? opened(sound, onNote, stop) : { reason: 'the input has no sound' };
  } catch (error) {
    await signalOfTerminal(stop);
    if (!(error instanceof InputError) || stop.aborted || shortage(error)) throw error;
    // The pictures may be fine: whoever reads them says what is wrong with the file.
    const reason = `the sound of the input cannot be read (${messageOf(error)})`;
    onNote(`${reason}: it is left out`);
    return { reason };
  }
}

/** Why the input gives no sound, and whether it had any to give; undefined if its sound can be asked for. */
async function whyNone(
  { input, soundTracks, output }: SoundPlace,
  named: OptionNaming,
): Promise<{ text: string; isLoss: boolean } | undefined> {
  const silent = { text: 'the input has no sound', isLoss: false };
  if (soundTracks === 0) return silent;
  if (input === undefined) return { text: `the plan names no input; ${named('audio')} names a file`, isLoss: false };
  if (input === '-' || /\.(y4m|yuv)$/i.test(input) || hasImageExtension(input)) return silent;
  const found = await stat(input).catch(() => undefined);
  if (found?.isDirectory()) return silent;
  if (!found && extname(input) !== '' && !/[%*?[]/.test(input)) {
    return { text: `the input ${input} is not here; ${named('audio')} names a file`, isLoss: true };
  }
  if (!found) return silent;
  const hasTracks = soundTracks !== undefined && soundTracks > 0;
  if (isBare(output)) return hasTracks ? { text: bareOutput(output), isLoss: true } : silent;
  if (!found.isFile())
    return { text: `${input} is a pipe, which is read once; ${named('audio')} names a file`, isLoss: hasTracks };
  return undefined;
}

function isFile(audio: string): boolean {
  return audio !== AUDIO_AUTO && audio !== AUDIO_NONE;
}

function isBare(output: string): boolean {
  return output === '-' || isBareStream(output);
}

function bareOutput(output: string): string {
  return `${output === '-' ? 'standard output' : output} takes the bare video stream, which has no place for sound`;
}

/** The error for a file that is named and cannot be read. */
function soundError(audio: string, error: Error): InputError {
  const what = `${wordsForSound(error)}${suggestion(audio, [AUDIO_AUTO, AUDIO_NONE])}`;
  return new InputError(named => `${named('audio')} ${what}`, { cause: error });
}

/** Messages of ffmpeg's reader speak of videos. */
function wordsForSound(error: Error): string {
  return messageOf(error).replace(
    'it is no video of a kind that is read',
    'it is no file of sound or video that is read',
  );
}

/** Opens a sound; in an error, the bit rate has the name that it has in the options of an encode. */
async function openNamed(path: string, options: SoundOptions): Promise<OpenSound | undefined> {
  try {
    return await openSound(path, options);
  } catch (error) {
    if (!(error instanceof OptionError) || error.option !== 'bitRate') throw error;
    const name = 'audioBitrate';
    throw new OptionError(name, named => error.messageWith(option => named(option === 'bitRate' ? name : option)));
  }
}
