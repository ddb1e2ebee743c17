// True disparities from files, and the errors of disparities that were found.
import { OptionError } from '../../errors.js';
import { readDisparities } from '../../media/maps/disparity-file.js';
import { readGrayImage } from '../../media/maps/gray-image.js';
import { type BadPixels, badPixelsOf, type DisparityTruth } from '../../stereo/disparity-quality.js';
import type { DisparityMap } from '../../stereo/matcher.js';
import type { PairSize } from '../../stereo/matchers.js';
import { requireTruthSize } from '../truth-size.js';

/** The files with the truth. */
export interface TruthJob {
  readonly truth?: string | undefined;
  readonly truthScale?: number | undefined;
  readonly mask?: string | undefined;
}

/** The errors of all pels whose truth is known, and of those that the mask leaves. */
export interface DisparityErrors {
  readonly nonOccluded?: BadPixels;
  readonly all: BadPixels;
}

/** The true disparities of a pair. */
export class DisparityTruthFiles {
  private constructor(
    readonly all: DisparityTruth,
    readonly mask: ArrayLike<number> | undefined,
  ) {}

  /** Reads the files; undefined if none is named. Throws InputError if one has another size than the pictures. */
  static async read({ truth, truthScale, mask }: TruthJob, size: PairSize): Promise<DisparityTruthFiles | undefined> {
    if (truth === undefined) {
      const stray = mask !== undefined ? 'mask' : truthScale !== undefined ? 'truthScale' : undefined;
      if (stray === undefined) return undefined;
      throw new OptionError(stray, named => `${named(stray)} goes with ${named('truth')}, which is missing`);
    }
    const { width, height, values } = await readDisparities(truth, truthScale);
    requireTruthSize(truth, { width, height }, 'pictures', size);
    const masked = mask === undefined ? undefined : await readGrayImage(mask);
    if (masked) requireTruthSize(mask!, masked, 'pictures', size);
    return new DisparityTruthFiles({ name: truth, width, height, disparity: values }, masked?.values);
  }

  /** The errors of a map; a pel that is unknown in it counts as one of disparity 0. */
  measure({ width, sixteenths }: DisparityMap): DisparityErrors {
    const disparityAt = (x: number, y: number) => Math.max(0, sixteenths[y * width + x]!) / 16;
    return {
      ...(this.mask && { nonOccluded: badPixelsOf(disparityAt, { ...this.all, mask: this.mask }) }),
      all: badPixelsOf(disparityAt, this.all),
    };
  }
}
