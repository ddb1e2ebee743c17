// The examples of the pages are run: commands in a shell, programs by node.
import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import sharp from 'sharp';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../samples/write-frames.js';
import { ROOT } from '../architecture/source-tree.js';
import { CLI } from '../cli/run-cli.js';
import { packagedFfmpeg } from '../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';
import { type Example, examplesOf, PAGES } from './pages.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);

/** Commands about the checkout itself, which is being tested already. */
const isAboutCheckout = ({ code }: Example) => /^npm /m.test(code);

const shell = PAGES.flatMap(page => examplesOf(page, 'sh')).filter(example => !isAboutCheckout(example));
const programs = PAGES.flatMap(page => examplesOf(page, 'js'));
const firstLine = ({ code }: Example) => code.split('\n')[0]!;
/** Programs that begin with the name of a file are that file. */
const fileName = (example: Example) => /^\/\/ (\S+\.mjs)$/.exec(firstLine(example))?.[1];

/** What the pages take for granted: frames, clips, and the commands on the PATH. */
beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', width: 176, height: 144, frames: 12, seed: 2 });
  await writePngFolder(at('frames'), sample, () => {});
  await writeY4m(at('clip.y4m'), sample, 25, () => {});
  writeFileSync(at('clip.yuv'), Buffer.concat([...sample].flatMap(({ y, u, v }) => [y, u, v])));
  runPackagedFfmpeg('-i', at('clip.y4m'), '-c:v', 'mpeg4', at('movie.mp4'));
  mkdirSync(at('bin'));
  writeFileSync(at('bin', 'mpegpu'), `#!/bin/sh\nexec "${process.execPath}" "${CLI}" "$@"\n`);
  chmodSync(at('bin', 'mpegpu'), 0o755);
  symlinkSync(packagedFfmpeg(), at('bin', 'ffmpeg'));
  mkdirSync(at('node_modules'));
  symlinkSync(ROOT, at('node_modules', 'mpegpu'), 'dir');
  for (const name of ['scripts', 'dist']) symlinkSync(join(ROOT, name), at(name), 'dir');
  for (const example of programs) {
    const name = fileName(example);
    if (name) writeFileSync(at(name), example.code);
  }
});

describe('examples', () => {
  it('were found', () => {
    expect(shell.length).toBeGreaterThanOrEqual(5);
    expect(programs.length).toBeGreaterThanOrEqual(4);
  });

  it.each(shell)('$page:$line runs in a shell', async ({ code }) => {
    const env = { ...process.env, PATH: [at('bin'), process.env.PATH].join(delimiter) };
    await run('bash', ['-euo', 'pipefail', '-c', code], { cwd: folder, env });
  });

  it.each(programs.filter(example => !fileName(example)))('$page:$line runs', async ({ page, line, code }) => {
    const file = at(`${page.replaceAll(/\W/g, '-')}-${line}.mjs`);
    writeFileSync(file, code);
    const { stdout, stderr } = await run(process.execPath, [file], { cwd: folder });
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
  });

  it('left what they promise', () => {
    const report = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    expect(report.frames).toBe(12);
    expect(readFileSync(at('recon.y4m')).length).toBeGreaterThan(12 * 176 * 144 * 1.5);
    for (const file of ['library.mpg', 'folder.mpg']) expect(readFileSync(at(file)).readUInt32BE(0)).toBe(0x1ba);
  });

  it('made the picture that README.md shows, pel by pel', async () => {
    const pels = (path: string) => sharp(path).raw().toBuffer();
    const shown = await pels(join(ROOT, 'docs', 'images', 'vectors.png'));
    expect(shown.equals(await pels(at('overlay', 'pair0000-vectors.png')))).toBe(true);
  });
});
