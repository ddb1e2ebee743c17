// The true motion of the first pair of frames, and how a field differs from it.
import { badPixels } from '../../compare/motion-fields/disparity-error.js';
import { type EndpointError, endpointError, flowOfField } from '../../compare/motion-fields/flow-error.js';
import type { SearchedPair } from '../../compare/motion-fields/pair-search.js';
import { OptionError } from '../../errors.js';
import type { Flow } from '../../media/maps/flow.js';
import { readGrayImage } from '../../media/maps/gray-image.js';
import { readFlow } from '../../media/maps/read-flow.js';
import type { BadPixels, DisparityTruth } from '../../stereo/disparity-quality.js';
import { requireTruthSize } from '../truth-size.js';

/** The files with the true motion of the first pair. */
export interface TruthPaths {
  /** True flow: a `.flo` file, or a flow PNG of KITTI. */
  readonly truth?: string;
  /** True disparity of the first frame, the left one: an image. */
  readonly disparity?: string;
  /** The values of that image are divided by this to get pels; default 1. */
  readonly disparityScale?: number;
  /** An image that is 0 where the disparity does not count. */
  readonly mask?: string;
}

/** How the first pair differs from the truth, as far as that is known. */
export interface TruthReport {
  readonly endpointError?: EndpointError;
  readonly badPixels?: BadPixels;
}

/** The true motion of the first pair of frames, as far as it is known. */
export class Truth {
  private constructor(
    readonly flow: { readonly path: string; readonly flow: Flow } | undefined,
    readonly disparity: DisparityTruth | undefined,
  ) {}

  /** Reads the files, and checks that they have the size of the frames. Throws InputError or OptionError. */
  static async read(paths: TruthPaths, frames: { readonly width: number; readonly height: number }): Promise<Truth> {
    const { truth, disparity, disparityScale = 1, mask } = paths;
    if (disparity === undefined) {
      const stray = mask !== undefined ? 'mask' : paths.disparityScale !== undefined ? 'disparity-scale' : undefined;
      if (stray !== undefined) {
        throw new OptionError(stray, `--${stray} goes with --disparity, which is missing`);
      }
    }
    const flow = truth === undefined ? undefined : { path: truth, flow: await readFlow(truth) };
    if (flow) requireTruthSize(truth!, flow.flow, 'frames', frames);
    if (disparity === undefined) return new Truth(flow, undefined);
    const map = await readGrayImage(disparity);
    requireTruthSize(disparity, map, 'frames', frames);
    const masked = mask === undefined ? undefined : await readGrayImage(mask);
    if (masked) requireTruthSize(mask!, masked, 'frames', frames);
    return new Truth(flow, {
      name: disparity,
      width: map.width,
      height: map.height,
      disparity: Float32Array.from(map.values, value => value / disparityScale),
      ...(masked && { mask: masked.values }),
    });
  }

  /** How the field of a pair differs from the truth. */
  compare({ current: { width, height }, field }: SearchedPair): TruthReport {
    return {
      ...(this.flow && {
        endpointError: endpointError(flowOfField(field, width, height), this.flow.flow, this.flow.path),
      }),
      ...(this.disparity && { badPixels: badPixels(field, width, height, this.disparity) }),
    };
  }
}
