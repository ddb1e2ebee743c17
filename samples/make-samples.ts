// The command that writes a generated sequence as PNG frames or y4m.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import type { Frame } from '../src/picture/frame.js';
import { generateSample, SAMPLE_KINDS, type SampleKind } from './generate.js';
import { filmOfSnow } from './snow/film.js';
import { type SnowOptions, snowScene } from './snow/scene.js';
import { writePngFolder, writeY4m } from './write-frames.js';

/** The kinds that are generated, and the one that is simulated. */
const KINDS = {
  ...SAMPLE_KINDS,
  'snow-wind': 'snow in a simulated wind, computed on the GPU (docs/snow.md); other GPUs round differently',
};

const USAGE = `usage: node dist/samples/make-samples.js <kind> <folder | file.y4m> [--size WxH] [--frames N] [--seed S] [--fps N]

Makes a test sequence: PNG frames in a folder, or a .y4m file. The same seed gives the same pels on every machine.
Defaults: --size 640x480 --frames 60 --seed 1 --fps 25 (the rate is written in .y4m only).
Of snow-wind: --flakes N (default 262144), --grid XxYxZ (cells of the air, default 128x32x128; Y is the height),
--software (a GPU that is a program will do).

kinds:
${Object.entries(KINDS)
  .map(([kind, text]) => `  ${kind.padEnd(12)}${text}`)
  .join('\n')}
`;

/** A wrong command line. It is reported in one line, with exit status 2. */
class UsageError extends Error {}

async function main(args: string[]): Promise<void> {
  const { values, positionals } = parse(args);
  if (values.help === true) {
    process.stdout.write(USAGE);
    return;
  }
  const [kind, target, extra] = positionals;
  if (kind === undefined || target === undefined || extra !== undefined) {
    throw new UsageError('exactly a kind and a target are needed; --help lists the kinds');
  }
  if (!Object.hasOwn(KINDS, kind)) {
    throw new UsageError(`kind '${kind}' is unknown; legal: ${Object.keys(KINDS).join(', ')}`);
  }
  const size = /^(\d+)x(\d+)$/.exec(values.size);
  if (size === null) throw new UsageError(`--size is '${values.size}'; legal: WIDTHxHEIGHT, such as 640x480`);
  const fps = wholeNumber('fps', values.fps);
  const frames = wholeNumber('frames', values.frames);
  const options = { width: Number(size[1]), height: Number(size[2]), frames, seed: wholeNumber('seed', values.seed) };
  const { flakes, grid, software } = values;
  if (kind !== 'snow-wind') {
    const [unused] = Object.entries({ flakes, grid, software }).find(([, value]) => value !== undefined) ?? [];
    if (unused) throw new UsageError(`--${unused} is an option of the kind snow-wind alone`);
  }
  const film: Iterable<Frame> | AsyncIterable<Frame> =
    kind === 'snow-wind'
      ? await simulatedSnow({ ...options, ...airOptions(flakes, grid), rate: fps }, software === true)
      : generateSample({ ...options, kind: kind as SampleKind });
  const progress = progressLine(target, frames);
  if (target.endsWith('.y4m')) {
    await mkdir(dirname(target), { recursive: true });
    await writeY4m(target, film, fps, progress);
  } else {
    await writePngFolder(target, film, progress);
  }
  process.stderr.write(`${target}: ${frames} frames of ${size[0]}, ${KINDS[kind as keyof typeof KINDS]}\n`);
}

/** The options of the simulated air, where they are given. */
function airOptions(flakes: string | undefined, grid: string | undefined): Pick<SnowOptions, 'flakes' | 'grid'> {
  const cells = /^(\d+)x(\d+)x(\d+)$/.exec(grid ?? '');
  if (grid !== undefined && cells === null) {
    throw new UsageError(`--grid is '${grid}'; legal: XxYxZ, such as 128x32x128`);
  }
  const [x, y, z] = cells?.slice(1).map(Number) ?? [];
  return {
    ...(flakes === undefined ? {} : { flakes: wholeNumber('flakes', flakes) }),
    ...(cells === null ? {} : { grid: { x, y, z } }),
  };
}

/** Simulated snow from the machine's GPU, which is opened before anything is written. */
async function simulatedSnow(
  { frames, ...options }: SnowOptions & { frames: number },
  allowSoftware: boolean,
): Promise<AsyncIterable<Frame>> {
  const scene = snowScene(options);
  const library = 'mpegpu'; // the package's bundle, which the build makes
  const { createGpuSorter } = (await import(library)) as Pick<typeof import('../src/index.js'), 'createGpuSorter'>;
  const sorter = await createGpuSorter({ allowSoftware });
  return (async function* () {
    try {
      yield* filmOfSnow(scene, sorter, frames);
    } finally {
      await sorter.close();
    }
  })();
}

function parse(args: string[]) {
  try {
    return parseArgs({
      args,
      allowPositionals: true,
      options: {
        size: { type: 'string', default: '640x480' },
        frames: { type: 'string', default: '60' },
        seed: { type: 'string', default: '1' },
        fps: { type: 'string', default: '25' },
        flakes: { type: 'string' },
        grid: { type: 'string' },
        software: { type: 'boolean' },
        help: { type: 'boolean', short: 'h' },
      },
    });
  } catch (error) {
    throw new UsageError((error as Error).message.split('\n')[0]);
  }
}

function wholeNumber(option: string, text: string): number {
  if (!/^\d+$/.test(text)) throw new UsageError(`--${option} is '${text}'; legal: a whole number`);
  return Number(text);
}

/** Counts frames on a terminal; prints nothing elsewhere. */
function progressLine(target: string, frames: number): () => void {
  let done = 0;
  return () => {
    done++;
    if (process.stderr.isTTY) process.stderr.write(done < frames ? `\r${target}: ${done} of ${frames}` : '\r\x1b[K');
  };
}

main(process.argv.slice(2)).catch((error: Error) => {
  process.stderr.write(`make-samples: ${error.message}\n`);
  process.exitCode = error instanceof UsageError || error instanceof RangeError ? 2 : 1;
});
