// Measures what each coding tool gains and costs, and what the presets do.
// Each tool is added to an encoder without tools, and left out of a preset that has them all. Bits and PSNR-Y are the
// encoder's own. Time is processor time of the first clip on one thread; the two encodes that are compared run
// alternately.
import { mkdirSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { bdRate } from '../dist/compare/quality/bd-rate.js';
import { codingTools } from '../dist/encoder/settings/presets.js';
import { Encoder, PRESET_NAMES } from '../dist/index.js';
import { clipAsY4m, listClips, RESULTS, readY4m, SEQUENCES } from './clips.mjs';
import { describeMachine, machineLine } from './machine.mjs';
import { fixed, table } from './table.mjs';

const USAGE = `usage: node bench/tools.mjs [folder] [--preset best] [--clips a,b] [--frames 24] [--qualities 80,60,40,23 | --qs 2,4,8,14]
       [--gop 12] [--json]

  folder    video files and folders of images; default ../shared/sequences
  --presets measure only the presets, not the single tools
  --preset  measure the tools as this preset has them, against their being off
  --qs      encode at these constant quantizer_scales instead of constant qualities; some tools then do less or nothing
  --json    print the report as JSON; it is always written to bench/results/tools.json
`;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    preset: { type: 'string', default: 'best' },
    presets: { type: 'boolean', default: false },
    clips: { type: 'string' },
    frames: { type: 'string', default: '24' },
    qualities: { type: 'string', default: '80,60,40,23' },
    qs: { type: 'string' },
    gop: { type: 'string', default: '12' },
    json: { type: 'boolean', default: false },
    help: { type: 'boolean', short: 'h' },
  },
});

/** Number of pairs of runs whose times are compared. */
const TIMED_PAIRS = 3;

/** A tool that is an option of the encoder: off, and on. */
const option = (name, off, on) => ({ off: { [name]: off }, on: { [name]: on } });
/** A tool that is one of the encoder's `tools`: off, and as the preset has it. */
const switched = (name, off, preset) => ({ tool: name, off: { [name]: off }, on: { [name]: preset[name] } });

/**
 * The tools in the order of the tables. `needs`: other tools without which it does nothing. `unused`: the preset has it
 * off, so it is added instead of left out.
 */
function toolsOf(preset) {
  const all = [
    { name: 'motion search', ...option('estimator', 'zero', 'cpu-predictive') },
    { name: 'half-pels', ...switched('refinementRounds', 0, preset), needs: ['motion search'] },
    { name: 'candidates', ...option('candidates', 1, preset.candidatesPerBlock), needs: ['motion search'] },
    { name: "neighbours' vectors", ...switched('neighbourVectors', false, preset), needs: ['motion search'] },
    { name: 'rate-distortion modes', ...switched('rateDistortionModes', false, preset) },
    {
      name: 'early skips',
      ...switched('earlySkips', false, { earlySkips: true }),
      unused: !preset.earlySkips,
      needs: ['motion search', 'rate-distortion modes'],
    },
    {
      name: 'vectors coded in full',
      ...switched('rdVectorCandidates', 1, preset),
      needs: ['motion search', 'candidates', 'rate-distortion modes'],
    },
    { name: 'trellis', ...switched('trellis', 'none', preset) },
    { name: 'scales tried', ...switched('quantizerSearchRadius', 0, preset), needs: ['trellis'] },
    { name: 'B pictures', ...option('bFrames', 0, preset.bFrames), needs: ['motion search'] },
    { name: 'open groups', ...option('openGop', false, preset.openGop), needs: ['motion search', 'B pictures'] },
    {
      name: 'types by scene',
      ...switched('adaptiveTypes', false, preset),
      needs: ['motion search', 'B pictures', 'open groups'],
    },
    {
      name: 'macroblock tree',
      ...switched('macroblockTree', false, preset),
      needs: ['motion search', 'B pictures', 'open groups', 'types by scene'],
    },
    {
      name: 'joint refinement',
      ...switched('jointRounds', 0, preset),
      needs: ['motion search', 'half-pels', 'B pictures'],
    },
    {
      name: 'directions coded in full',
      ...switched('directionFactor', 1, preset),
      needs: ['motion search', 'B pictures', 'rate-distortion modes'],
    },
    { name: 'flat intra matrix', ...option('matrix', 'standard', 'flat') },
    { name: 'adaptive quantization', ...option('aq', 0, 1), unused: true },
  ];
  return all.filter(({ off, on }) => JSON.stringify(off) !== JSON.stringify(on));
}

/** The encoder's options with the named tools on and all others off. */
function optionsWith(tools, names) {
  const options = { preset: values.preset, tools: {} };
  for (const { name, tool, on, off } of tools) {
    Object.assign(tool === undefined ? options : options.tools, names.includes(name) ? on : off);
  }
  return options;
}

async function main() {
  const machine = describeMachine();
  const say = values.json ? () => {} : text => process.stdout.write(`${text}\n`);
  const [setting, points] = values.qs === undefined ? ['quality', values.qualities] : ['q', values.qs];
  const steps = points.split(',').map(point => ({ [setting]: Number(point) }));
  const tools = toolsOf(codingTools(values.preset));
  const clips = [];
  for (const clip of listClips(resolve(positionals[0] ?? SEQUENCES), values.clips?.split(','))) {
    const y4m = readY4m(await clipAsY4m(clip, Number(values.frames)));
    clips.push({ name: clip.name, ...y4m });
  }
  if (clips.length === 0) throw new Error('there are no clips');
  say(
    `${machineLine(machine)}\npreset ${values.preset}, gop ${values.gop}, ${values.frames} frames at most, ${setting} ${points}`,
  );
  say(`${clips.map(({ name }) => name).join(', ')}\n`);
  const measured = values.presets ? {} : await measureEachTool(clips, steps, tools);
  if (!values.presets) say(`${toolTable(measured.rows, measured.whole)}\n`);
  const presets = await measurePresets(clips, steps);
  say(presetTable(presets));
  const report = {
    machine,
    preset: values.preset,
    [setting]: points,
    clips: clips.map(({ name }) => name),
    ...measured,
    presets,
  };
  mkdirSync(RESULTS, { recursive: true });
  writeFileSync(join(RESULTS, 'tools.json'), `${JSON.stringify(report, null, 2)}\n`);
  if (values.json) process.stdout.write(`${JSON.stringify(report)}\n`);
}

