// Streams that start late: their clocks pass 33 bits, and nothing else changes.
import { spawnSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import type { AccessUnit } from '../../../src/bitstream/access-unit.js';
import { FRAME_RATES } from '../../../src/bitstream/tables/frame-rate.js';
import { OptionError } from '../../../src/errors.js';
import { containerForPath } from '../../../src/media/containers/container.js';
import type { StreamFormat } from '../../../src/media/containers/container-writer.js';
import { copyIntoContainer } from '../../../src/media/output/stream-copy.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, everyFfmpeg } from '../../support/decoders.js';
import { type Encoded, encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';
import { describeWithMpeg2dec } from '../../support/requirements.js';
import { randomStream } from './random-units.js';
import { parseSystemStream } from './system-stream-model.js';
import { groupByPayload, parsePes, parseTransportPackets } from './transport-stream-model.js';

const MODULUS = 2 ** 33;
const PICTURES = 16;
const SIZE = { width: 48, height: 32 };
const folder = temporaryFolder();

/** The bytes of a container that starts at `startTicks`. */
function written(extension: string, format: StreamFormat, units: readonly AccessUnit[], startTicks = 0): Buffer {
  const { writer } = containerForPath(`stream${extension}`, { ...format, startTicks });
  return Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]);
}

/** Starts of which the wrap lies in the stream or right behind it. */
const lateStart = fc.integer({ min: 1, max: 40 * 3754 }).map(ticks => MODULUS - ticks);

describe('a late start', () => {
  it('moves every stamp of a .mpg modulo 2^33, and changes nothing else', () => {
    fc.assert(
      fc.property(randomStream, lateStart, ({ format, units }, start) => {
        const moved = (ticks: number) => (ticks + start) % MODULUS;
        const early = parseSystemStream(written('.mpg', format, units));
        const late = parseSystemStream(written('.mpg', format, units, start));
        expect(late.video.units).toEqual(
          early.video.units.map(({ offset, pts, dts }) => ({ offset, pts: moved(pts), dts: moved(dts) })),
        );
        expect(late.packs).toEqual(early.packs.map(pack => ({ ...pack, scr: moved(pack.scr) })));
        expect([late.rateBound, late.video.bufferBound, late.video.bufferSizes]).toEqual([
          early.rateBound,
          early.video.bufferBound,
          early.video.bufferSizes,
        ]);
        expect(Buffer.compare(late.video.data, early.video.data)).toBe(0);
      }),
      { seed: 33, numRuns: 6 },
    );
  });

  it('moves every stamp of a .ts modulo 2^33, and changes nothing else', () => {
    const parse = (bytes: Buffer) => {
      const packets = parseTransportPackets(bytes);
      const video = packets.filter(({ pid }) => pid === 0x100);
      return {
        packets: packets.map(({ pid, payload }) => `${pid} ${payload.length}`),
        units: groupByPayload(video).map(group => ({ pcr: group[0]!.pcr!, ...parsePes(group) })),
      };
    };
    fc.assert(
      fc.property(randomStream, lateStart, ({ format, units }, start) => {
        const early = parse(written('.ts', format, units));
        const late = parse(written('.ts', format, units, start));
        expect(late.packets).toEqual(early.packets);
        late.units.forEach(({ pcr, pts, dts, data }, i) => {
          const unit = early.units[i]!;
          expect([pcr, pts, dts]).toEqual([
            (unit.pcr + 300 * start) % (300 * MODULUS),
            (unit.pts + start) % MODULUS,
            (unit.dts + start) % MODULUS,
          ]);
          expect(Buffer.compare(data, unit.data)).toBe(0);
        });
      }),
      { seed: 33, numRuns: 6 },
    );
  });

  it.each([-1, 0.5, MODULUS, Number.NaN])('of %d ticks is refused', startTicks => {
    const format = { ...SIZE, frameRate: FRAME_RATES[2]!, startTicks };
    for (const extension of ['.mpg', '.ts']) {
      expect(() => containerForPath(`a${extension}`, format)).toThrow(OptionError);
      expect(() => containerForPath(`a${extension}`, format)).toThrow(/is not a whole number from 0 to 8589934591/);
    }
  });
});

describe.each([
  { extension: '.mpg', rate: 3 },
  { extension: '.ts', rate: 4 },
])('a $extension in which the clock wraps', ({ extension, rate }) => {
  const frameRate = FRAME_RATES[rate - 1]!;
  const period = (90_000 * frameRate.denominator) / frameRate.numerator;
  const path = join(folder, `wrap${extension}`);
  let encoded: Encoded;

  beforeAll(async () => {
    const frames = generateSample({ kind: 'pan', ...SIZE, frames: PICTURES, seed: 1 });
    const options = { estimator: 'zero', preset: 'fast', gop: 6, bFrames: 2, adaptiveTypes: false } as const;
    encoded = await encodeFrames(frames, { ...SIZE, frameRate, ...options });
    // The SCR or PCR, the DTS and the PTS wrap in the middle, each at another picture.
    const delay = extension === '.mpg' ? 12 : 2;
    const startTicks = MODULUS - Math.round((delay + PICTURES / 2) * period);
    writeFileSync(path, written(extension, { ...SIZE, frameRate }, encoded.units, startTicks));
  });

  it.each(everyFfmpeg())('has continuous pictures for the $name', async ({ path: ffmpeg }) => {
    const { stdout, stderr } = spawnSync(ffmpeg, ['-v', 'warning', '-i', path, '-c', 'copy', '-f', 'framecrc', '-'], {
      encoding: 'utf8',
    });
    expect(stderr).toBe('');
    const packets = [...stdout.matchAll(/^0, *(-?\d+), *(-?\d+), *(\d+)/gm)].map(found => found.slice(1).map(Number));
    const [[firstDts = 0] = []] = packets;
    expect(packets.map(([dts, pts]) => [dts! - firstDts, pts! - firstDts])).toEqual(
      encoded.units.map(({ codedNumber, displayNumber }) => [codedNumber * period, (displayNumber + 1) * period]),
    );
    expect(new Set(packets.map(([, , duration]) => duration))).toEqual(new Set([period]));
    expectSameFrames(await decodeWithFfmpeg(path, ffmpeg), encoded.reconstruction, extension);
  });

  it('is copied into another container without a gap', async () => {
    const output = join(folder, `copy-of${extension.slice(1)}.mkv`);
    await copyIntoContainer({ input: path, output, frameRate });
    const { stdout } = spawnSync(everyFfmpeg()[0]!.path, ['-i', output, '-f', 'framecrc', '-vsync', '0', '-'], {
      encoding: 'utf8',
    });
    const times = [...stdout.matchAll(/^0, *-?\d+, *(-?\d+)/gm)].map(([, pts]) => Number(pts));
    const [numerator, denominator] = /^#tb 0: (\d+)\/(\d+)/m.exec(stdout)!.slice(1).map(Number) as [number, number];
    expect(times).toHaveLength(PICTURES);
    times.forEach((time, i) => {
      expect(Math.abs(((time - times[0]!) * numerator) / denominator - (i * period) / 90_000)).toBeLessThan(0.0011);
    });
  });

  if (extension !== '.mpg') return;
  describeWithMpeg2dec('mpeg2dec', () => {
    it('decodes every picture', async () => {
      expect(await decodeWithMpeg2dec(path)).toHaveLength(PICTURES);
    });
  });
});
