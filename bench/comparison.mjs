// Writes docs/comparison.md: the estimators on real clips, beside the published figures of 2006.
// Everything is measured through the command line. If the machine lacks something, the row says so. Each section names
// its machine, so that sections may be measured on different ones:
//
//     node bench/comparison.mjs --only study,paper --out there.md       on a machine with a GPU
//     node bench/comparison.mjs --only truth,matrix --with there.md     with the clips; keeps the other sections
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { describeAdapters } from '../dist/gpu/gpu-estimators.js';
import { RESULTS } from './clips.mjs';
import { matrix } from './comparison-matrix.mjs';
import { eusipco } from './comparison-paper.mjs';
import { motionStudy } from './comparison-study.mjs';
import { truth } from './comparison-truth.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { ROOT } from './processes.mjs';

const USAGE = `usage: node bench/comparison.mjs [--frames 21] [--clips a,b] [--repeat 5] [--only a,b] [--with FILE] [--out docs/comparison.md]

  --frames  pictures of each clip in the matrix
  --clips   clips of the matrix; default all of ../shared/sequences
  --only    sections: study,paper,truth,matrix; the first two need no more than the clips that an earlier run made
  --with    an earlier report, perhaps of another machine; its sections are kept unless they are measured now. May be repeated;
            with --only '' nothing is measured
  --repeat  timed runs of the whole encodes
`;

/** The sections in the order of the report. */
const SECTIONS = ['study', 'paper', 'truth', 'matrix'];

const { values: options } = parseArgs({
  options: {
    frames: { type: 'string', default: '21' },
    clips: { type: 'string' },
    only: { type: 'string', default: SECTIONS.join(',') },
    with: { type: 'string', multiple: true, default: [] },
    repeat: { type: 'string', default: '5' },
    out: { type: 'string', default: join(ROOT, 'docs', 'comparison.md') },
    help: { type: 'boolean', short: 'h' },
  },
});

async function main() {
  mkdirSync(join(RESULTS, 'clips'), { recursive: true });
  const machine = machineLine(describeMachine(), await gpuName());
  const known = {
    study: motionStudy,
    paper: () => eusipco(Number(options.repeat)),
    truth,
    matrix: () => matrix(Number(options.frames), options.clips?.split(',')),
  };
  const sections = new Map(options.with.flatMap(path => sectionsOf(resolve(path))));
  for (const name of options.only.split(',').filter(only => only !== '')) {
    process.stderr.write(`== ${name}\n`);
    const [heading, ...rest] = (await known[name]()).split('\n');
    sections.set(name, `${heading}\n\nMeasured: ${machine}.\n${rest.join('\n')}`);
  }
  const inOrder = SECTIONS.filter(name => sections.has(name)).map(name => `${mark(name)}\n${sections.get(name)}`);
  writeFileSync(
    resolve(options.out),
    `# Comparison

Written by \`node bench/comparison.mjs\`; do not edit.

Times hold for the machine that a section names: elsewhere only their ratios mean something. Published figures stand with their author, year and
hardware. The speed of a whole encode includes what it takes to set up a GPU, about 0.3 s, and to close it, 0.1 s: most of an encode of 150 pictures.

${inOrder.join('\n')}`,
  );
}

/** The line that starts a section of the report. */
const mark = name => `<!-- section: ${name} -->`;

/** The sections of an earlier report as pairs of name and text. */
function sectionsOf(path) {
  const [, ...parts] = readFileSync(path, 'utf8').split(/^<!-- section: (\w+) -->\n/m);
  return SECTIONS.filter(name => parts.includes(name)).map(name => {
    const text = parts[parts.indexOf(name) + 1];
    return [name, `${text.trimEnd()}\n`];
  });
}

/** This machine's GPU; undefined if there is only a software adapter. */
async function gpuName() {
  const { adapters } = await describeAdapters();
  return adapters.find(({ software }) => !software)?.name;
}

if (options.help) process.stdout.write(USAGE);
else await main();
