import type { SearchedPair } from '../../compare/motion-fields/pair-search.js';
import { OutputFile, type OutputOptions } from '../../media/output/output-file.js';
import type { MotionField } from '../../motion/estimator.js';
import type { PendingOutput } from '../output-set.js';

type Vector = readonly [dx: number, dy: number];

/** A line of `estimate --vectors`: a pair's whole field, blocks in raster order, in full pels. */
export interface FieldLine {
  /** Numbers of the two frames, from 0. */
  readonly frame: number;
  readonly reference: number;
  readonly blockSize: 8 | 16;
  readonly blockColumns: number;
  readonly blockRows: number;
  /** The best vector of each block, and its cost. */
  readonly vectors: readonly Vector[];
  readonly costs: readonly number[];
  /** All candidates of each block, best first; only where more than one was asked for. */
  readonly candidates?: readonly (readonly Vector[])[];
}

/** The fields that an estimator answered with, a line of JSON per pair. */
export class FieldFile implements PendingOutput {
  readonly #file: OutputFile;

  private constructor(file: OutputFile) {
    this.#file = file;
  }

  /** Opens `path` as `OutputFile.open` does, with its errors. */
  static async open(path: string, options: OutputOptions): Promise<FieldFile> {
    return new FieldFile(await OutputFile.open(path, options));
  }

  write(pair: SearchedPair): Promise<void> {
    return this.#file.write(new TextEncoder().encode(`${JSON.stringify(fieldLine(pair))}\n`));
  }

  finish(): Promise<void> {
    return this.#file.finish();
  }

  keepPartial(): Promise<string> {
    return this.#file.keepPartial();
  }

  discard(): Promise<void> {
    return this.#file.discard();
  }
}

function fieldLine({ currentNumber, referenceNumber, field }: SearchedPair): FieldLine {
  const { blockSize, blockColumns, blockRows, candidatesPerBlock } = field;
  const candidates = Array.from({ length: blockColumns * blockRows }, (_, block) => candidatesOf(field, block));
  return {
    frame: currentNumber,
    reference: referenceNumber,
    blockSize,
    blockColumns,
    blockRows,
    vectors: candidates.map(vectors => vectors[0]!),
    costs: candidates.map((_, block) => field.cost[block * candidatesPerBlock]!),
    ...(candidatesPerBlock > 1 && { candidates }),
  };
}

function candidatesOf({ candidatesPerBlock, dx, dy }: MotionField, block: number): Vector[] {
  return Array.from({ length: candidatesPerBlock }, (_, i) => {
    const at = block * candidatesPerBlock + i;
    return [dx[at]!, dy[at]!];
  });
}
