// The hidden file of an output whose run was killed.
import { writeFileSync } from 'node:fs';
import { hiddenPath } from '../../src/media/output/hidden-name.js';
import { formatRun, thisRun } from '../../src/media/output/run-identity.js';

/** Writes the hidden file that a killed run would have left of an output. Returns its path. */
export function writeLeftover(output: string): string {
  const own = thisRun();
  const killed = formatRun({ ...own, start: 'never' });
  const path = hiddenPath(output).replace(formatRun(own), killed);
  writeFileSync(path, 'half');
  return path;
}
