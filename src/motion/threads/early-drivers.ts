// Saves a GPU estimator a part of its start: the drivers are asked while its thread is being started.
import { canShareMemory } from '../../threads/shared-memory.js';
import { SharedText } from '../../threads/shared-text.js';
import type { ThreadKeeper } from '../../threads/thread-messages.js';
import { needsGpu } from '../built-in-estimators.js';

/** More than the name of an adapter, its features and limits take. */
const MAX_BYTES = 1 << 16;

/**
 * Memory in which a thread finds what the graphics drivers answer; undefined where `estimator` uses no GPU, and where
 * there surely is none. A thread that is not given it asks by itself. Where there is a GPU, the answer is `kept` for
 * the encodes to come; where there is none, one may come.
 */
export async function askDriversEarly(
  estimator: string,
  kept?: ThreadKeeper['texts'],
): Promise<SharedArrayBuffer | undefined> {
  const isAuto = estimator === 'auto';
  if (!canShareMemory() || !(isAuto || needsGpu(estimator))) return undefined;
  const { surelyHasNoGpu } = await import('../../gpu/device/device-files.js');
  if (isAuto && surelyHasNoGpu()) return undefined;
  const name = isAuto ? 'graphics drivers, no software' : 'graphics drivers';
  const known = kept?.get(name);
  if (known) return known;
  const { driversAnswer, NO_ANSWER, tellsOfGpu } = await import('../../gpu/device/early-answer.js');
  const text = SharedText.create(MAX_BYTES);
  void driversAnswer(!isAuto).then(answer => {
    if (!text.give(answer)) text.give(NO_ANSWER);
    else if (tellsOfGpu(answer, !isAuto)) kept?.set(name, text.memory);
  });
  return text.memory;
}
