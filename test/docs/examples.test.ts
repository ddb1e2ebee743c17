import { execFile } from 'node:child_process';
import { chmodSync, mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writePngFolder, writeY4m } from '../../samples/write-frames.js';
import { ROOT } from '../architecture/source-tree.js';
import { CLI } from '../cli/run-cli.js';
import { packagedFfmpeg } from '../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../support/ffmpeg-clips.js';

const run = promisify(execFile);
const folder = temporaryFolder();
const at = (...parts: string[]) => join(folder, ...parts);

/** A block of code in a page, and the line it starts at. */
interface Example {
  readonly page: string;
  readonly line: number;
  readonly code: string;
}

function examples(page: string, language: string): Example[] {
  const text = readFileSync(join(ROOT, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\`$`, 'gm'))].map(match => ({
    page,
    line: text.slice(0, match.index).split('\n').length,
    code: match[1]!,
  }));
}

/** Commands about the checkout itself, which is being tested already. */
const isAboutCheckout = ({ code }: Example) => /^npm /m.test(code);

const shell = ['README.md', 'CONTRIBUTING.md']
  .flatMap(page => examples(page, 'sh'))
  .filter(example => !isAboutCheckout(example));
const programs = examples('README.md', 'js');
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

  it.each(programs.filter(example => !fileName(example)))('$page:$line runs', async ({ code, line }) => {
    writeFileSync(at(`example${line}.mjs`), code);
    const { stdout, stderr } = await run(process.execPath, [at(`example${line}.mjs`)], { cwd: folder });
    expect(stderr).toBe('');
    expect(stdout).not.toBe('');
  });

  it('left what they promise', () => {
    const report = JSON.parse(readFileSync(at('report.json'), 'utf8'));
    expect(report.frames).toBe(12);
    expect(readFileSync(at('recon.y4m')).length).toBeGreaterThan(12 * 176 * 144 * 1.5);
    expect(readFileSync(at('library.mpg')).readUInt32BE(0)).toBe(0x1ba);
  });
});
