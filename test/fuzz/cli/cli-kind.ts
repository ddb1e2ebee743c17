// Random encodes by the command line: every input, every container, the flags; decoders show the reconstruction.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { CONTAINER_EXTENSIONS } from '../../../src/media/containers/container.js';
import { type CliRun, runCli, runCliHere } from '../../cli/run-cli.js';
import { expectSameFrames } from '../../support/compare-frames.js';
import { decodeWithFfmpeg, framesFromY4m } from '../../support/decoders.js';
import { drawFrames, type Scene, scenes } from '../encode/contents.js';
import { type RandomOptions, randomOptions } from '../encode/option-arbitraries.js';
import { type FuzzKind, type Outcome, require } from '../runner/fuzz-kind.js';
import { checkErrorLine, checkFiles } from './check-refusal.js';
import { INPUT_KINDS, type InputKind, namesIn, writeInput } from './input-files.js';
import { spellFlags } from './spell-flags.js';

/** A command line that encodes. */
export interface CliCase {
  readonly input: InputKind;
  readonly width: number;
  readonly height: number;
  readonly scenes: readonly Scene[];
  readonly options: RandomOptions;
  /** With a dot; '-' is standard output. */
  readonly ending: string;
  readonly hasVectors: boolean;
  readonly hasJson: boolean;
  readonly isTwoPass: boolean;
  readonly threads: number;
  /** Whether it runs in a process of its own. */
  readonly isProcess: boolean;
}

const MAX_PELS = 60_000;
const MAX_FRAMES = 12;
/** The whole message of a rate that is too small, which is no fault. */
const INFEASIBLE = /bit ?rate|buffer|maxrate|picture \d+ takes/i;

const int = (min: number, max: number) => fc.integer({ min, max });
const rarely = int(0, 9).map(n => n === 9);
const side = fc.oneof(int(1, 40), int(1, 100));

export const cliKind: FuzzKind<CliCase> = {
  cases: fc.record({
    input: fc.constantFrom(...INPUT_KINDS),
    width: side,
    height: side,
    scenes,
    options: randomOptions,
    ending: fc.constantFrom(...CONTAINER_EXTENSIONS, '-'),
    hasVectors: fc.boolean(),
    hasJson: fc.boolean(),
    isTwoPass: rarely,
    threads: fc.oneof({ weight: 9, arbitrary: fc.constant(1) }, int(1, 3)),
    isProcess: rarely,
  }),
  percent: 15,
  limitSeconds: 120,

  async check(given, folder) {
    const { width, height } = given;
    const maxFrames = Math.max(1, Math.min(MAX_FRAMES, Math.floor(MAX_PELS / (width * height))));
    const frames = drawFrames(given.scenes, width, height, maxFrames);
    const { args, stdin } = await writeInput(given.input, frames, folder);
    const isStream = given.ending === '-';
    const output = isStream ? '-' : `out${given.ending}`;
    const hasJson = given.hasJson && !isStream;
    const line = ['encode', ...args, '-o', output, '--recon', 'recon.y4m', ...spellFlags(optionsOf(given), folder)];
    line.push('--threads', String(given.threads), hasJson ? '--json' : '--quiet');
    if (given.hasVectors) line.push('--vectors', 'vectors.jsonl');
    const mayRepeat = given.options.bitrate !== undefined && given.options.latency !== 'low' && !stdin;
    if (given.isTwoPass && mayRepeat) line.push('--passes', '2');
    const before = namesIn(folder);
    const needsProcess = given.isProcess || stdin !== undefined || isStream;
    const run = await (needsProcess ? runCli(line, { cwd: folder }, stdin) : runCliHere(line, { cwd: folder }));
    if (run.status !== 0) {
      checkErrorLine(run);
      require(INFEASIBLE.test(run.stderr), () => `refused: ${run.stderr}`);
      checkFiles(folder, before);
      return 'refused';
    }
    const made = ['recon.y4m', ...(isStream ? [] : [output]), ...(given.hasVectors ? ['vectors.jsonl'] : [])];
    checkFiles(folder, [...before, ...made]);
    return checkOutputs(run, { folder, output, frames: frames.length, hasJson, hasVectors: given.hasVectors });
  },
};

/** What the flags say: JSMpeg is for .ts alone, and a video that gets another frame rate gets other frames. */
function optionsOf({ options, ending, input }: CliCase): Partial<RandomOptions> {
  const { target, frameRate, ...rest } = options;
  return {
    ...rest,
    ...(input !== 'video' && { frameRate }),
    ...(target === 'jsmpeg' && ending === '.ts' && { target }),
  };
}

interface Expected {
  readonly folder: string;
  readonly output: string;
  readonly frames: number;
  readonly hasJson: boolean;
  readonly hasVectors: boolean;
}

async function checkOutputs(run: CliRun, { folder, output, frames, hasJson, hasVectors }: Expected): Promise<Outcome> {
  const recon = framesFromY4m(readFileSync(join(folder, 'recon.y4m')));
  require(recon.length === frames, () => `--recon has ${recon.length} pictures of ${frames}`);
  let path = join(folder, output);
  if (output === '-') {
    path = join(folder, 'stdout.m1v');
    writeFileSync(path, run.stdout);
  }
  // ffmpeg takes a transport stream of few bytes for another format.
  const demuxer = output.endsWith('.ts') ? 'mpegts' : undefined;
  expectSameFrames(await decodeWithFfmpeg(path, undefined, demuxer), recon, `${output} as ffmpeg shows it`);
  if (hasVectors) {
    const lines = readFileSync(join(folder, 'vectors.jsonl'), 'utf8').trimEnd().split('\n');
    require(lines.length === frames, () => `--vectors has ${lines.length} lines of ${frames}`);
    for (const line of lines) JSON.parse(line);
  }
  if (hasJson) {
    const report = JSON.parse(run.stdout.toString()) as { frames: number; bits: number; pictures: { bits: number }[] };
    require(report.frames === frames && report.pictures.length === frames, () => `--json says ${report.frames} frames`);
    const figures = { ...report, audio: 0, audioNote: 0 }; // null where there is no sound
    require(report.bits > 0 && !/:null[,}]/.test(JSON.stringify(figures)), () => `--json says ${run.stdout}`);
  } else if (output !== '-') require(run.stdout.length === 0, () => `--quiet prints ${run.stdout}`);
  return 'right';
}
