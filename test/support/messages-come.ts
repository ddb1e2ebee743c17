// Messages between ports of one thread come in turns of its event loop.
import { setImmediate as nextTurn } from 'node:timers/promises';

/** A message may be answered by others, and each takes a turn. */
const TURNS = 20;

/** Resolves when messages that are under way have come, and those that were sent because of them. */
export async function messagesCome(): Promise<void> {
  for (let turn = 0; turn < TURNS; turn++) await nextTurn();
}
