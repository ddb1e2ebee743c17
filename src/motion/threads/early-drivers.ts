// Saves a GPU estimator a part of its start: the drivers are asked while its thread is being started.
import { canShareMemory } from '../../threads/shared-memory.js';
import { SharedText } from '../../threads/shared-text.js';
import type { ThreadKeeper } from '../../threads/thread-messages.js';
import { needsGpu } from '../built-in-estimators.js';

/** More than the name of an adapter, its features and limits take. */
const MAX_BYTES = 1 << 16;

/** A question that is being asked: where its answer will be, and the answer. */
interface Asked {
  readonly memory: SharedArrayBuffer;
  readonly answered: Promise<string>;
}

/** By estimator, what was asked before an encoder was there that wants it. */
const askedBefore = new Map<string, Promise<Asked | undefined>>();

/**
 * Memory in which a thread finds what the graphics drivers answer; undefined where `estimator` uses no GPU, and where
 * there surely is none. A thread that is not given it asks by itself. Where there is a GPU, the answer is `kept` for
 * the encodes to come; where there is none, one may come.
 */
export async function askDriversEarly(
  estimator: string,
  kept?: ThreadKeeper['texts'],
): Promise<SharedArrayBuffer | undefined> {
  const known = knownAnswer(estimator, kept);
  if (known) return known;
  const before = askedBefore.get(estimator);
  askedBefore.delete(estimator);
  const asked = await (before ?? ask(estimator));
  if (!asked) return undefined;
  const { tellsOfGpu } = await import('../../gpu/device/early-answer.js');
  void asked.answered.then(answer => {
    if (tellsOfGpu(answer, estimator !== 'auto')) kept?.set(nameFor(estimator), asked.memory);
  });
  return asked.memory;
}

/**
 * Asks the drivers, unless their answer is `kept`, for an encode whose encoder comes later, when the size of its
 * pictures is known. Call what is returned when the encode is over: the next one may find other GPUs.
 */
export function askDriversBefore(estimator: string, kept?: ThreadKeeper['texts']): () => void {
  if (knownAnswer(estimator, kept)) return () => {};
  const asked = ask(estimator);
  askedBefore.set(estimator, asked);
  return () => {
    // Another encode may have asked meanwhile.
    if (askedBefore.get(estimator) === asked) askedBefore.delete(estimator);
  };
}

/** By what name an answer is kept: for `auto` a software GPU is none. */
function nameFor(estimator: string): string {
  return estimator === 'auto' ? 'graphics drivers, no software' : 'graphics drivers';
}

function knownAnswer(estimator: string, kept: ThreadKeeper['texts'] | undefined): SharedArrayBuffer | undefined {
  return mayAsk(estimator) ? kept?.get(nameFor(estimator)) : undefined;
}

function mayAsk(estimator: string): boolean {
  return canShareMemory() && (estimator === 'auto' || needsGpu(estimator));
}

async function ask(estimator: string): Promise<Asked | undefined> {
  if (!mayAsk(estimator)) return undefined;
  const isAuto = estimator === 'auto';
  const { surelyHasNoGpu } = await import('../../gpu/device/device-files.js');
  if (isAuto && surelyHasNoGpu()) return undefined;
  const { driversAnswer, NO_ANSWER } = await import('../../gpu/device/early-answer.js');
  const text = SharedText.create(MAX_BYTES);
  const answered = driversAnswer(!isAuto).then(answer => {
    if (text.give(answer)) return answer;
    text.give(NO_ANSWER);
    return NO_ANSWER;
  });
  return { memory: text.memory, answered };
}
