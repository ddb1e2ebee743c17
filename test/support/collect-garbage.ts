// Collects garbage at once, so that a test sees what is really held.
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

setFlagsFromString('--expose-gc');

/** Collects all garbage of the calling thread. */
export const collectGarbage = runInNewContext('gc') as () => void;
