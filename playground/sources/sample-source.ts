// Generated films, made in the page.
import type { Frame } from 'mpegpu';
import { generateSample, type SampleKind } from '../../samples/generate.ts';
import { SAMPLES } from '../settings.ts';
import type { ClipSource } from './clip.ts';
import { snowSource } from './snow-source.ts';

const FRAMES = 75;
/** These cameras move slowly: every third frame is taken, so that vectors can be seen. */
const PACES: Readonly<Record<string, number>> = { rotation: 3, zoom: 3 };
const SEED = 7;

/** A film of 3 seconds, 4:3; or the simulated one. */
export function sampleSource(kind: string): ClipSource {
  if (kind === 'snow-wind') return snowSource(SAMPLES[kind] ?? kind);
  return {
    name: SAMPLES[kind] ?? kind,
    async *open({ size }): AsyncGenerator<Frame> {
      const pace = PACES[kind] ?? 1;
      const height = 2 * Math.round((size * 3) / 8);
      const sample = generateSample({
        kind: kind as SampleKind,
        width: size,
        height,
        frames: pace * FRAMES,
        seed: SEED,
      });
      for (let number = 0; number < FRAMES; number++) {
        yield sample.frame(pace * number);
        await new Promise(resolve => setTimeout(resolve)); // the page stays responsive
      }
    },
  };
}
