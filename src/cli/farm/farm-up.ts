// `mpegpu farm up`: a farm of one machine.
import type { FlagsOf } from '../flags/flag-table.js';

/** Runs a queue and workers until it is interrupted. */
export async function runFarmUp(_flags: FlagsOf<'farm up'>): Promise<void> {
  throw new Error('not yet');
}
