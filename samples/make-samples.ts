// The command that writes a generated sequence as PNG frames or y4m.
import { mkdir } from 'node:fs/promises';
import { dirname } from 'node:path';
import { parseArgs } from 'node:util';
import { generateSample, SAMPLE_KINDS, type SampleKind } from './generate.js';
import { writePngFolder, writeY4m } from './write-frames.js';

const USAGE = `usage: node dist/samples/make-samples.js <kind> <folder | file.y4m> [--size WxH] [--frames N] [--seed S] [--fps N]

Makes a test sequence: PNG frames in a folder, or a .y4m file. The same seed gives the same pels on every machine.
Defaults: --size 640x480 --frames 60 --seed 1 --fps 25 (the rate is written in .y4m only).

kinds:
${Object.entries(SAMPLE_KINDS)
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
  const size = /^(\d+)x(\d+)$/.exec(values.size);
  if (size === null) throw new UsageError(`--size is '${values.size}'; legal: WIDTHxHEIGHT, such as 640x480`);
  const fps = wholeNumber('fps', values.fps);
  const frames = wholeNumber('frames', values.frames);
  const sample = generateSample({
    kind: kind as SampleKind,
    width: Number(size[1]),
    height: Number(size[2]),
    frames,
    seed: wholeNumber('seed', values.seed),
  });
  const progress = progressLine(target, frames);
  if (target.endsWith('.y4m')) {
    await mkdir(dirname(target), { recursive: true });
    await writeY4m(target, sample, fps, progress);
  } else {
    await writePngFolder(target, sample, progress);
  }
  process.stderr.write(`${target}: ${frames} frames of ${size[0]}, ${SAMPLE_KINDS[sample.options.kind]}\n`);
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
