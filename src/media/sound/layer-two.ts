// Reads headers of MPEG-1 Layer II sound, and splits a stream into frames; ISO/IEC 11172-3.
import { InputError, OptionError } from '../../errors.js';
import { inWords } from '../../given-options.js';

/** Samples of one channel in a frame; ISO/IEC 11172-3 §2.4.2.1. */
export const SAMPLES_PER_FRAME = 1152;
/** Bytes of a frame's header. */
const HEADER_BYTES = 4;
/** bitrate_index 1..14 of Layer II in kbit/s; ISO/IEC 11172-3 §2.4.2.3. */
const KILOBITS_PER_SECOND = [32, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320, 384];
/** The bit rates that only a single channel may have, and those that only two channels may have. */
const MONO_ONLY = [32, 48, 56, 80];
const STEREO_ONLY = [224, 256, 320, 384];
/** sampling_frequency 0..2 in Hz. */
const SAMPLE_RATES = [44_100, 48_000, 32_000] as const;
/** The same in order, for messages. */
export const LEGAL_SAMPLE_RATES: readonly number[] = [...SAMPLE_RATES].sort((a, b) => a - b);
const MODE_SINGLE_CHANNEL = 3;

/** What all frames of a sound have in common. */
export interface SoundFormat {
  /** In Hz: 32000, 44100 or 48000. */
  readonly sampleRate: number;
  readonly channels: 1 | 2;
  /** In bits per second, one of Layer II's fourteen. */
  readonly bitRate: number;
}

/** A sound to write beside a video, such as `openSound` gives. */
export interface Sound {
  readonly format: SoundFormat;
  /** The frames in order. The first one starts with the first picture. Iterated once. */
  readonly frames: AsyncIterable<Uint8Array> | Iterable<Uint8Array>;
}

/** A frame's header. */
export interface FrameHeader extends SoundFormat {
  /** Length of the whole frame. */
  readonly bytes: number;
}

/** The header at `at`; undefined if no MPEG-1 Layer II frame of a known bit rate starts there. */
export function readFrameHeader(bytes: Uint8Array, at = 0): FrameHeader | undefined {
  const [sync, version, rates, modes] = bytes?.subarray?.(at, at + HEADER_BYTES) ?? [];
  // syncword (12 bits), ID 1, layer '10', protection_bit
  if (sync !== 0xff || ((version ?? 0) & 0xfe) !== 0xfc || rates === undefined || modes === undefined) return undefined;
  const kilobits = KILOBITS_PER_SECOND[(rates >> 4) - 1]; // bitrate_index
  const sampleRate = SAMPLE_RATES[(rates >> 2) & 3]; // sampling_frequency
  if (kilobits === undefined || sampleRate === undefined) return undefined;
  const padding = (rates >> 1) & 1; // padding_bit
  return {
    sampleRate,
    channels: modes >> 6 === MODE_SINGLE_CHANNEL ? 1 : 2,
    bitRate: kilobits * 1000,
    bytes: Math.floor(((SAMPLES_PER_FRAME / 8) * kilobits * 1000) / sampleRate) + padding,
  };
}

/** The legal bit rates of Layer II with so many channels, or with any number of them, in bits per second. */
export function bitRatesOf(channels?: 1 | 2): readonly number[] {
  const others = channels === 1 ? STEREO_ONLY : channels === 2 ? MONO_ONLY : [];
  return KILOBITS_PER_SECOND.filter(rate => !others.includes(rate)).map(rate => rate * 1000);
}

/** Throws an OptionError unless the option has a bit rate that is legal with so many channels, or with any number. */
export function requireBitRate(option: string, bitRate: number, channels?: 1 | 2): void {
  const legal = bitRatesOf(channels);
  if (legal.includes(bitRate)) return;
  const what = `a rate of MPEG-1 Layer II${channels ? ` for ${channels === 1 ? 'one channel' : 'two channels'}` : ''}`;
  throw new OptionError(
    option,
    named => `${named(option)} ${inWords(bitRate)} is not ${what}; legal: ${legal.join(', ')} bit/s`,
  );
}

/** The length of the longest frame of a sound. */
export function longestFrameBytes({ bitRate, sampleRate }: Pick<SoundFormat, 'bitRate' | 'sampleRate'>): number {
  return Math.ceil(((SAMPLES_PER_FRAME / 8) * bitRate) / sampleRate);
}

/** How many frames start before `seconds`, which are given as a fraction: exact at any length. */
export function framesBefore(numerator: number, denominator: number, sampleRate: number): number {
  return Math.ceil((numerator * sampleRate) / (denominator * SAMPLES_PER_FRAME));
}

/** Throws an InputError unless `frame` is one whole frame of `format`. */
export function checkFrame(frame: Uint8Array, format: SoundFormat, index: number): void {
  const header = readFrameHeader(frame);
  const what = `frame ${index} of the sound`;
  if (!header) throw new InputError(`${what} is no MPEG-1 Layer II frame`);
  if (header.bytes !== frame.length) throw new InputError(`${what} has ${frame.length} of ${header.bytes} bytes`);
  for (const name of ['sampleRate', 'channels', 'bitRate'] as const) {
    if (header[name] !== format[name]) throw new InputError(`${what} has ${name} ${header[name]}, not ${format[name]}`);
  }
}

/** Splits a stream of Layer II into frames. Throws an InputError that begins with `name` where no frame starts. */
export async function* splitFrames(stream: AsyncIterable<Uint8Array>, name: string): AsyncGenerator<Uint8Array> {
  let rest: Uint8Array = new Uint8Array(0);
  for await (const chunk of stream) {
    const bytes = new Uint8Array(rest.length + chunk.length);
    bytes.set(rest);
    bytes.set(chunk, rest.length);
    let at = 0;
    while (at + HEADER_BYTES <= bytes.length) {
      const header = readFrameHeader(bytes, at);
      if (!header) throw new InputError(`${name}: no MPEG-1 Layer II frame where one should start`);
      if (at + header.bytes > bytes.length) break;
      yield bytes.slice(at, at + header.bytes);
      at += header.bytes;
    }
    rest = bytes.subarray(at);
  }
}
