// What the decoders must show of a stream: the encoder's reconstruction.
import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'vitest';
import { expectSameFrames } from './compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, everyFfmpeg } from './decoders.js';
import type { Encoded } from './encode.js';
import { psnr } from './psnr.js';
import { reasonMissing } from './requirements.js';

/**
 * Expects every ffmpeg to show the reconstruction bit for bit. mpeg2dec, where it is there, must show as many
 * pictures, and the last of them, which has drifted most, within `minMpeg2decPsnr` dB. `what` names the encode in a
 * failure; the stream lies in `folder` meanwhile.
 */
export async function expectShown(
  { stream, reconstruction }: Pick<Encoded, 'stream' | 'reconstruction'>,
  folder: string,
  what: string,
  minMpeg2decPsnr = 0,
): Promise<void> {
  const path = join(folder, `${what.replace(/\W/g, '-')}.m1v`);
  writeFileSync(path, stream);
  for (const ffmpeg of everyFfmpeg()) {
    expectSameFrames(await decodeWithFfmpeg(path, ffmpeg.path), reconstruction, `${what}, ${ffmpeg.name}`);
  }
  if (reasonMissing('mpeg2dec') === undefined) {
    const shown = await decodeWithMpeg2dec(path);
    expect(shown.length, `pictures of ${what}, mpeg2dec`).toBe(reconstruction.length);
    const { y } = psnr(shown.at(-1)!, reconstruction.at(-1)!);
    expect(y, `last picture of ${what}, mpeg2dec`).toBeGreaterThanOrEqual(minMpeg2decPsnr);
  }
  rmSync(path);
}
