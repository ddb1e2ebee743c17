// Finds the files that a glob pattern matches.
import { readdir, stat } from 'node:fs/promises';
import { isAbsolute, join, parse, sep } from 'node:path';
import { readFailure } from '../input-file.js';

/** Whether a path contains one of the glob characters `* ? [ {`. */
export function isGlobPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

/**
 * The paths that a glob pattern matches, unsorted. `*` and `?` match no separator and no leading dot. `[a-z]`, `[!a-z]`
 * and `{png,jpg}` work as in a shell. `**` means the same as `*`.
 */
export async function expandGlob(pattern: string): Promise<string[]> {
  const paths = await Promise.all(expandBraces(pattern).map(expandOne));
  return [...new Set(paths.flat())];
}

async function expandOne(pattern: string): Promise<string[]> {
  const root = isAbsolute(pattern) ? parse(pattern).root : '';
  const parts = pattern
    .slice(root.length)
    .split(sep === '/' ? '/' : /[\\/]/)
    .filter(part => part !== '');
  let found = [root];
  for (const part of parts) {
    const lists = await Promise.all(found.map(folder => matchesIn(folder, part)));
    found = lists.flat();
  }
  return found;
}

/** The paths of the entries of `folder` that match one part of a pattern. */
async function matchesIn(folder: string, part: string): Promise<string[]> {
  if (!isGlobPattern(part)) {
    const path = join(folder, part);
    return (await stat(path).catch(() => undefined)) ? [path] : [];
  }
  const names = await readdir(folder || '.').catch(error => nothingIn(folder, error));
  const expression = globExpression(part);
  return names
    .filter(name => expression.test(name) && (!name.startsWith('.') || part.startsWith('.')))
    .map(name => join(folder, name));
}

/** No names, where there is no such folder to look into. */
function nothingIn(folder: string, error: NodeJS.ErrnoException): string[] {
  if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return [];
  throw readFailure(folder || '.', error);
}

function globExpression(part: string): RegExp {
  const source = part.replace(/\[([!^]?)(\]?[^\]]*)\]|[*?]|[\\^$.|+(){}[\]]/g, (token, not: string, set: string) => {
    if (token === '*') return '.*';
    if (token === '?') return '.';
    if (set === undefined) return `\\${token}`;
    return `[${not ? '^' : ''}${set.replace(/[\\\]^[]/g, '\\$&')}]`;
  });
  return new RegExp(`^${source}$`, 's');
}

/** `a{b,c}d` becomes `abd` and `acd`. Nested braces are expanded from the inside out. */
function expandBraces(pattern: string): string[] {
  const match = /\{([^{}]*,[^{}]*)\}/.exec(pattern);
  if (!match) return [pattern];
  const before = pattern.slice(0, match.index);
  const after = pattern.slice(match.index + match[0].length);
  return match[1]!.split(',').flatMap(choice => expandBraces(before + choice + after));
}
