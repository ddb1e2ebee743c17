// JSMpeg plays our transport streams.
import { describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { FRAME_RATES } from '../../src/bitstream/tables/frame-rate.js';
import { containerForPath } from '../../src/media/containers/container.js';
import { encodeFrames } from '../support/encode.js';
import { decodeWithJsmpeg } from '../support/jsmpeg-decode.js';
import { psnr } from '../support/psnr.js';

const SIZE = { width: 200, height: 120 };
/** JSMpeg's own arithmetic differs from libavcodec's: it stays this close over a group of pictures. */
const MIN_PSNR = 38;

describe('JSMpeg plays our .ts', () => {
  // In the last, a slice ends in a macroblock of seven bits, which needs stuffing before it.
  it.each([{ q: 2 }, { q: 8 }, { q: 31 }, { quality: 40 }])(
    'every picture of %o, close to the reconstruction',
    async options => {
      const frames = generateSample({ kind: 'snow', ...SIZE, frames: 20, seed: 6 });
      const { units, reconstruction } = await encodeFrames(frames, { ...SIZE, ...options, bFrames: 0 });
      const { writer } = containerForPath('x.ts', { frameRate: FRAME_RATES[2]!, ...SIZE });
      const stream = Buffer.concat([...units.flatMap(unit => writer.write(unit)), ...writer.end()]);
      const shown = decodeWithJsmpeg(stream);
      expect(shown.frames).toHaveLength(reconstruction.length);
      expect([shown.width, shown.height]).toEqual([SIZE.width, SIZE.height]);
      shown.frames.forEach((frame, i) => {
        expect(psnr(frame, reconstruction[i]!).y).toBeGreaterThanOrEqual(MIN_PSNR);
      });
    },
  );
});
