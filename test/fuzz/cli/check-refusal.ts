// What a command that refuses must leave: one line that says why, and no file.
import { readdirSync } from 'node:fs';
import type { CliRun } from '../../cli/run-cli.js';
import { require } from '../runner/fuzz-kind.js';

/** Dawn prints these itself where there is no GPU. */
const CHATTER_OF_DAWN = /^(Warning: vkCreateInstance.*|\s+at CheckVkSuccessImpl.*|)\n/gm;
/** A warning about the input comes before what follows from its size. */
const PACE = /^mpegpu: .* is played at .*: each frame is kept, and the speed changes\n/;
const MAX_LINE = 2000;

/**
 * Throws unless a run that has failed says so in one line, perhaps after a warning. Exit status 1 is for what the
 * machine lacks.
 */
export function checkErrorLine({ status, stderr }: CliRun): void {
  const text = stderr.replace(CHATTER_OF_DAWN, '').replace(PACE, '');
  const what = () => `status ${status}, and it says: ${text.slice(0, MAX_LINE)}`;
  require(status === 2 || (status === 1 && /GPU|adapter|ffmpeg|ENOSPC|no space/i.test(text)), what);
  require(/^mpegpu: [^\n]+\n$/.test(text) && text.length < MAX_LINE, what);
  require(!/\n\s+at |\[object Object\]|\bundefined\b|TypeError|RangeError|InternalError/.test(text), what);
}

/** Throws unless a folder, hidden files included, holds these files. */
export function checkFiles(folder: string, expected: readonly string[]): void {
  const found = readdirSync(folder).sort().join(', ');
  const wanted = [...expected].sort().join(', ');
  require(found === wanted, () => `the folder holds ${found}; it should hold ${wanted}`);
}
