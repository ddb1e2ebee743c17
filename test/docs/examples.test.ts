// The examples of the pages are run: commands in a shell, programs by node.
import { type ChildProcess, execFile, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, describe, expect, it, vi } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../samples/write-frames.js';
import { ROOT } from '../architecture/source-tree.js';
import { packagedFfmpeg } from '../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { serveCommand } from './command-server.js';
import { type Example, examplesOf, PAGES } from './pages.js';

const run = promisify(execFile);
const inputs = temporaryFolder();
const outputs = temporaryFolder();
const input = (...parts: string[]) => join(inputs, ...parts);

/** A path in the folder that a page's examples run in: what a page makes, no other page finds. */
const at = (page: string, ...parts: string[]) => join(outputs, page.replaceAll(/\W/g, '-'), ...parts);

/** Commands about the checkout itself, which is being tested already. */
const isAboutCheckout = ({ code }: Example) => /^npm /m.test(code);

const shell = PAGES.flatMap(page => examplesOf(page, 'sh')).filter(example => !isAboutCheckout(example));
const programs = PAGES.flatMap(page => examplesOf(page, 'js'));
const firstLine = ({ code }: Example) => code.split('\n')[0]!;
/** Programs that begin with the name of a file are that file. */
const fileName = (example: Example) => /^\/\/ (\S+\.mjs)$/.exec(firstLine(example))?.[1];

/** Of the clips: few and small, since pages are read for their commands and some of these encode a clip fifty times. */
const FRAMES = 3;
const SIZE = { width: 64, height: 48 };
/** Of the folder of images and of raw frames, whose size the pages name. */
const NAMED_SIZE = { width: 176, height: 144 };

/** Without the software GPU of the tests: each command would ask its driver what it is, and then not use it. */
const { VK_ICD_FILENAMES: _, ...outer } = process.env;
const ENVIRONMENT = { ...outer, PATH: [input('bin'), process.env.PATH].join(delimiter) };

/** What the pages take for granted: frames, clips, and the commands on the PATH. */
beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', ...SIZE, frames: FRAMES, seed: 2 });
  const named = generateSample({ kind: 'pan', ...NAMED_SIZE, frames: FRAMES, seed: 2 });
  await writePngFolder(input('frames'), named, () => {});
  await writeY4m(input('clip.y4m'), sample, 25, () => {});
  writeFileSync(input('clip.yuv'), Buffer.concat([...named].flatMap(({ y, u, v }) => [y, u, v])));
  const music = ['-f', 'lavfi', '-i', 'sine=r=44100:d=0.2'];
  const movie = ['-map', '0:v', '-map', '1:a', '-c:v', 'mpeg4', input('movie.mp4')];
  runPackagedFfmpeg('-i', input('clip.y4m'), ...music, ...movie, '-map', '1:a', input('music.wav'));
  mkdirSync(input('bin'));
  const server = await serveCommand(input('bin', 'mpegpu'));
  vi.stubEnv('VK_ICD_FILENAMES', undefined).stubEnv('PATH', ENVIRONMENT.PATH);
  symlinkSync(packagedFfmpeg(), input('bin', 'ffmpeg'));
  for (const page of new Set([...shell, ...programs].map(example => example.page))) {
    mkdirSync(at(page, 'node_modules'), { recursive: true });
    symlinkSync(ROOT, at(page, 'node_modules', 'mpegpu'), 'dir');
    for (const name of ['scripts', 'dist']) symlinkSync(join(ROOT, name), at(page, name), 'dir');
    for (const name of ['frames', 'clip.y4m', 'clip.yuv', 'movie.mp4', 'music.wav'])
      symlinkSync(input(name), at(page, name));
    mkdirSync(at(page, 'samples', 'generated'), { recursive: true });
    symlinkSync(input('frames'), at(page, 'samples', 'generated', 'snow'), 'dir'); // as `npm start` leaves one
  }
  for (const example of programs) {
    const name = fileName(example);
    if (name) writeFileSync(at(example.page, name), example.code);
  }
  return () => {
    server.close();
    vi.unstubAllEnvs();
  };
});

describe('examples', () => {
  it('were found', () => {
    expect(shell.length).toBeGreaterThanOrEqual(10);
    expect(programs.length).toBeGreaterThanOrEqual(4);
  });

  it.each(shell)('$page:$line runs in a shell', async ({ page, code }) => {
    await run('bash', ['-euo', 'pipefail', '-c', code], { cwd: at(page), env: ENVIRONMENT });
  });

  describe('programs', () => {
    let runner: ChildProcess;
    let complaints = '';
    beforeAll(() => {
      const entry = fileURLToPath(new URL('program-runner.mjs', import.meta.url));
      runner = fork(entry, { env: ENVIRONMENT, silent: true });
      runner.stderr!.on('data', text => {
        complaints += text;
      });
      return () => void runner.kill();
    });

    it.each(programs.filter(example => !fileName(example)))('$page:$line runs', async ({ page, line, code }) => {
      const path = at(page, `line${line}.mjs`);
      writeFileSync(path, code);
      runner.send({ path, folder: at(page) });
      const [answer] = await Promise.race([once(runner, 'message'), once(runner, 'exit')]);
      expect(complaints).toBe('');
      expect(answer).toEqual({ printed: expect.stringMatching(/./) });
    });

    it('have all ended: nothing keeps their process', async () => {
      runner.disconnect();
      expect(await once(runner, 'exit')).toEqual([0, null]);
      expect(complaints).toBe('');
    });
  });

  it('left what they promise', () => {
    const report = JSON.parse(readFileSync(at('README.md', 'report.json'), 'utf8'));
    expect(report.frames).toBe(FRAMES);
    expect(readFileSync(at('README.md', 'recon.y4m')).length).toBeGreaterThan(FRAMES * SIZE.width * SIZE.height * 1.5);
    for (const file of [at('README.md', 'library.mpg'), at('docs/library.md', 'folder.mpg')]) {
      expect(readFileSync(file).readUInt32BE(0), file).toBe(0x1ba);
    }
  });

  it('made the picture that README.md shows, pel by pel', async () => {
    const pels = (path: string) => sharp(path).raw().toBuffer();
    const shown = await pels(join(ROOT, 'docs', 'images', 'vectors.webp'));
    expect(shown.equals(await pels(at('README.md', 'overlay', 'pair0000-vectors.png')))).toBe(true);
  });
});
