// The plan as a file, and the input that it is for.
import { type ChunkPlan, readPlan } from '../../chunks/chunk-plan.js';
import { type InputReading, openInput, readingOptions } from '../../encode-files/open-input.js';
import { requireDifferentFiles } from '../../encode-files/output-names.js';
import { InputError, OptionError } from '../../errors.js';
import { FrameRanges } from '../../media/frames/frame-ranges.js';
import type { FrameSourceOptions } from '../../media/frames/frame-source.js';
import { readInput } from '../../media/input-file.js';
import { OutputFile } from '../../media/output/output-file.js';
import type { OutputOptions } from '../../media/output/output-place.js';
import { printWarning } from '../failure.js';
import type { Interruption } from '../interruption.js';

/** Enough for the plan of a day in two passes. */
const MAX_JSON_BYTES = 1 << 28;

/** Where a plan's input was and how it was read, as the command line keeps it in the plan. */
export interface PlanPlace extends InputReading {
  /** As it was given; undefined for standard input. */
  readonly input?: string;
}

/** The value in a JSON file. Throws an InputError that names the file. */
export async function readJsonFile(path: string): Promise<unknown> {
  const bytes = await readInput(path, MAX_JSON_BYTES);
  try {
    return JSON.parse(new TextDecoder().decode(bytes));
  } catch {
    throw new InputError(`${path} is not JSON, or not whole`);
  }
}

/** The plan in a file. Throws an InputError that names the file. */
export async function readPlanFile(path: string): Promise<ChunkPlan> {
  return readPlan(await readJsonFile(path), path);
}

/** The text of a plan: a line for each chunk. */
export function planText({ chunks, ...others }: ChunkPlan): string {
  const head = JSON.stringify(others, null, 2).replace(/\n\}$/, '');
  const lines = chunks.map(chunk => `    ${JSON.stringify(chunk)}`).join(',\n');
  return `${head},\n  "chunks": [\n${lines}\n  ]\n}\n`;
}

/**
 * Writes a whole file, which appears when it is complete. What it is to hold is made once the file is open, so that a
 * name that cannot be had is told before the work. Throws the errors of `OutputFile.open`.
 */
export async function writeWholeFile<Made extends { readonly contents: string | Uint8Array }>(
  path: string,
  make: () => Promise<Made>,
  options: OutputOptions,
): Promise<Made> {
  const file = await OutputFile.open(path, { ...options, onLeftover: printWarning });
  try {
    const made = await make();
    const { contents } = made;
    await file.write(typeof contents === 'string' ? new TextEncoder().encode(contents) : contents);
    await file.finish();
    return made;
  } finally {
    await file.discard();
  }
}

/** Opens an input so that its frames can be had from any one on. */
export function openRanges(
  input: string,
  options: FrameSourceOptions,
  interruption: Interruption,
): Promise<FrameRanges> {
  return FrameRanges.open(start => openInput(input, { ...options, ...(start && { start }) }, interruption));
}

/** The name of a plan's input; undefined for standard input. */
export function plannedInput(plan: ChunkPlan): string | undefined {
  return (Object(plan.source) as PlanPlace).input;
}

/** Throws an OptionError if an output, by the words that name it, is the input that the plan names. */
export async function requireOtherThanPlanned(
  plan: ChunkPlan,
  outputs: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await requireDifferentFiles({ inputs: { 'the input of the plan': plannedInput(plan) }, outputs, json: false });
}

/** Opens the input of a plan: `input`, or the one that the plan names. */
export function openPlannedInput(
  plan: ChunkPlan,
  input: string | undefined,
  interruption: Interruption,
  onWarning: (message: string) => void,
): Promise<FrameRanges> {
  const place: PlanPlace = Object(plan.source);
  const path = input ?? place.input;
  if (path === undefined) throw new OptionError('input', 'the plan names no input: say with --input where it is');
  return openRanges(path, readingOptions(place, onWarning), interruption);
}
