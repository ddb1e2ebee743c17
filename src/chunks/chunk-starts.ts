// Where chunks start: at scene cuts where possible.

/** What is to be cut into chunks; all in frames. */
export interface ChunkLengths {
  readonly frames: number;
  /** First frames of scenes, ascending. */
  readonly cuts: readonly number[];
  /** Least and greatest length of a chunk. */
  readonly min: number;
  readonly max: number;
  /** The greatest distance of I pictures. */
  readonly gop: number;
}

/**
 * The first frames of the chunks: each chunk ends at the first cut after its least length. Without a cut it ends where
 * an I picture would be in any case, a whole number of groups after the last cut, as near to its greatest length as
 * that allows. Nothing shorter than `min` is left over: the last chunk may be longer than `max` instead.
 *
 *     cuts          |       |  |                        |
 *     chunks  [min.......max]                                  min 4, max 8, gop 3
 *             0             7        13         19      26
 */
export function chunkStarts({ frames, cuts, min, max, gop }: ChunkLengths): number[] {
  const starts = [0];
  for (let start = 0; ; ) {
    const latest = Math.min(start + max, frames - min);
    const cut = cuts.find(number => number >= start + min && number <= latest);
    const left = frames - start;
    if (cut === undefined && (left <= max || left < 2 * min)) return starts;
    start = cut ?? groupStart(start, latest, min, cuts, gop);
    starts.push(start);
  }
}

/** The last I picture of regular groups up to `latest` that is at least `min` after `start`; `latest` without one. */
function groupStart(start: number, latest: number, min: number, cuts: readonly number[], gop: number): number {
  const scene = cuts.findLast(cut => cut > start && cut <= latest) ?? start;
  const intra = scene + gop * Math.floor((latest - scene) / gop);
  return intra >= start + min ? intra : latest;
}
