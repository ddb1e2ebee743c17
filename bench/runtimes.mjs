// Encodes under several versions of Node, Deno, Bun and others, in all rate modes, and compares the bytes with Node's.
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { describeMachine, machineLine } from './machine.mjs';
import { peerFfmpeg, run } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/runtimes.mjs [--packages "deno@2 bun@1"] [--runtime "COMMAND"]... [--clip FILM] [--frames 40]

  --packages  of npm, about 200 MB, which are installed into a temporary folder; "" for none
  --runtime   what runs a script: a path, and arguments, such as "qemu-aarch64 -L /usr/aarch64-linux-gnu node-arm64"
  --clip      a film; by default waves and noise that are made here
  --frames    pictures of each encode
`;

const ENCODES = fileURLToPath(new URL('runtime-encodes.mjs', import.meta.url));

/** The programs with their arguments: this one first. */
async function programs(folder, { packages, runtime: runtimes = [] }) {
  const installed = name => join(folder, 'node_modules', '.bin', name);
  const found = [[process.execPath]];
  if (packages) {
    writeFileSync(join(folder, 'package.json'), '{}');
    await run('npm', ['install', '--no-audit', '--no-fund', ...packages.split(' ')], { cwd: folder });
    if (/\bdeno\b/.test(packages)) found.push([installed('deno'), 'run', '--allow-all']);
    if (/\bbun\b/.test(packages)) found.push([installed('bun')]);
  }
  return [...found, ...runtimes.map(command => command.split(' '))];
}

const { values } = parseArgs({
  options: {
    packages: { type: 'string', default: 'deno@2 bun@1' },
    runtime: { type: 'string', multiple: true },
    clip: { type: 'string' },
    frames: { type: 'string', default: '40' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
} else {
  const folder = mkdtempSync(join(tmpdir(), 'mpegpu-runtimes-'));
  try {
    const rows = [];
    let expected;
    const script = [ENCODES, values.frames];
    if (values.clip) {
      const clip = join(folder, 'clip.y4m');
      await run(peerFfmpeg(), ['-i', values.clip, '-frames:v', values.frames, '-pix_fmt', 'yuv420p', clip]);
      script.push(clip);
    }
    for (const [program, ...args] of await programs(folder, values)) {
      const { name, digests, remarks, seconds } = JSON.parse((await run(program, [...args, ...script])).stdout);
      expected ??= digests;
      const different = Object.keys(digests).filter(encode => digests[encode] !== expected[encode]);
      if (different.length > 0) process.exitCode = 1;
      const bytes = different.length === 0 ? 'equal' : `different: ${different.join('; ')}`;
      rows.push([name, Object.keys(digests).length, fixed(seconds, 1), bytes, remarks.join('; ')]);
    }
    const header = ['runtime', 'encodes', 'seconds', 'bytes', 'remarks'];
    process.stdout.write(`${machineLine(describeMachine())}\n\n${table(header, rows)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
