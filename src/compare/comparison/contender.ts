// The state of an estimator while a comparison runs.
import type { QualityEncode, TimedEncode } from './encode.js';
import type { FieldStudy } from './search.js';

/** An estimator in a comparison, with its measurements so far. */
export interface Contender {
  /** The name or module path that the user gave. */
  readonly estimator: string;
  /** The name in its traits, and what it runs on; the user's name and '' until it has been made once. */
  name: string;
  device: string;
  /** What `auto` tried before it, each with the reason why this machine cannot run it. */
  passedOver: readonly { readonly name: string; readonly reason: string }[];
  /** `unsupported`: this machine cannot run it. `failed`: it threw another error. */
  outcome: 'finished' | 'unsupported' | 'failed';
  /** Why it has not finished. */
  reason: string | undefined;
  study: FieldStudy | undefined;
  /** Mean search time of a pair in milliseconds, one number for each timed run. */
  readonly searchMs: number[];
  /** The encodes by the value of the settings. */
  readonly encodes: Map<number, ContenderEncode>;
}

/** A contender's encodes at one setting. They are all equal: quality is measured once, time several times. */
export interface ContenderEncode {
  readonly quality: QualityEncode;
  readonly runs: TimedEncode[];
}

/** A contender without measurements. */
export function newContender(estimator: string): Contender {
  return {
    estimator,
    name: estimator,
    device: '',
    passedOver: [],
    outcome: 'finished',
    reason: undefined,
    study: undefined,
    searchMs: [],
    encodes: new Map(),
  };
}
