// Writes frames as PNG files or as y4m, without any code of the encoder.
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { finished } from 'node:stream/promises';
import sharp from 'sharp';
import type { Frame } from '../src/picture/frame.js';

/** Limit of PNG files that are compressed at the same time. */
const MAX_AT_ONCE = 4;

/** The names that `writePngFolder` gives its files. */
const FRAME_NAME = /^frame\d{4,}\.png$/;

/**
 * Writes frames as `frame0000.png`, `frame0001.png`, ... into a folder, which is created if missing. Frames of an
 * earlier run are removed first, so that the folder holds one sequence; other files stay.
 */
export async function writePngFolder(
  folder: string,
  frames: Iterable<Frame> | AsyncIterable<Frame>,
  onFrame: () => void,
): Promise<void> {
  await mkdir(folder, { recursive: true });
  const old = (await readdir(folder)).filter(name => FRAME_NAME.test(name));
  await Promise.all(old.map(name => rm(join(folder, name))));
  const writing: Promise<void>[] = [];
  let index = 0;
  for await (const frame of frames) {
    if (writing.length === MAX_AT_ONCE) await writing.shift();
    writing.push(writePng(join(folder, `frame${String(index++).padStart(4, '0')}.png`), frame).then(onFrame));
  }
  await Promise.all(writing);
}

async function writePng(path: string, frame: Frame): Promise<void> {
  const raw = { width: frame.width, height: frame.height, channels: 3 } as const;
  await sharp(rgbOf(frame), { raw }).png({ compressionLevel: 1 }).toFile(path);
}

/** Writes frames as one 4:2:0 y4m file. */
export async function writeY4m(
  path: string,
  frames: Iterable<Frame> | AsyncIterable<Frame>,
  fps: number,
  onFrame: () => void,
): Promise<void> {
  const file = createWriteStream(path);
  const done = finished(file);
  let begun = false;
  try {
    for await (const frame of frames) {
      if (!begun) file.write(`YUV4MPEG2 W${frame.width} H${frame.height} F${fps}:1 Ip A1:1 C420jpeg\n`);
      begun = true;
      file.write('FRAME\n');
      file.write(frame.y);
      file.write(frame.u);
      if (!file.write(frame.v)) await Promise.race([once(file, 'drain'), done]);
      onFrame();
    }
  } finally {
    file.end();
  }
  await done;
}

/** The 8-bit RGB pels of a BT.601 frame of limited range, in integers of 1/65536. Chroma is repeated over four pels. */
function rgbOf(frame: Frame): Uint8Array {
  const { width, height } = frame;
  const chromaWidth = (width + 1) >> 1;
  const rgb = new Uint8ClampedArray(width * height * 3);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const at = y * width + x;
      const chroma = (y >> 1) * chromaWidth + (x >> 1);
      const luma = 76309 * (frame.y[at] - 16) + 32768;
      const cb = frame.u[chroma] - 128;
      const cr = frame.v[chroma] - 128;
      rgb[3 * at] = (luma + 104597 * cr) >> 16;
      rgb[3 * at + 1] = (luma - 25675 * cb - 53279 * cr) >> 16;
      rgb[3 * at + 2] = (luma + 132201 * cb) >> 16;
    }
  }
  return new Uint8Array(rgb.buffer);
}
