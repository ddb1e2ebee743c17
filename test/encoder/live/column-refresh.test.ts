// Refresh by columns: a decoder that starts at any group shows clean pictures from the end of that group on.
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../../samples/generate.js';
import { Encoder } from '../../../src/encoder/encoder.js';
import type { EncoderOptions } from '../../../src/encoder/options.js';
import { ElementaryStreamWriter } from '../../../src/media/containers/elementary-stream.js';
import type { Frame } from '../../../src/picture/frame.js';
import { decodeWithFfmpeg, framesFromY4m, packagedFfmpeg, runDecoder } from '../../support/decoders.js';
import { type Encoded, encodeFrames } from '../../support/encode.js';
import { temporaryFolder } from '../../support/ffmpeg-clips.js';

const SIZE = { width: 112, height: 48 };
const COLUMNS = 7;
const GROUPS = 2;
const folder = temporaryFolder();

/** Macroblock columns that are wholly intra in a picture, by its coded macroblock types. */
function intraColumns(types: Uint8Array): number[] {
  const rows = types.length / COLUMNS;
  const isIntra = (column: number) => Array.from({ length: rows }, (_, row) => types[row * COLUMNS + column]! & 16);
  return Array.from({ length: COLUMNS }, (_, column) => column).filter(column => isIntra(column).every(Boolean));
}

async function encode(options: Partial<EncoderOptions> & { gop: number }) {
  const types: Uint8Array[] = [];
  // The camera turns: what is predicted comes from all sides.
  const frames = generateSample({ kind: 'rotation', ...SIZE, frames: GROUPS * options.gop + 1, seed: 5 });
  const onPicture: EncoderOptions['onPicture'] = report => void types.push(report.macroblockTypes());
  const encoded = await encodeFrames(frames, {
    ...SIZE,
    latency: 'low',
    intraRefresh: 'columns',
    ...options,
    onPicture,
  });
  return { ...encoded, types };
}

function framesEqual(a: Frame, b: Frame): boolean {
  return (['y', 'u', 'v'] as const).every(plane => Buffer.compare(a[plane], b[plane]) === 0);
}

/** A file of the stream from a unit on. */
function streamFrom({ units }: Pick<Encoded, 'units'>, first: number, name: string): string {
  const writer = new ElementaryStreamWriter();
  const path = join(folder, `${name}.m1v`);
  writeFileSync(path, Buffer.concat([...units.slice(first).flatMap(unit => writer.write(unit)), ...writer.end()]));
  return path;
}

/** What ffmpeg shows of a stream whose first picture is predicted, of which it complains. */
async function shownLate(path: string): Promise<Frame[]> {
  const output = ['-vsync', 'passthrough', '-f', 'yuv4mpegpipe', '-'];
  return framesFromY4m(await runDecoder(packagedFfmpeg(), ['-v', 'fatal', '-i', path, ...output], path));
}

describe.each([
  { gop: 3, preset: 'fastest', q: 4 },
  { gop: 7, preset: 'smallest', q: 3 },
  { gop: 10, preset: 'balanced', bitrate: 300_000 },
  { gop: 4, preset: 'fast', q: 5, kernels: 'reference' },
] as const)('%o', options => {
  const { gop } = options;
  let encoded: Awaited<ReturnType<typeof encode>>;
  beforeAll(async () => {
    encoded = await encode(options);
  });

  it('makes every column intra once a group, in P pictures', () => {
    const { types, units } = encoded;
    expect(units.map(({ pictureType }) => pictureType).join('')).toBe(`I${'P'.repeat(units.length - 1)}`);
    for (let group = 1; group < GROUPS; group++) {
      const refreshed = types.slice(group * gop, (group + 1) * gop).flatMap(intraColumns);
      expect(refreshed.filter((column, i) => refreshed.indexOf(column) === i)).toHaveLength(COLUMNS);
    }
  });

  it('is clean after one group for a decoder that starts at a later sequence header', async () => {
    const { reconstruction, units } = encoded;
    const whole = await decodeWithFfmpeg(streamFrom(encoded, 0, `whole-${gop}`));
    expect(whole.map((frame, n) => framesEqual(frame, reconstruction[n]!))).not.toContain(false);
    const start = gop;
    expect([...units[start]!.data.subarray(0, 4)]).toEqual([0, 0, 1, 0xb3]);
    const shown = await shownLate(streamFrom(encoded, start, `late-${gop}`));
    const isClean = reconstruction.slice(start).map((frame, n, { length }) => {
      const late = shown[shown.length - length + n];
      return late !== undefined && framesEqual(late, frame);
    });
    expect(isClean.slice(0, gop - 1)).not.toContain(true);
    expect(isClean.slice(gop - 1)).not.toContain(false);
  });
});

describe('a requested key frame', () => {
  it('is an I picture, and columns are refreshed from the left after it', async () => {
    const gop = COLUMNS;
    const frames = [...generateSample({ kind: 'snow', ...SIZE, frames: 8, seed: 2 })];
    const columns: number[][] = [];
    const encoder = new Encoder({
      ...{ ...SIZE, frameRate: 25, latency: 'low', intraRefresh: 'columns', gop, q: 31, preset: 'fast' },
      onPicture: ({ type, macroblockTypes }) =>
        void columns.push(type === 'I' ? [-1] : intraColumns(macroblockTypes())),
    });
    for (const [n, frame] of frames.entries()) {
      if (n === 3) encoder.requestKeyFrame();
      await encoder.add(frame);
    }
    await encoder.finish();
    const due = [-1, 1, 2, -1, 1, 2, 3, 4];
    expect(columns.map((found, n) => found.includes(due[n]!))).not.toContain(false);
  });
});
