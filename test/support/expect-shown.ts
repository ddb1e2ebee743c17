// What the decoders must show of a stream: the encoder's reconstruction.
import { createHash } from 'node:crypto';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import type { Frame } from '../../src/picture/frame.js';
import { expectSameFrames } from './compare-frames.js';
import { decodeWithFfmpeg, decodeWithMpeg2dec, framesFromY4m, runDecoder, systemFfmpeg } from './decoders.js';
import type { Encoded } from './encode.js';
import { temporaryFolder } from './ffmpeg-clips.js';
import { psnr } from './psnr.js';
import { reasonMissing } from './requirements.js';

/** A stream whose second opinion is asked at the end of the file. */
interface Stream {
  readonly path: string;
  readonly what: string;
  /** A digest of each picture of the reconstruction. */
  readonly pictures: readonly string[];
}

/** The streams of a test file and what decoders show of them. */
export class ShownStreams {
  readonly #folder = temporaryFolder();
  readonly #streams: Stream[] = [];

  /**
   * Expects the packaged ffmpeg to show the reconstruction bit for bit. mpeg2dec, where it is there, must show as many
   * pictures, and the last of them, which has drifted most, within `minMpeg2decPsnr` dB. `what` names the encode in a
   * failure; `stream` is a video elementary stream.
   */
  async expectShown(
    { stream, reconstruction }: Pick<Encoded, 'stream' | 'reconstruction'>,
    what: string,
    minMpeg2decPsnr = 0,
  ): Promise<void> {
    const path = join(this.#folder, `${this.#streams.length}.m1v`);
    writeFileSync(path, stream);
    await this.expectFileShown(path, reconstruction, what);
    if (reasonMissing('mpeg2dec') !== undefined) return;
    const shown = await decodeWithMpeg2dec(path);
    expect(shown.length, `pictures of ${what}, mpeg2dec`).toBe(reconstruction.length);
    const { y } = psnr(shown.at(-1)!, reconstruction.at(-1)!);
    expect(y, `last picture of ${what}, mpeg2dec`).toBeGreaterThanOrEqual(minMpeg2decPsnr);
  }

  /** Expects the packaged ffmpeg to show these pictures of a file of any container, which stays as it is. */
  async expectFileShown(path: string, pictures: readonly Frame[], what: string): Promise<void> {
    this.#streams.push({ path, what, pictures: pictures.map(digestOf) });
    expectSameFrames(await decodeWithFfmpeg(path), pictures, `${what}, packaged ffmpeg`);
  }

  /**
   * The last test of a file: the machine's own ffmpeg shows the same of all streams. It takes ten times as long to
   * start as to decode a short stream, so it starts once for all of them.
   */
  describeSecondOpinion(): void {
    const system = systemFfmpeg();
    it.skipIf(system === undefined)("the machine's own ffmpeg shows the reconstructions, too", async () => {
      expect(this.#streams.length).toBeGreaterThan(0);
      const shown = (stream: Stream) => join(this.#folder, `${this.#streams.indexOf(stream)}.y4m`);
      const inputs = this.#streams.flatMap(({ path }) => ['-i', path]);
      const outputs = this.#streams.flatMap((stream, n) => {
        const coding = ['-vsync', 'passthrough', '-pix_fmt', 'yuv420p', '-f', 'yuv4mpegpipe'];
        return ['-map', `${n}:v:0`, ...coding, shown(stream)];
      });
      await runDecoder(system!, ['-nostdin', '-v', 'error', ...inputs, ...outputs], this.#streams[0]!.path);
      for (const stream of this.#streams) {
        const pictures = framesFromY4m(readFileSync(shown(stream))).map(digestOf);
        rmSync(shown(stream));
        expect(pictures.length, `pictures of ${stream.what}`).toBe(stream.pictures.length);
        const first = pictures.findIndex((digest, n) => digest !== stream.pictures[n]);
        expect(first, `the first picture of ${stream.what} that differs, by number; -1: none`).toBe(-1);
      }
    });
  }
}

function digestOf({ width, height, y, u, v }: Frame): string {
  const hash = createHash('md5').update(`${width}x${height}`);
  return hash.update(y).update(u).update(v).digest('base64');
}
