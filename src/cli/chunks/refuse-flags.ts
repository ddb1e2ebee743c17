// Refuses flags whose values come from elsewhere, such as a plan.
import { OptionError } from '../../errors.js';
import { flagName } from '../flags/flag-row.js';

/** Throws an OptionError for the first flag that is given and not allowed. `reason` goes on after its name. */
export function refuseOtherFlags(flags: object, allowed: readonly string[], reason: string): void {
  const other = Object.entries(flags).find(([name, value]) => value !== undefined && !allowed.includes(name));
  if (other) throw new OptionError(other[0], `--${flagName(other[0])} ${reason}`);
}
