// Measures encodes of folders of images: whole processes, in turn with another build and with ffmpeg.
import { existsSync, rmSync } from 'node:fs';
import { mkdir, mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from './machine.mjs';
import { median } from './median.mjs';
import { ffmpegVersion, MPEGPU, peerFfmpeg, run, runFfmpeg } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/images.mjs VIDEO [--base FOLDER] [--formats png,jpg,bmp] [--frames 200] [--size 640x480]
       [--threads 1,2] [--preset fastest] [--rounds 5]

  VIDEO   what the images show
  --base  a checkout of another revision, built
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    base: { type: 'string' },
    formats: { type: 'string', default: 'png,jpg,bmp' },
    frames: { type: 'string', default: '200' },
    size: { type: 'string', default: '640x480' },
    threads: { type: 'string', default: '1,2' },
    preset: { type: 'string', default: 'fastest' },
    rounds: { type: 'string', default: '5' },
    help: { type: 'boolean', default: false },
  },
});
const [video] = positionals;
if (values.help || video === undefined || !existsSync(video)) {
  process.stderr.write(USAGE);
  process.exit(values.help ? 0 : 2);
}
const base = values.base && join(resolve(values.base), 'dist', 'package', 'mpegpu.js');
const folder = await mkdtemp(join(tmpdir(), 'mpegpu-images-'));
process.on('exit', () => rmSync(folder, { recursive: true }));
const args = ['--q', '4', '--estimator', 'cpu-predictive', '--preset', values.preset, '--overwrite', '--quiet'];

/** Seconds of an encode of the images by a build, and its stream. */
async function encode(program, images, threads) {
  const output = join(folder, 'own.mpg');
  const { seconds } = await run(process.execPath, [
    program,
    'encode',
    images,
    '-o',
    output,
    ...args,
    '--threads',
    threads,
  ]);
  return { seconds, stream: await readFile(output) };
}

async function encodeByFfmpeg(images, format) {
  const pattern = join(images, `%05d.${format}`);
  const { seconds } = await runFfmpeg(
    '-i',
    pattern,
    ...'-c:v mpeg1video -q:v 4 -g 12 -bf 0 -f mpeg1video'.split(' '),
    join(folder, 'peer.mpg'),
  );
  return seconds;
}

const rows = [];
for (const format of values.formats.split(',')) {
  const images = join(folder, format);
  await mkdir(images);
  const scale = `scale=${values.size.replace('x', ':')}`;
  await runFfmpeg(
    '-xerror',
    '-stream_loop',
    '-1',
    '-i',
    video,
    '-frames:v',
    values.frames,
    '-vf',
    scale,
    '-q:v',
    '2',
    join(images, `%05d.${format}`),
  );
  for (const threads of values.threads.split(',')) {
    const times = { base: [], own: [], ffmpeg: [] };
    for (let round = 0; round < Number(values.rounds); round++) {
      const before = base && (await encode(base, images, threads));
      const now = await encode(MPEGPU, images, threads);
      if (before && !before.stream.equals(now.stream)) throw new Error('the two builds write different streams');
      if (before) times.base.push(before.seconds);
      times.own.push(now.seconds);
      times.ffmpeg.push(await encodeByFfmpeg(images, format));
    }
    const own = median(times.own);
    const shown = [base ? median(times.base) : Number.NaN, own].map(seconds => fixed(seconds, 2));
    const ratios = [base ? median(times.base) / own : Number.NaN, median(times.ffmpeg) / own].map(ratio =>
      fixed(ratio, 2),
    );
    rows.push([format, threads, ...shown, ratios[0], fixed(median(times.ffmpeg), 2), ratios[1]]);
    process.stderr.write(`${rows.at(-1).join('  ')}\n`);
  }
}
const header = ['images', 'threads', 'base, s', 'this, s', 'times as fast', 'ffmpeg, all cores, s', 'of its speed'];
const title = `${machineLine(describeMachine())}, ffmpeg ${ffmpegVersion(peerFfmpeg())}`;
process.stdout.write(`${title}\n\n${table(header, rows)}\n`);
