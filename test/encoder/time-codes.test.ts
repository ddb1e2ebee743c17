// The time codes and the temporal references of whole streams, also where they wrap.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { Encoder } from '../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../src/encoder/options.js';
import { OptionError } from '../../src/errors.js';
import { expectSameFrames } from '../support/compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec } from '../support/decoders.js';
import { type Encoded, encodeFrames } from '../support/encode.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { describeWith, describeWithMpeg2dec } from '../support/requirements.js';

const SIZE = { width: 16, height: 16 };
const folder = temporaryFolder();

async function encode(pictures: number, options: Partial<EncoderOptions>): Promise<Encoded> {
  const frames = generateSample({ kind: 'pan', ...SIZE, frames: pictures, seed: 1 });
  const fixed = { estimator: 'zero', preset: 'fast', adaptiveTypes: false } as const;
  return encodeFrames(frames, { ...SIZE, ...fixed, ...options });
}

/** The time codes in a stream's group headers, as they are written; ISO/IEC 11172-2 §2.4.2.4. */
function timeCodesIn(stream: Uint8Array): string[] {
  const bytes = Buffer.from(stream);
  const codes: string[] = [];
  for (let at = bytes.indexOf('000001b8', 0, 'hex'); at >= 0; at = bytes.indexOf('000001b8', at + 4, 'hex')) {
    const bits = bytes.readUInt32BE(at + 4) >>> 7;
    const two = (value: number) => String(value).padStart(2, '0');
    const [drop, hours, minutes] = [bits >>> 24, (bits >>> 19) & 31, (bits >>> 13) & 63];
    const separator = drop === 1 ? ';' : ':';
    codes.push(`${two(hours)}:${two(minutes)}:${two((bits >>> 6) & 63)}${separator}${two(bits & 63)}`);
  }
  return codes;
}

/** The temporal references of a stream's pictures in coded order; §2.4.2.5. */
function temporalReferencesIn({ units }: Encoded): number[] {
  return units.map(({ data }) => {
    const header = Buffer.from(data);
    return header.readUInt16BE(header.indexOf('00000100', 0, 'hex') + 4) >>> 6;
  });
}

/** Where a stream starts, and the codes of its groups of six pictures. */
const STARTS = [
  { startTimeCode: '23:59:59:17', frameRate: 25, codes: ['23:59:59:17', '23:59:59:23', '00:00:00:04'] },
  { startTimeCode: '23:59:59:50', frameRate: 59.94, codes: ['23:59:59:50', '23:59:59:56', '00:00:00:02'] },
  { startTimeCode: '10:00:59:20', frameRate: 29.97, codes: ['10:00:59:20', '10:00:59:26', '10:01:00:02'] },
  { startTimeCode: '10:00:59;20', frameRate: 29.97, codes: ['10:00:59;20', '10:00:59;26', '10:01:00;04'] },
  { startTimeCode: '23:59:59;20', frameRate: 29.97, codes: ['23:59:59;20', '23:59:59;26', '00:00:00;02'] },
];

describe.each(STARTS)('a stream from $startTimeCode at $frameRate', ({ startTimeCode, frameRate, codes }) => {
  const encoded = encode(18, { startTimeCode, frameRate, gop: 6, bFrames: 2, openGop: false });

  it('counts the time codes of its groups', async () => {
    expect(timeCodesIn((await encoded).stream)).toEqual(codes);
  });

  describeWith('ffprobe', 'ffprobe', () => {
    it('reads the same, and finds every picture', async () => {
      const path = join(folder, `from-${startTimeCode.replace(/\D/g, '-')}-${frameRate}.m1v`);
      writeFileSync(path, (await encoded).stream);
      const { stdout } = spawnSync('ffprobe', ['-v', 'error', '-show_frames', path], { encoding: 'utf8' });
      expect([...stdout.matchAll(/^timecode=(.*)$/gm)].map(([, code]) => code)).toEqual(codes);
      expect(stdout.match(/^\[FRAME\]$/gm)).toHaveLength(18);
    });
  });
});

describe('the option startTimeCode', () => {
  it.each([
    ['24:00:00:00', 25, /24 hours; legal: 0\.\.23/],
    ['00:60:00:00', 25, /60 minutes; legal: 0\.\.59/],
    ['00:00:60:00', 25, /60 seconds; legal: 0\.\.59/],
    ['00:00:00:25', 25, /25 frames; legal: 0\.\.24/],
    ['00:00:00;00', 30, /drop frame, which is for 29\.97/],
    ['00:01:00;01', 29.97, /left out by drop frame/],
    ['1:00:00:00', 25, /no time code; legal: HH:MM:SS:FF/],
    ['', 25, /(no|not a) time code/],
    [3600, 25, /(no|not a) time code/],
  ])('refuses %s at %d frames a second', (startTimeCode, frameRate, message) => {
    const make = () => new Encoder({ ...SIZE, frameRate, startTimeCode: startTimeCode as string });
    expect(make).toThrow(OptionError);
    expect(make).toThrow(message);
  });
});

describe('a group of more than 1024 pictures', () => {
  const PICTURES = 1033;
  const path = join(folder, 'long-group.m1v');
  const encoded = encode(PICTURES, { gop: 2000, bFrames: 2, q: 8, preset: 'fastest' });

  it('counts its temporal references modulo 1024, and decodes to the reconstruction', async () => {
    const { stream, units, reconstruction } = await encoded;
    writeFileSync(path, stream);
    expect(units.filter(({ pictureType }) => pictureType === 'I')).toHaveLength(1);
    expect(temporalReferencesIn(await encoded)).toEqual(units.map(({ displayNumber }) => displayNumber % 1024));
    expectSameFrames(await decodeWithFfmpeg(path), reconstruction, path);
  });

  describeWithMpeg2dec('mpeg2dec', () => {
    it('decodes every picture', async () => {
      writeFileSync(path, (await encoded).stream);
      expect(await decodeWithMpeg2dec(path)).toHaveLength(PICTURES);
    });
  });
});
