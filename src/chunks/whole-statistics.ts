// The statistics of a whole encode from those of its chunks.
import type { EncoderStatistics } from '../encoder/report/statistics.js';
import type { AssembledVideo } from './assemble-chunks.js';

/**
 * The statistics of a video whose chunks, at least one, were coded one after another: times and searches are sums, the
 * estimator is that of the last chunk.
 */
export function wholeStatistics(video: AssembledVideo, chunks: readonly EncoderStatistics[]): EncoderStatistics {
  const sums = <Key extends string>(part: (chunk: EncoderStatistics) => Readonly<Record<Key, number>>) =>
    chunks.map(part).reduce((sum, other) => {
      const entries = Object.entries<number>(sum).map(([key, value]) => [key, value + other[key as Key]]);
      return Object.fromEntries(entries) as Record<Key, number>;
    });
  return { ...chunks.at(-1)!, ...video, motion: sums(({ motion }) => motion), stages: sums(({ stages }) => stages) };
}
