// Sends signals to encodes at random moments, and checks what they leave behind.
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { cpus, tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { generateSample } from '../dist/samples/generate.js';
import { writeY4m } from '../dist/samples/write-frames.js';
import { turns } from './processes.mjs';
import { runSignalCase } from './signal-case.mjs';

const { values } = parseArgs({
  options: {
    count: { type: 'string', default: '500' },
    kills: { type: 'string', default: '100' },
    seed: { type: 'string', default: '1' },
    parallel: { type: 'string', default: String(cpus().length) },
    only: { type: 'string' },
    help: { type: 'boolean', short: 'h' },
  },
});

const FRAMES = 24;
const ENDINGS = ['.m1v', '.mpg', '.ts', '.mp4', '.mkv', '.avi', '.mov'];
const ESTIMATORS = ['zero', 'cpu-log', 'cpu-mrmp'];
const KINDS = ['INT', 'TERM', 'HUP', 'double'];
/** Undisturbed encodes that tell how long one takes here. */
const TRIALS = 3;
/** Part of the time of an encode that node takes to start. */
const STARTED_AT = 0.4;
/** Part of the time of an encode within which the second of two signals comes. */
const SECOND_WITHIN = 0.5;

/** Numbers from 0 to 1 that a seed determines (mulberry32). */
function randomNumbers(seed) {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let bits = Math.imul(state ^ (state >>> 15), state | 1);
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61);
    return ((bits ^ (bits >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A random encode and its signals; their times are parts of the time of an undisturbed encode. */
function randomCase(seed, kind) {
  const random = randomNumbers(seed);
  const pick = list => list[Math.floor(random() * list.length)];
  // Of ten, nine come after node has started, and some just after the end.
  const at = random() < 0.1 ? STARTED_AT * random() : STARTED_AT + (1.1 - STARTED_AT) * random();
  const single = ['INT', 'TERM', 'HUP'];
  const names = kind === 'double' ? [pick(single), pick(single)] : [kind];
  return {
    seed,
    kind,
    ending: pick(ENDINGS),
    estimator: pick(ESTIMATORS),
    threads: 1 + Math.floor(random() * 3),
    recon: random() < 0.6,
    vectors: random() < 0.5,
    older: random() < 0.4,
    group: kind !== 'KILL' && random() < 0.5,
    stdin: random() < 0.3,
    parts: names.map((name, i) => ({ name: `SIG${name}`, at: at + i * SECOND_WITHIN * random() })),
  };
}

function inMilliseconds({ parts, stdin, ...job }, encodeMs) {
  return {
    ...job,
    stdin: stdin ? { pauseMs: encodeMs } : undefined,
    signals: parts.map(({ name, at }) => ({ name, atMs: at * encodeMs })),
  };
}

async function run() {
  const root = mkdtempSync(join(tmpdir(), 'mpegpu-signals-'));
  const path = join(root, 'clip.y4m');
  await writeY4m(path, generateSample({ kind: 'pan', width: 48, height: 32, frames: FRAMES, seed: 3 }), 25, () => {});
  const clip = { path, frames: FRAMES, bytes: readFileSync(path) };
  const inTurn = turns(Number(values.parallel));
  const begin = performance.now();
  const counts = {};
  const tell = (kind, outcome) => {
    counts[kind] ??= { complete: 0, partial: 0, nothing: 0, torn: 0 };
    counts[kind][outcome]++;
  };
  let folders = 0;
  let leftovers = 0;
  let faulty = 0;
  const measured = [];
  // The machine may be busy with other things: the time of an encode is that of the last ones that nothing disturbed.
  const encodeMs = () => (1000 * measured.slice(-TRIALS).reduce((sum, seconds) => sum + seconds, 0)) / TRIALS;
  const once = async (job, isTrial) => {
    const folder = join(root, String(folders++));
    mkdirSync(folder);
    const timed = inMilliseconds(job, isTrial ? 0 : encodeMs());
    const result = await runSignalCase(timed, folder, clip);
    if (isTrial || result.status === 0) measured.push(result.seconds);
    if (!isTrial) {
      tell(job.kind, result.outcome);
      if (job.kind === 'KILL') leftovers += result.hidden;
    }
    if (result.faults.length > 0) {
      faulty++;
      process.stdout.write(`seed ${job.seed} ${job.kind}: ${result.faults.join('; ')}\n  ${JSON.stringify(timed)}\n`);
    } else rmSync(folder, { recursive: true });
  };
  const firstSeed = Number(values.seed);
  const trial = { ...randomCase(firstSeed, 'INT'), ending: '.mp4', recon: true, stdin: false, parts: [] };
  await Promise.all(Array.from({ length: TRIALS }, () => inTurn(() => once(trial, true))));
  const signals = Array.from({ length: Number(values.count) }, (_, i) => [firstSeed + i, KINDS[i % KINDS.length]]);
  const kills = Array.from({ length: Number(values.kills) }, (_, i) => [firstSeed + 1_000_000 + i, 'KILL']);
  const cases = [...signals, ...kills].map(([seed, kind]) => randomCase(seed, kind));
  const chosen = values.only === undefined ? cases : cases.filter(({ seed }) => String(seed) === values.only);
  await Promise.all(chosen.map(job => inTurn(() => once(job, false))));
  for (const [kind, { complete, partial, nothing, torn }] of Object.entries(counts)) {
    const words = [`${complete} complete`, `${partial} partial`, `${nothing} old or absent`, `${torn} torn`];
    process.stdout.write(`${kind.padEnd(6)}  ${words.join(', ')}\n`);
  }
  const seconds = ((performance.now() - begin) / 1000).toFixed(0);
  process.stdout.write(
    `${chosen.length} encodes, ${faulty} with faults, ${leftovers} leftovers of SIGKILL removed by the next run, ` +
      `${seconds} s, seed ${values.seed}\n`,
  );
  if (faulty === 0) rmSync(root, { recursive: true });
  else process.stdout.write(`the folders of those with faults are in ${root}\n`);
  process.exitCode = faulty === 0 ? 0 : 1;
}

if (values.help) {
  process.stdout.write(
    'usage: node bench/signals.mjs [--count 500] [--kills 100] [--seed 1] [--parallel N] [--only SEED]\n',
  );
} else {
  await run();
}
