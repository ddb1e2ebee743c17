// What the flags of an encode in chunks ask for, as a plan keeps it.
import type { PlanOptions } from '../../chunks/plan-options.js';
import { TUNED_MATRIX } from '../../encode-files/check-options.js';
import type { InputReading } from '../../encode-files/open-input.js';
import { OptionError } from '../../errors.js';
import { pictureOptionsOf } from '../../media/filters/picture-options.js';
import { matrixOptions } from '../encode/quantizer-matrix-file.js';
import { encoderOptions } from '../flags/encoder-options.js';
import type { FlagsOf } from '../flags/flag-table.js';

/** The flags of the commands that plan. */
type PlanningFlags = FlagsOf<'plan'> | FlagsOf<'farm submit'>;

/** The options of the plan that flags say, apart from what the input says. */
export async function plannedOptions(flags: PlanningFlags): Promise<Omit<PlanOptions, 'signal' | 'onProgress'>> {
  const { chunkSeconds, frames } = flags;
  return {
    ...encoderOptions(flags),
    ...(await matrixOptions(flags)),
    ...(chunkSeconds && { chunkSeconds }),
    ...(frames !== undefined && { frames }),
  };
}

/** How the flags ask for the input to be read. */
export function plannedReading({ size, fps, ...flags }: PlanningFlags): InputReading {
  const pictures = pictureOptionsOf(flags);
  return {
    ...(size && { size }),
    ...(fps && { frameRate: fps }),
    ...(Object.keys(pictures).length > 0 && { pictures }),
  };
}

/** Throws an OptionError for a way to find the scales that chunks cannot go. */
export function checkPlannedRate({ passes = 1, bitrate, matrix, target }: PlanningFlags): void {
  if (passes !== 1 && passes !== 2) throw new OptionError('passes', `--passes ${passes} does not exist; legal: 1, 2`);
  if (passes === 2 && bitrate === undefined && target !== 'vcd') {
    throw new OptionError('passes', '--passes 2 needs --bitrate');
  }
  if (passes === 1 && bitrate !== undefined) {
    const what = '--bitrate in one pass needs to know what the chunks before have taken';
    throw new OptionError('bitrate', `${what}; chunks can keep to --bitrate with --passes 2, to --quality and to --q`);
  }
  if (matrix === TUNED_MATRIX) {
    const what = '--matrix tuned is found by a pass over the whole input, which chunks do not make';
    throw new OptionError('matrix', `${what}: give a matrix with --intra-matrix, or --matrix flat or standard`);
  }
}
