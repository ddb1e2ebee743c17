// Tests of the matrix of a video's colours: kept with a warning, or converted to BT.601's.
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import type { FrameSourceOptions } from '../../../src/media/frames/frame-source.js';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { everyFfmpeg, packagedFfmpeg } from '../../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { allFrames } from '../test-frames.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);

/** The weights of red and blue in luma; ITU-R BT.601, BT.709 and BT.2020. */
const WEIGHTS = { bt601: [0.299, 0.114], bt709: [0.2126, 0.0722], bt2020nc: [0.2627, 0.0593] } as const;
type Matrix = keyof typeof WEIGHTS;
const COLOUR = [30, 198, 60] as const;

/** Y, Cb and Cr of the colour, in limited range. */
function componentsBy(matrix: Matrix): number[] {
  const [red, blue] = WEIGHTS[matrix];
  const [r, g, b] = COLOUR.map(value => value / 255) as [number, number, number];
  const luma = red * r + (1 - red - blue) * g + blue * b;
  return [16 + 219 * luma, 128 + (112 * (b - luma)) / (1 - blue), 128 + (112 * (r - luma)) / (1 - red)];
}

/** A clip of two pictures of the colour, whose header says the matrix, but BT.601. */
function makeClip(name: string, matrix: Matrix, size: string, says = matrix !== 'bt601'): void {
  const [y, u, v] = componentsBy(matrix).map(Math.round);
  const colour = `lutyuv=y=${y}:u=${u}:v=${v}`;
  const said = says ? ['-colorspace', matrix] : [];
  const source = ['-f', 'lavfi', '-i', `color=size=64x48:rate=25,format=yuv420p,${colour},scale=${size}`];
  runPackagedFfmpeg(...source, '-frames:v', '2', '-c:v', 'ffv1', ...said, '-color_range', 'tv', at(name));
}

makeClip('709.mkv', 'bt709', '64:48');
makeClip('2020.mkv', 'bt2020nc', '64:48');
makeClip('odd.mkv', 'bt709', '17:48');
makeClip('large.mkv', 'bt709', '32:720');
makeClip('unsaid.mkv', 'bt601', '64:48');
makeClip('large-unsaid.mkv', 'bt709', '32:720', false);
runPackagedFfmpeg(
  '-i',
  at('709.mkv'),
  '-vf',
  'scale=in_range=tv:out_range=pc',
  '-c:v',
  'ffv1',
  '-colorspace',
  'bt709',
  '-color_range',
  'pc',
  at('full.mkv'),
);

describe.each(everyFfmpeg())('with the $name', ({ path: ffmpegPath }) => {
  afterEach(() => {
    vi.unstubAllEnvs();
  });

  async function read(name: string, options: FrameSourceOptions = {}) {
    vi.stubEnv('FFMPEG_PATH', ffmpegPath);
    const warnings: string[] = [];
    const onWarning = (message: string) => warnings.push(message);
    const frames = await allFrames(await openFrameSource(at(name), { ...options, onWarning }));
    expect(frames).toHaveLength(2);
    return { planes: frames.map(({ y, u, v }) => [y, u, v]), warnings };
  }

  function expectColour(planes: readonly (readonly Uint8Array[])[], matrix: Matrix): void {
    for (const frame of planes) {
      for (const [index, expected] of componentsBy(matrix).entries()) {
        for (const value of new Set(frame[index])) expect(Math.abs(value - expected)).toBeLessThan(1.6);
      }
    }
  }

  const isPackaged = ffmpegPath === packagedFfmpeg();
  const BT709 = ['709.mkv', 'bt709', 'BT.709'] as const;
  const BT2020 = ['2020.mkv', 'bt2020nc', 'BT.2020'] as const;

  it.each([
    ...(isPackaged ? [['709.mkv', {}] as const] : []), // the other converts two below, which are of BT.709, too
    ['2020.mkv', {}],
    ['full.mkv', {}],
    ['709.mkv', { scale: { width: 32, height: 16 } }],
    ['large-unsaid.mkv', { scale: { width: 32, height: 360 } }],
    ['odd.mkv', { crop: { width: 16, height: 32, x: 1, y: 0 } }],
  ] as const)('%s becomes BT.601 where that is asked for, with %o', async (name, options) => {
    const { planes, warnings } = await read(name, { ...options, toBt601: true });
    expectColour(planes, 'bt601');
    expect(warnings).toEqual([]);
  });

  it.each(isPackaged ? [BT709, BT2020] : [BT709])(
    '%s is kept, and told, where it is not',
    async (name, matrix, what) => {
      const { planes, warnings } = await read(name);
      expectColour(planes, matrix);
      expect(warnings).toEqual([
        `${at(name)} keeps its colours of ${what}, but players take MPEG-1 of less than 720 lines for BT.601: ` +
          'toBt601 converts them',
      ]);
    },
  );

  // What is told of a size, and refused for it, no longer depends on ffmpeg.
  const once = it.runIf(isPackaged);
  once('nothing is told of large pictures, unless they are made small, nor where no matrix is said', async () => {
    expect((await read('large.mkv')).warnings).toEqual([]);
    expect((await read('large.mkv', { scale: { width: 32, height: 704 } })).warnings).toHaveLength(1);
    expect((await read('unsaid.mkv')).warnings).toEqual([]);
  });

  once(
    'what says none, but is as large as pictures of BT.709 are, is taken for that where it is made small',
    async () => {
      expect((await read('large-unsaid.mkv')).warnings).toEqual([]);
      const { planes, warnings } = await read('large-unsaid.mkv', { scale: { width: 32, height: 360 } });
      expectColour(planes, 'bt709');
      expect(warnings).toEqual([
        `${at('large-unsaid.mkv')} keeps its colours of BT.709 (it says none, but they are usual at its size), but ` +
          'players take MPEG-1 of less than 720 lines for BT.601: toBt601 converts them',
      ]);
    },
  );

  it('what does not say its matrix is not converted, which is told', async () => {
    const { planes, warnings } = await read('unsaid.mkv', { toBt601: true });
    expectColour(planes, 'bt601');
    expect(warnings).toEqual([`${at('unsaid.mkv')} does not say BT.709 or BT.2020: toBt601 converts nothing`]);
  });

  once('an odd size is refused', async () => {
    await expect(read('odd.mkv', { toBt601: true })).rejects.toThrow(
      `toBt601 needs an even width and height, which the pictures of ${at('odd.mkv')} do not have`,
    );
  });
});
