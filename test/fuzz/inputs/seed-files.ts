// The sound files that are damaged, made once by a process.
import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { generateSample } from '../../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../../samples/write-frames.js';
import { encodeFlo } from '../../../src/media/maps/flo-format.js';
import { encodeKittiFlow } from '../../../src/media/maps/kitti-flow.js';
import { packagedFfmpeg } from '../../support/decoders.js';

export const WIDTH = 48;
export const HEIGHT = 34;
const FRAMES = 4;

/** How a file is read: as the input, or beside a sound `in.y4m` with these arguments of a command. */
export type Use = 'input' | { readonly command: 'encode' | 'estimate'; readonly flag: string };

/** The sound files by what they are, and how each is read. */
export const SEED_FILES = {
  'image.png': 'input',
  'image.jpg': 'input',
  'image.bmp': 'input',
  'image.ppm': 'input',
  'text.ppm': 'input',
  'image.pgm': 'input',
  'image.tif': 'input',
  'image.webp': 'input',
  'clip.y4m': 'input',
  'clip.mp4': 'input',
  'clip.mkv': 'input',
  'clip.avi': 'input',
  'clip.ts': 'input',
  'clip.m1v': 'input',
  'flow.flo': { command: 'estimate', flag: '--truth' },
  'kitti.png': { command: 'estimate', flag: '--truth' },
  'disparity.png': { command: 'estimate', flag: '--disparity' },
  'matrix.txt': { command: 'encode', flag: '--intra-matrix' },
} as const satisfies Readonly<Record<string, Use>>;

/** Name of a sound file. */
export type SeedName = keyof typeof SEED_FILES;

/** The bytes of all sound files, and those of `in.y4m`. */
export async function makeSeedFiles(): Promise<ReadonlyMap<SeedName | 'in.y4m', Uint8Array>> {
  const folder = mkdtempSync(join(tmpdir(), 'mpegpu-seeds-'));
  try {
    const sample = generateSample({ kind: 'pan', width: WIDTH, height: HEIGHT, frames: FRAMES, seed: 3 });
    await writeY4m(join(folder, 'clip.y4m'), sample, 25, () => {});
    await writePngFolder(join(folder, 'png'), [sample.frame(0)], () => {});
    const png = readFileSync(join(folder, 'png', 'frame0000.png'));
    const ffmpeg = (output: string, ...args: string[]) =>
      promisify(execFile)(packagedFfmpeg(), [
        '-v',
        'error',
        '-i',
        join(folder, 'clip.y4m'),
        ...args,
        join(folder, output),
      ]);
    await ffmpeg('clip.mp4', '-c:v', 'mpeg4');
    await ffmpeg('clip.mkv', '-c:v', 'ffv1');
    await ffmpeg('clip.avi', '-c:v', 'mjpeg', '-pix_fmt', 'yuvj420p');
    for (const name of ['clip.ts', 'clip.m1v']) await ffmpeg(name, '-c:v', 'mpeg1video');
    await ffmpeg('image.bmp', '-frames:v', '1');
    await ffmpeg('image.ppm', '-frames:v', '1');
    await ffmpeg('image.pgm', '-frames:v', '1');
    const write = (name: string, bytes: Uint8Array | string) => writeFileSync(join(folder, name), bytes);
    write('image.png', png);
    write('image.jpg', await sharp(png).jpeg().toBuffer());
    write('image.tif', await sharp(png).tiff().toBuffer());
    write('image.webp', await sharp(png).webp().toBuffer());
    const pels = WIDTH * HEIGHT;
    write(
      'text.ppm',
      `P3\n# text\n${WIDTH} ${HEIGHT}\n255\n${Array.from({ length: 3 * pels }, (_, i) => i & 255).join(' ')}\n`,
    );
    const flow = { width: WIDTH, height: HEIGHT, u: new Float32Array(pels).fill(1), v: new Float32Array(pels) };
    write('flow.flo', encodeFlo(flow));
    write('kitti.png', await encodeKittiFlow(flow));
    const gray = { raw: { width: WIDTH, height: HEIGHT, channels: 1 } } as const;
    write('disparity.png', await sharp(new Uint8Array(pels).fill(3), gray).png().toBuffer());
    write('matrix.txt', `# weights\n8 ${'16 '.repeat(63)}\n`);
    const names = Object.keys(SEED_FILES) as SeedName[];
    const files = new Map<SeedName | 'in.y4m', Uint8Array>(names.map(name => [name, readFileSync(join(folder, name))]));
    return files.set('in.y4m', readFileSync(join(folder, 'clip.y4m')));
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
