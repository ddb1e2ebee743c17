#!/usr/bin/env node
// Writes docs/comparison.md: what the estimators do on real clips, beside what the two works of 2006 say that this project
// goes back to. Everything is measured anew, through the command line, on this machine; what it lacks says so in its row.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { RESULTS } from './clips.mjs';
import { matrix } from './comparison-matrix.mjs';
import { eusipco } from './comparison-paper.mjs';
import { NOT_AT_HAND } from './comparison-rows.mjs';
import { motionStudy } from './comparison-study.mjs';
import { truth } from './comparison-truth.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { ROOT } from './processes.mjs';

const USAGE = `usage: node bench/comparison.mjs [--frames 21] [--clips a,b] [--repeat 5] [--out docs/comparison.md]

  --frames  pictures of each clip in the matrix
  --clips   clips of the matrix; default all of ../shared/sequences
  --only    sections: study,paper,truth,matrix; the first two need no more than the clips that an earlier run made
  --repeat  timed runs of the whole encodes
`;

const { values: options } = parseArgs({
  options: {
    frames: { type: 'string', default: '21' },
    clips: { type: 'string' },
    only: { type: 'string', default: 'study,paper,truth,matrix' },
    repeat: { type: 'string', default: '5' },
    out: { type: 'string', default: join(ROOT, 'docs', 'comparison.md') },
    help: { type: 'boolean', short: 'h' },
  },
});

async function main() {
  mkdirSync(join(RESULTS, 'clips'), { recursive: true });
  const machine = machineLine(describeMachine());
  const sections = [];
  const known = {
    study: motionStudy,
    paper: () => eusipco(Number(options.repeat)),
    truth,
    matrix: () => matrix(Number(options.frames), options.clips?.split(',')),
  };
  for (const name of options.only.split(',')) {
    process.stderr.write(`== ${name}\n`);
    sections.push(await known[name]());
  }
  writeFileSync(
    resolve(options.out),
    `# Comparison

Written by \`node bench/comparison.mjs\`; do not edit. Machine: ${machine}.

Times hold for this machine: elsewhere only their ratios mean something. A published figure stands beside ours only where
its source, or this project's notes of it, give it; otherwise it is ${NOT_AT_HAND}.

${sections.join('\n')}`,
  );
}

if (options.help) process.stdout.write(USAGE);
else await main();
