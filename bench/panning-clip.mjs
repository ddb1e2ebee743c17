// Writes the clip of the benchmarks that need no real one.
import { closeSync, openSync, writeSync } from 'node:fs';
import { panningClip } from './luma-clips.mjs';

/** Writes a y4m file of `frames` pictures of a size such as '640x480' that pan back and forth. */
export function writePanningClip(path, size, frames) {
  const [columns, rows] = size.split('x').map(Number);
  const { width, height, planes } = panningClip(columns, rows, 24);
  const chroma = Buffer.alloc((width * height) / 2, 128);
  const file = openSync(path, 'w');
  writeSync(file, `YUV4MPEG2 W${width} H${height} F25:1 Ip A1:1 C420jpeg\n`);
  for (let frame = 0; frame < frames; frame++) {
    const turn = frame % (2 * planes.length - 2);
    writeSync(file, 'FRAME\n');
    writeSync(file, planes[Math.min(turn, 2 * planes.length - 2 - turn)]);
    writeSync(file, chroma);
  }
  closeSync(file);
}
