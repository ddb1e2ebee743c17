// Finds and removes the hidden files that a killed run has left behind.
import { readdir, rm } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { isHiddenFor, parseHiddenName } from './hidden-name.js';
import { hasEnded, parseRun } from './run-identity.js';

/** Called with a line about files that were removed, or that were left since another machine may be writing them. */
export type OnLeftover = (message: string) => void;

/** Removes what killed runs have left of the output `path`. A file of a run that may be alive stays. */
export async function removeLeftovers(path: string, onLeftover: OnLeftover): Promise<void> {
  await removeHidden(dirname(path), parts => isHiddenFor(path, parts), onLeftover);
}

/** Removes what killed runs have left of any output in a folder. A file of a run that may be alive stays. */
export function removeLeftoversIn(folder: string, onLeftover: OnLeftover): Promise<void> {
  return removeHidden(folder, () => true, onLeftover);
}

async function removeHidden(
  folder: string,
  isWanted: (parts: { stem: string; ending: string }) => boolean,
  onLeftover: OnLeftover,
): Promise<void> {
  const removed: string[] = [];
  const doubtful: string[] = [];
  for (const name of await readdir(folder).catch(() => [])) {
    const parts = parseHiddenName(name);
    if (!parts || !isWanted(parts)) continue;
    const ended = hasEnded(parseRun(parts.run));
    if (ended === undefined) doubtful.push(name);
    if (ended !== true) continue;
    const path = join(folder, name);
    await rm(path, { force: true }).then(
      () => removed.push(path),
      () => doubtful.push(name),
    );
  }
  if (removed.length > 0) onLeftover(`removed what a killed run had left behind: ${removed.join(', ')}`);
  if (doubtful.length > 0) {
    onLeftover(
      `left ${doubtful.map(name => join(folder, name)).join(', ')}: another machine may be writing there; ` +
        'if none is, remove it',
    );
  }
}
