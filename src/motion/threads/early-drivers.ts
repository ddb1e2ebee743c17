// Saves a GPU estimator a part of its start: the drivers are asked while its thread is being started.
import { canShareMemory } from '../../threads/shared-memory.js';
import { SharedText } from '../../threads/shared-text.js';
import { isBuiltInName, needsGpu } from '../built-in-estimators.js';

/** More than the name of an adapter, its features and limits take. */
const MAX_BYTES = 1 << 16;

/**
 * Memory in which a thread finds what the graphics drivers answer; undefined where `estimator` uses no GPU, and where
 * there surely is none. A thread that is not given it asks by itself.
 */
export async function askDriversEarly(estimator: string): Promise<SharedArrayBuffer | undefined> {
  const isAuto = estimator === 'auto';
  if (!canShareMemory() || !(isAuto || (isBuiltInName(estimator) && needsGpu(estimator)))) return undefined;
  const { surelyHasNoGpu } = await import('../../gpu/device/device-files.js');
  if (isAuto && surelyHasNoGpu()) return undefined;
  const { driversAnswer, NO_ANSWER } = await import('../../gpu/device/early-answer.js');
  const text = SharedText.create(MAX_BYTES);
  void driversAnswer(!isAuto).then(answer => text.give(answer) || text.give(NO_ANSWER));
  return text.memory;
}
