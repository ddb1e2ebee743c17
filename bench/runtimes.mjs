// Encodes under Deno and Bun, on one, two and four threads, and compares the bytes with those of Node.
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Encoder } from '../dist/package/index.js';
import { describeMachine, machineLine } from './machine.mjs';
import { run } from './processes.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/runtimes.mjs [--packages "deno@2 bun@1"] [--deno path] [--bun path]

  --packages  of npm, about 200 MB, which are installed into a temporary folder
  --deno, --bun  programs that are installed already
`;

const SIZE = { width: 352, height: 288 };
const FRAMES = 30;
const THREADS = [1, 2, 4];

/** A picture that moves: waves, which differ from line to line. */
function waves(number) {
  const { width, height } = SIZE;
  const plane = (columns, rows, speed) =>
    Uint8Array.from({ length: columns * rows }, (_, at) => {
      const [x, y] = [at % columns, Math.floor(at / columns)];
      return 128 + 60 * Math.sin((x + speed * number) / 7) + 40 * Math.cos((y - number) / 11 + (x * y) / 900);
    });
  return {
    ...SIZE,
    y: plane(width, height, 3),
    u: plane(width / 2, height / 2, 1),
    v: plane(width / 2, height / 2, 2),
  };
}

/** What a runtime that runs this script prints. */
async function encode(threads) {
  const warnings = [];
  const encoder = new Encoder({
    ...{ ...SIZE, frameRate: 25, threads, estimator: 'cpu-predictive' },
    onWarning: message => warnings.push(message),
  });
  const start = performance.now();
  const hash = createHash('sha256');
  const taken = (async () => {
    for await (const { data } of encoder) hash.update(data);
  })();
  for (let number = 0; number < FRAMES; number++) await encoder.add(waves(number));
  await encoder.finish();
  await taken;
  const seconds = (performance.now() - start) / 1000;
  return { digest: hash.digest('hex'), seconds, threads: encoder.statistics.threads, warnings };
}

/** The programs, installed where their paths are not given. */
async function programs(folder, { packages, deno, bun }) {
  if (!deno || !bun) {
    writeFileSync(join(folder, 'package.json'), '{}');
    await run('npm', ['install', '--no-audit', '--no-fund', ...packages.split(' ')], { cwd: folder });
  }
  const installed = name => join(folder, 'node_modules', '.bin', name);
  return [
    { name: 'Node', program: process.execPath, args: [] },
    { name: 'Deno', program: deno ?? installed('deno'), args: ['run', '--allow-all'] },
    { name: 'Bun', program: bun ?? installed('bun'), args: [] },
  ];
}

const { values } = parseArgs({
  options: {
    packages: { type: 'string', default: 'deno@2 bun@1' },
    deno: { type: 'string' },
    bun: { type: 'string' },
    encode: { type: 'string' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  process.stdout.write(USAGE);
} else if (values.encode) {
  process.stdout.write(JSON.stringify(await encode(Number(values.encode))));
} else {
  const folder = mkdtempSync(join(tmpdir(), 'mpegpu-runtimes-'));
  try {
    const rows = [];
    let expected;
    for (const { name, program, args } of await programs(folder, values)) {
      const version = String((await run(program, ['--version'])).stdout).match(/\d+\.\d+\.\d+/)[0];
      for (const threads of THREADS) {
        const { stdout } = await run(program, [...args, fileURLToPath(import.meta.url), '--encode', String(threads)]);
        const { digest, seconds, ...found } = JSON.parse(stdout);
        expected ??= digest;
        const isEqual = digest === expected;
        if (!isEqual) process.exitCode = 1;
        const remarks = [...(found.threads === threads ? [] : [`${found.threads} threads`]), ...found.warnings];
        rows.push([
          `${name} ${version}`,
          threads,
          fixed(seconds, 2),
          isEqual ? 'equal' : 'different',
          remarks.join('; '),
        ]);
      }
    }
    const header = ['runtime', 'threads', 'seconds', 'bytes', 'remarks'];
    process.stdout.write(`${machineLine(describeMachine())}\n\n${table(header, rows)}\n`);
  } finally {
    rmSync(folder, { recursive: true });
  }
}
