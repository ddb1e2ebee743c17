// Two signals, or an error out of turn, end `mpegpu encode` whatever it is waiting for, and nothing is left of it.
import { type ChildProcess, execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { constants } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, it } from 'vitest';
import { generateSample } from '../../samples/generate.js';
import { writeY4m } from '../../samples/write-frames.js';
import { packagedFfmpeg } from '../support/decoders.js';
import { temporaryFolder } from '../support/ffmpeg-clips.js';
import { listing, outcomeOf, runCli, startCli } from './run-cli.js';

const folder = temporaryFolder();
const at = (name: string) => join(folder, name);
const registry = new URL('../../dist/motion/registry.js', import.meta.url).href;

/** What a module of an estimator does for ever. The timer keeps the process alive, as a thread or a GPU would. */
const WAIT_FOR_EVER = `
  writeFileSync('${at('waiting')}' + process.pid, '');
  setInterval(() => {}, 1000);
  return new Promise(() => {});`;
const FACTORY = `import { writeFileSync } from 'node:fs';
export default () => {${WAIT_FOR_EVER} };`;
const CLOSE = `import { writeFileSync } from 'node:fs';
import { createEstimator } from '${registry}';
export default async parameters => {
  const { estimator } = await createEstimator('zero', parameters);
  const { traits, device } = estimator;
  return { traits, device, estimate: request => estimator.estimate(request), close: () => {${WAIT_FOR_EVER} } };
};`;
const THROW = `export default () => {
  setTimeout(() => { throw new Error('out of turn'); }, 100);
  return new Promise(() => {});
};`;
/** An ffmpeg whose disk or network does not answer. It tells its number. */
const FFMPEG = `#!/bin/sh
case "$*" in
  *-map*) echo $$ >"$HANGING_FFMPEG.new"; mv "$HANGING_FFMPEG.new" "$HANGING_FFMPEG"; exec sleep 60 ;;
  *) exec '${packagedFfmpeg()}' "$@" ;;
esac
`;

beforeAll(async () => {
  const sample = generateSample({ kind: 'pan', width: 32, height: 32, frames: 3, seed: 1 });
  await writeY4m(at('in.y4m'), sample, 25, () => {});
  writeFileSync(at('in.avi'), 'nobody reads this');
  writeFileSync(at('factory.mjs'), FACTORY);
  writeFileSync(at('close.mjs'), CLOSE);
  writeFileSync(at('throw.mjs'), THROW);
  writeFileSync(at('ffmpeg'), FFMPEG, { mode: 0o755 });
  if (process.platform !== 'win32') execFileSync('mkfifo', [at('in-pipe.y4m'), at('out-pipe.m1v')]);
});

async function until(isTrue: () => boolean): Promise<void> {
  while (!isTrue()) await new Promise(resolve => setTimeout(resolve, 20));
}

/** Whether the command has taken the signals over. Node itself takes no SIGHUP, the lowest of them. */
function listensForSignals({ pid }: ChildProcess): boolean {
  return /SigCgt:\s*[0-9a-f]*[13579bdf]$/m.test(readFileSync(`/proc/${pid}/status`, 'latin1'));
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch {
    return false;
  }
}

/** What tells that the command has come to the wait. */
const SIGNS = {
  listening: () => true,
  'a hidden file': () => listing(folder).some(name => name.startsWith('.c.mpegpu-')),
  'an estimator': ({ pid }: ChildProcess) => existsSync(at(`waiting${pid}`)),
  ffmpeg: (_: ChildProcess, hanging: string) => existsSync(hanging),
};

describe.runIf(process.platform === 'linux')('signals end the wait', () => {
  it.concurrent.each([
    ['for the header on standard input', '- -o a.mpg --recon a.y4m', 'listening', 'SIGTERM'],
    ['for a writer of a pipe', 'in-pipe.y4m -o b.mpg', 'listening', 'SIGINT'],
    ['for a reader of a pipe', 'in.y4m -o out-pipe.m1v --recon c.y4m', 'a hidden file', 'SIGINT'],
    ['for ffmpeg, which opens', 'in.avi -o d.mpg', 'ffmpeg', 'SIGINT'],
    ['for ffmpeg, which copies', 'in.y4m -o e.mp4 --vectors e.jsonl', 'ffmpeg', 'SIGHUP'],
    ['for a factory', 'in.y4m -o f.mpg --estimator ./factory.mjs --threads 1', 'an estimator', 'SIGTERM'],
    ['for a close', 'in.y4m -o g.mpg --estimator ./close.mjs --threads 1', 'an estimator', 'SIGINT'],
  ] as const)('%s', async (name, args, sign, signal) => {
    const output = /-o (\S+)/.exec(args)![1]!;
    const hanging = at(`${output}.pid`);
    const words = ['encode', ...args.split(' '), ...(args.includes('--estimator') ? [] : ['--estimator', 'zero'])];
    const child = startCli(words, { cwd: folder, env: { FFMPEG_PATH: at('ffmpeg'), HANGING_FFMPEG: hanging } });
    const outcome = outcomeOf(child);
    await until(() => listensForSignals(child) && SIGNS[sign](child, hanging));
    child.kill(signal);
    await once(child.stderr, 'data');
    // Where nothing can have been read, the first signal is enough.
    if (!name.includes('reader')) child.kill(signal);
    const { status, stderr } = await outcome;
    expect(stderr).toMatch(/^mpegpu: stopping[^\n]*\nmpegpu: interrupted[^\n]* nothing was kept\n$/);
    // Where something cannot be cancelled the process ends by a signal, which a shell reports as 128 plus its number.
    expect([130, 128 + constants.signals[signal]]).toContain(status);
    const own = new RegExp(`^\\.?${output[0]}\\.`);
    expect(listing(folder).filter(name => own.test(name) && !name.endsWith('.pid'))).toEqual([]);
    if (sign === 'ffmpeg') await until(() => !isAlive(Number(readFileSync(hanging, 'latin1'))));
  });
});

it('an error of a module that nobody awaits leaves nothing', async () => {
  const args = ['in.y4m', '-o', 'h.mp4', '--estimator', './throw.mjs', '--threads', '1'];
  const { status, stderr } = await runCli(['encode', ...args], { cwd: folder });
  expect(stderr).toContain('Error: out of turn');
  expect(status).toBe(1);
  expect(listing(folder).filter(name => /^\.?h\./.test(name))).toEqual([]);
});
