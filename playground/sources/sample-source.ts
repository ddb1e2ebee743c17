// Generated films, made in the page.
import type { Frame } from 'mpegpu';
import { generateSample, type SampleKind } from '../../samples/generate.ts';
import { SAMPLES } from '../settings.ts';
import type { ClipSource } from './clip.ts';

const FRAMES = 75;
const SEED = 7;

/** A film of 3 seconds, 4:3. */
export function sampleSource(kind: string): ClipSource {
  return {
    name: SAMPLES[kind] ?? kind,
    async *open(size): AsyncGenerator<Frame> {
      const height = 2 * Math.round((size * 3) / 8);
      const sample = generateSample({ kind: kind as SampleKind, width: size, height, frames: FRAMES, seed: SEED });
      for (const frame of sample) {
        yield frame;
        await new Promise(resolve => setTimeout(resolve)); // the page stays responsive
      }
    },
  };
}
