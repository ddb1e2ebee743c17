// Finds the files that a glob pattern matches.
import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import systemPath, { join, type PlatformPath } from 'node:path';
import type { FileSystemAdapter } from 'tinyglobby';
import { InputError, messageOf } from '../../errors.js';
import { readFailure } from '../input-file.js';

/** As many names as `{0..99999}` stands for. */
const MAX_RANGE = 100_000;

/** Whether a path contains one of the glob characters `* ? [ {`. */
export function isGlobPattern(path: string): boolean {
  return /[*?[{]/.test(path);
}

/**
 * The paths that a glob pattern matches, unsorted. `*` and `?` match no separator and no leading dot, `**` any folders.
 * `[a-z]`, `[!a-z]`, `{png,jpg}` and `{1..20}` work as in a shell, also inside each other. A backslash takes the next
 * character as it is, except on Windows. A folder at the start that exists is taken as it is. Throws an InputError if a
 * folder cannot be read, or the pattern is too long.
 */
export async function expandGlob(pattern: string): Promise<string[]> {
  const { folder, rest } = await splitPattern(pattern);
  if (rest === '') return [folder];
  const files = new ListedFolders(rest.includes('**'));
  const { glob } = await import('tinyglobby'); // loaded on demand: other inputs open sooner
  const options = { cwd: folder || '.', expandDirectories: false, extglob: false, fs: files.system };
  const found = await glob(plainPattern(rest), options).catch(error => {
    throw new InputError(`${pattern} cannot be used as a pattern: ${messageOf(error)}`, { cause: error });
  });
  if (files.failure !== undefined) throw files.failure;
  const mayBeHidden = /(^|[/{,])\\?\./.test(rest);
  return found.filter(path => mayBeHidden || !/(^|\/)\./.test(path)).map(path => join(folder, path));
}

/** The folder at the start of a pattern, and the pattern of files in that folder, with `/` between its parts. */
async function splitPattern(pattern: string): Promise<{ folder: string; rest: string }> {
  const { root, parts } = partsOf(pattern);
  let folder = root;
  while (parts.length > 0) {
    const next = join(folder, parts[0]!);
    if (!(await stat(next).catch(() => undefined))) break;
    folder = next;
    parts.shift();
  }
  return { folder, rest: parts.join('/') };
}

/** The root of a path, such as `/`, `C:\` and `\\server\share\`, empty if it is relative; and its names. */
export function partsOf(
  path: string,
  { isAbsolute, parse, sep }: PlatformPath = systemPath,
): { readonly root: string; readonly parts: string[] } {
  const root = isAbsolute(path) ? parse(path).root : '';
  const names = path.slice(root.length).split(sep === '/' ? '/' : /[\\/]/);
  return { root, parts: names.filter(name => name !== '') };
}

/** The same for picomatch: characters that mean nothing in a shell's pattern are escaped, ranges are lists. */
function plainPattern(pattern: string): string {
  const tokens = /\\.|\[([!^]?)(\]?[^\]/]*)\]|\{(-?\d+)\.\.(-?\d+)\}|[()|+@!^$[\]]/gs;
  return pattern.replace(tokens, (token, not: string, set: string, first: string, last: string) => {
    if (token.startsWith('\\')) return token;
    if (set !== undefined) return `[${not ? '^' : ''}${characterSet(set)}]`;
    return first === undefined ? `\\${token}` : listOf(first, last);
  });
}

/** The inside of `[...]`. Without a range picomatch would take it for its own characters as well: `a[1].png`. */
function characterSet(set: string): string {
  const escaped = set.replace(/[\\\]^[]/g, '\\$&');
  return /^\w+$/.test(set) ? `${escaped}${set.at(-1)}-${set.at(-1)}` : escaped;
}

/** `{08..11}` as `{08,09,10,11}`. */
function listOf(first: string, last: string): string {
  const [from, to] = [Number(first), Number(last)];
  const count = Math.abs(to - from) + 1;
  if (count > MAX_RANGE) throw new InputError(`{${first}..${last}} stands for more than ${MAX_RANGE} numbers`);
  const digits = [first, last].some(text => /^-?0\d/.test(text)) ? Math.max(first.length, last.length) : 0;
  const numbers = Array.from({ length: count }, (_, i) => (to < from ? from - i : from + i));
  const names = numbers.map(number => `${number < 0 ? '-' : ''}${`${Math.abs(number)}`.padStart(digits, '0')}`);
  return count === 1 ? names[0]! : `{${names.join(',')}}`;
}

/**
 * Lists folders for tinyglobby, which would leave out what it cannot read. A link counts as what it leads to. A link
 * that leads nowhere counts as a file: reading it fails, and no picture is left out silently. Below `**` a link to a
 * folder is not entered: its files could be found twice.
 */
class ListedFolders {
  /** The error of the first folder that could not be read. */
  failure: Error | undefined;
  readonly system: FileSystemAdapter;

  constructor(isDeep: boolean) {
    const list = (folder: string, _: unknown, callback: (error: Error | null, entries: Dirent[]) => void): void => {
      this.#entriesOf(folder, isDeep).then(
        entries => callback(null, entries),
        error => {
          if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') this.failure ??= readFailure(folder, error);
          callback(error, []);
        },
      );
    };
    this.system = { readdir: list as unknown as NonNullable<FileSystemAdapter['readdir']> };
  }

  async #entriesOf(folder: string, isDeep: boolean): Promise<Dirent[]> {
    const entries = await readdir(folder, { withFileTypes: true });
    const kindOf = async (entry: Dirent): Promise<Dirent> => {
      if (entry.isDirectory() || entry.isFile()) return entry;
      const isFolder =
        !isDeep && ((await stat(join(folder, entry.name)).catch(() => undefined))?.isDirectory() ?? false);
      const kind = {
        name: entry.name,
        isDirectory: () => isFolder,
        isFile: () => !isFolder,
        isSymbolicLink: () => false,
      };
      return kind as Dirent;
    };
    return Promise.all(entries.map(kindOf));
  }
}
