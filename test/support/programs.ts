// Finds the programs that tests start.
import { existsSync } from 'node:fs';
import { delimiter, join } from 'node:path';

/** The path of a program on PATH, or undefined. */
export function onPath(program: string): string | undefined {
  return (process.env.PATH ?? '')
    .split(delimiter)
    .map(folder => join(folder, program))
    .find(candidate => existsSync(candidate));
}
