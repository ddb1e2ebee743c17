// Drivers are the browser's concern. Takes the place of quiet-drivers.ts in what browsers load.
import type { QuietWay } from './quiet-drivers.js';

/** Nothing is known of the drivers, and nothing to set. */
export async function findQuietWay(): Promise<QuietWay> {
  return { variables: {} };
}

/** The result of `load`. */
export function withVariables<T>(_variables: QuietWay['variables'], load: () => T): T {
  return load();
}
