// Writes frames as every kind of input that the command line reads.
import { execFile } from 'node:child_process';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { writePngFolder, writeY4m } from '../../../samples/write-frames.js';
import type { Frame } from '../../../src/picture/frame.js';
import { packagedFfmpeg } from '../../support/decoders.js';

/** The kinds of input. */
export const INPUT_KINDS = ['y4m', 'png', 'pattern', 'glob', 'yuv', 'stdin', 'video'] as const;
export type InputKind = (typeof INPUT_KINDS)[number];

/** An input, as the command line names it. */
export interface InputFiles {
  readonly args: readonly string[];
  /** For standard input. */
  readonly stdin?: Uint8Array;
}

/** Writes frames into `folder`. */
export async function writeInput(kind: InputKind, frames: readonly Frame[], folder: string): Promise<InputFiles> {
  const { width, height } = frames[0]!;
  const y4m = join(folder, 'in.y4m');
  if (['png', 'pattern', 'glob'].includes(kind)) {
    await writePngFolder(join(folder, 'in'), frames, () => {});
    return { args: [{ png: 'in', pattern: 'in/frame%04d.png' }[kind as string] ?? 'in/*.png'] };
  }
  if (kind === 'yuv') {
    writeFileSync(join(folder, 'in.yuv'), Buffer.concat(frames.flatMap(({ y, u, v }) => [y, u, v])));
    return { args: ['in.yuv', '--size', `${width}x${height}`] };
  }
  await writeY4m(y4m, frames, 25, () => {});
  if (kind === 'y4m') return { args: ['in.y4m'] };
  if (kind === 'stdin') return { args: ['-'], stdin: readFileSync(y4m) };
  const args = ['-v', 'error', '-i', y4m, '-c:v', 'ffv1', '-pix_fmt', 'yuv420p', join(folder, 'in.mkv')];
  await promisify(execFile)(packagedFfmpeg(), args);
  return { args: ['in.mkv'] };
}

/** The names in a folder. */
export const namesIn = (folder: string): string[] => readdirSync(folder);
