// Cases that have failed once: they run first, in every run. Each has a line that says what was wrong.
import type { KindName } from './runner/kinds.js';

/** A case that has failed. */
export interface FoundCase {
  readonly kind: KindName;
  /** What was wrong, and why. */
  readonly why: string;
  readonly given: unknown;
}

export const FOUND_CASES: readonly FoundCase[] = [
  {
    kind: 'inputs',
    why: 'the error about a weight of 0 did not name the file of the matrix',
    given: { file: 'matrix.txt', mutations: [{ how: 'digit', at: 0, length: 0, value: 0 }] },
  },
  {
    kind: 'inputs',
    why: "a cut video without a known codec was taken for an ffmpeg without a decoder, and another one's error came second",
    given: { file: 'clip.mp4', mutations: [{ how: 'cut', at: 0.7448397676810001, length: 0.421, value: 170 }] },
  },
  {
    kind: 'flags',
    why: 'plan began to read the input, and told of it, before it found that a matrix cannot be read',
    given: {
      command: 'plan',
      args: ['in.y4m', '-o', 'out.json', '--intra-matrix', 'in.y4m', '--progress'],
      isProcess: false,
    },
  },
  {
    kind: 'flags',
    why: 'a folder of images took the name of the table, which was written and could not get its name',
    given: {
      command: 'estimate',
      args: ['in.y4m', '--csv', 'out.m1v', '--residuals', 'out.m1v'],
      isProcess: false,
    },
  },
];
