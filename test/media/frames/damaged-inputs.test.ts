// Damaged files: each gives its pictures, or a line that names it.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { openFrameSource } from '../../../src/media/frames/open-frame-source.js';
import { type Mutation, mutate } from '../../fuzz/inputs/mutations.js';
import { packagedFfmpeg } from '../../support/decoders.js';
import { runPackagedFfmpeg, temporaryFolder } from '../../support/ffmpeg-clips.js';
import { IS_SOAK } from '../../support/soak.js';

const FRAMES = 12;
/** Files and their pictures. */
const FILES = { 'a.png': 1, 'a.jpg': 1, 'a.mp4': FRAMES, 'a.mkv': FRAMES, 'a.y4m': FRAMES } as const;
const CASES = IS_SOAK ? 300 : 15;
const MAX_SECONDS = 20;

const folder = temporaryFolder();
const outputs = [
  ...['-frames:v', '1', join(folder, 'a.png'), '-frames:v', '1', join(folder, 'a.jpg')],
  ...['-frames:v', String(FRAMES), '-c:v', 'libx264', '-g', '4', '-movflags', '+faststart', join(folder, 'a.mp4')],
  ...['-frames:v', String(FRAMES), '-c:v', 'ffv1', '-slicecrc', '1', '-level', '3', join(folder, 'a.mkv')],
  ...['-frames:v', String(FRAMES), join(folder, 'a.y4m')],
];
runPackagedFfmpeg('-f', 'lavfi', '-i', 'testsrc2=size=48x32:rate=25,format=yuv420p', ...outputs);

afterEach(() => {
  vi.unstubAllEnvs();
});

/** Numbers 0..1 that follow from a seed. */
function randomNumbers(seed: number): () => number {
  let state = seed * 2654435761;
  return () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return (state >>> 8) / 2 ** 24;
  };
}

function mutationsOf(seed: number): readonly Mutation[] {
  const next = randomNumbers(seed + 1);
  const kinds = ['flip', 'set', 'cut', 'remove', 'insert', 'repeat', 'zero', 'number', 'digit'] as const;
  const place = () => next() ** (next() < 0.5 ? 1 : 4);
  return Array.from({ length: 1 + Math.floor(3 * next()) }, () => ({
    how: kinds[Math.floor(next() * kinds.length)]!,
    at: place(),
    length: place() * place(),
    value: Math.floor(256 * next()),
  }));
}

interface Outcome {
  readonly frames: number;
  readonly warnings: readonly string[];
  readonly error?: Error;
}

async function read(path: string): Promise<Outcome> {
  const warnings: string[] = [];
  let frames = 0;
  const signal = AbortSignal.timeout(1000 * MAX_SECONDS);
  try {
    const options = { damage: 'warn', onWarning: (message: string) => warnings.push(message), signal } as const;
    for await (const _ of (await openFrameSource(path, options)).frames(signal)) frames++;
    return { frames, warnings };
  } catch (error) {
    return { frames, warnings, error: error as Error };
  }
}

describe('damage', () => {
  const names = Object.keys(FILES) as (keyof typeof FILES)[];
  const cases = Array.from({ length: CASES }, (_, seed) => ({ seed, name: names[seed % names.length]! }));

  it.each(cases)('$seed of $name is told, or does no harm', async ({ seed, name }) => {
    vi.stubEnv('FFMPEG_PATH', packagedFfmpeg());
    const mutations = mutationsOf(seed);
    const path = join(folder, `case-${seed}-${name}`);
    writeFileSync(path, mutate(readFileSync(join(folder, name)), mutations));
    const { frames, warnings, error } = await read(path);
    const what = JSON.stringify({ frames, warnings, error: error?.message, mutations });
    for (const line of [...warnings, ...(error ? [error.message] : [])]) {
      expect(line, what).toContain(path);
      expect(line, what).not.toMatch(/\n/);
    }
    if (error) expect(['InputError', 'OptionError'], what).toContain(error.name);
    else if (warnings.length === 0) expect(frames, what).toBeGreaterThanOrEqual(fewestFrames(name, mutations));
  });
});

/** y4m says nothing of its length: without a word it may end where a frame ends. */
function fewestFrames(name: keyof typeof FILES, mutations: readonly Mutation[]): number {
  const isCut = mutations.some(({ how }) => how === 'cut' || how === 'remove');
  return name === 'a.y4m' && isCut ? 1 : FILES[name];
}
