// JSMpeg in Chromium hears the sound of our transport streams.
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { FRAME_RATES } from '../../src/bitstream/tables/frame-rate.js';
import { VideoWriter } from '../../src/media/output/video-writer.js';
import { openSound } from '../../src/media/sound/open-sound.js';
import { launchChromium } from '../support/chromium.js';
import { encodeFrames } from '../support/encode.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { describeWith } from '../support/requirements.js';

const folder = temporaryFolder();
const SIZE = { width: 64, height: 48 };
const TONE_HERTZ = 1000;

/** What the page's script hands back. */
interface Heard {
  readonly samples: readonly number[];
  readonly sampleRate: number;
  readonly pictures: number;
  /** Time stamps of the first picture and of the first sound, in seconds. */
  readonly starts: readonly [number, number];
}

/** A stage of JSMpeg, which comes without types. */
interface Stage {
  connect(...to: unknown[]): void;
  write(bytes: ArrayBuffer): void;
  decode(): boolean;
  readonly startTime: number;
  unlocked: boolean;
  enabled: boolean;
}
type MakeStage = new (options: object) => Stage;
interface Samples {
  getChannelData(channel: number): Float32Array;
}
interface Page {
  readonly AudioContext: { readonly prototype: { createBuffer(...args: unknown[]): Samples } };
  readonly JSMpeg: {
    readonly Demuxer: { readonly TS: MakeStage };
    readonly Decoder: { readonly MPEG1Video: MakeStage; readonly MP2Audio: MakeStage };
    readonly AudioOutput: { readonly WebAudio: MakeStage };
  };
}

/** Plays a transport stream in the page: its pictures are counted, its sound goes through AudioContext's buffers. */
function playInPage(base64: string): Heard {
  const { JSMpeg, AudioContext: Context } = window as unknown as Page;
  const samples: number[] = [];
  const usual = Context.prototype.createBuffer;
  Context.prototype.createBuffer = function (...args: unknown[]) {
    const buffer = usual.apply(this, args);
    heard.sampleRate = args[2] as number;
    buffers.push(buffer);
    return buffer;
  };
  const buffers: Samples[] = [];
  const heard = { samples, sampleRate: 0, pictures: 0, starts: [0, 0] as [number, number] };
  const bytes = Uint8Array.from(atob(base64), letter => letter.charCodeAt(0));
  const options = { streaming: false, videoBufferSize: 1 << 20, audioBufferSize: 1 << 20 };
  const demuxer = new JSMpeg.Demuxer.TS(options);
  const video = new JSMpeg.Decoder.MPEG1Video(options);
  const audio = new JSMpeg.Decoder.MP2Audio(options);
  const output = new JSMpeg.AudioOutput.WebAudio(options);
  output.unlocked = true;
  output.enabled = true;
  video.connect({ resize: () => {}, render: () => heard.pictures++ });
  audio.connect(output);
  demuxer.connect(0xe0, video);
  demuxer.connect(0xc0, audio);
  demuxer.write(bytes.buffer);
  while (video.decode());
  while (audio.decode());
  for (const buffer of buffers) samples.push(...buffer.getChannelData(0));
  heard.starts = [video.startTime, audio.startTime];
  return heard;
}

describeWith('chromium', 'JSMpeg in Chromium', () => {
  it('shows every picture of a .ts and hears its tone, both from the same moment on', async () => {
    const tone = `sine=f=${TONE_HERTZ}:r=44100:d=1`;
    runPackagedFfmpeg('-f', 'lavfi', '-i', tone, join(folder, 'tone.wav'));
    const frames = generateSample({ kind: 'pan', ...SIZE, frames: 12, seed: 1 });
    const { units } = await encodeFrames(frames, { ...SIZE, q: 6, target: 'jsmpeg' });
    const sound = await openSound(join(folder, 'tone.wav'));
    const path = join(folder, 'tone.ts');
    const writer = await VideoWriter.open(path, { ...SIZE, frameRate: FRAME_RATES[2]! }, { sound });
    for (const unit of units) await writer.write(unit);
    await writer.finish();
    const browser = await launchChromium();
    try {
      const page = await browser.newPage();
      await page.addScriptTag({ path: createRequire(import.meta.url).resolve('@seydx/jsmpeg') });
      const heard = await page.evaluate(playInPage, readFileSync(path).toString('base64'));
      expect([heard.pictures, heard.sampleRate, heard.samples.length]).toEqual([12, 44_100, 1152 * writer.soundFrames]);
      expect(Math.abs(heard.starts[0] - heard.starts[1])).toBeLessThan(0.001);
      // A tone crosses zero twice a period. The decoder's filters need a frame to begin.
      const steady = heard.samples.slice(1152, -1152);
      const crossings = steady.filter((sample, i) => i > 0 && sample >= 0 !== steady[i - 1]! >= 0).length;
      expect((crossings / 2 / steady.length) * 44_100).toBeCloseTo(TONE_HERTZ, -1);
      expect(Math.max(...steady)).toBeGreaterThan(0.05);
    } finally {
      await browser.close();
    }
  });
});