/** Measures what each tool gains and costs, and all of them together. */
async function measureEachTool(clips, steps, tools) {
  const names = tools.filter(({ unused }) => !unused).map(({ name }) => name);
  const measured = new Map();
  const measure = async on => {
    const key = tools.flatMap(({ name }) => (on.includes(name) ? name : [])).join(', ');
    if (!measured.has(key)) measured.set(key, await measureTools(clips, steps, optionsWith(tools, on)));
    return measured.get(key);
  };
  // A warm-up: the first encodes are slower.
  for (const on of [[], names, names]) await measureTools(clips.slice(0, 1), steps.slice(0, 2), optionsWith(tools, on));
  const rows = [];
  for (const { name, on, needs = [], unused = false } of tools) {
    const base = await measure(needs);
    const alone = await measure([...needs, name]);
    const all = await measure(unused ? [...names, name] : names);
    const without = await measure(names.filter(other => other !== name));
    rows.push({
      tool: name,
      setting: Object.entries(on)[0].join(' ') + (unused ? ' (off in the preset)' : ''),
      needs,
      alone: await compare(clips, steps, base, alone),
      leftOut: await compare(clips, steps, all, without),
    });
  }
  const whole = await compare(clips, steps, await measure([]), await measure(names));
  return { rows, whole };
}

/** Measures each preset against balanced. */
async function measurePresets(clips, steps) {
  await measureTools(clips.slice(0, 1), steps, { preset: 'balanced' }); // for warmth
  const balanced = await measureTools(clips, steps, { preset: 'balanced' });
  const presets = [];
  for (const preset of PRESET_NAMES) {
    const curves = preset === 'balanced' ? balanced : await measureTools(clips, steps, { preset });
    presets.push({ preset, ...(await compare(clips, steps, balanced, curves)) });
  }
  return presets;
}

/** A rate-distortion curve for each clip. */
async function measureTools(clips, steps, options) {
  const results = [];
  for (const clip of clips) {
    const curve = [];
    for (const step of steps) curve.push(await encode(clip, { ...options, ...step }));
    results.push(curve);
  }
  return { curves: results, options };
}

/** How many per cent more processor time one setting takes than another: the median over pairs of alternating runs. */
async function timePercent(clip, steps, anchor, test) {
  const ratios = [];
  for (let pair = 0; pair < TIMED_PAIRS; pair++) {
    const before = await secondsOf(clip, steps, anchor);
    ratios.push((await secondsOf(clip, steps, test)) / before);
  }
  return 100 * (ratios.sort((a, b) => a - b)[TIMED_PAIRS >> 1] - 1);
}

async function secondsOf(clip, steps, options) {
  const start = process.cpuUsage();
  for (const step of steps) await encode(clip, { ...options, ...step });
  const { user, system } = process.cpuUsage(start);
  return (user + system) / 1e6;
}

async function encode({ width, height, fps, frames }, options) {
  const encoder = new Encoder({
    width,
    height,
    frameRate: fps,
    gop: Number(values.gop),
    threads: 1,
    estimator: 'cpu-predictive',
    ...options,
  });
  const dropping = (async () => {
    for await (const _ of encoder);
  })();
  for (const frame of frames) await encoder.add(frame);
  await encoder.finish();
  await dropping;
  return { bits: encoder.statistics.bits, quality: encoder.statistics.psnr.y };
}

/**
 * BD-rate of the second measurement against the first, mean and extremes over the clips, and the change of its time.
 */
async function compare(clips, steps, anchor, test) {
  const rates = anchor.curves.map((curve, i) => bdRate(curve, test.curves[i], curve.length < 4 ? 'pchip' : 'cubic'));
  return {
    bdRatePercent: rates.reduce((sum, rate) => sum + rate, 0) / rates.length,
    least: Math.min(...rates),
    greatest: Math.max(...rates),
    timePercent: await timePercent(clips[0], steps, anchor.options, test.options),
  };
}

function toolTable(rows, whole) {
  const cells = ({ bdRatePercent, least, greatest, timePercent }) => [
    fixed(bdRatePercent, 2),
    `${fixed(least, 1)} to ${fixed(greatest, 1)}`,
    fixed(timePercent, 0),
  ];
  return table(
    ['tool', 'as', 'alone: BD-rate %', 'clips', 'time %', 'left out: BD-rate %', 'clips', 'time %'],
    [
      ...rows.map(({ tool, setting, alone, leftOut }) => [tool, setting, ...cells(alone), ...cells(leftOut)]),
      ['all together', '', ...cells(whole), '', '', ''],
    ],
  );
}

function presetTable(presets) {
  return table(
    ['preset, against balanced', 'BD-rate %', 'clips', 'time %'],
    presets.map(({ preset, bdRatePercent, least, greatest, timePercent }) => [
      preset,
      fixed(bdRatePercent, 2),
      `${fixed(least, 1)} to ${fixed(greatest, 1)}`,
      fixed(timePercent, 0),
    ]),
  );
}

if (values.help) {
  process.stdout.write(USAGE);
} else {
  await main();
}
