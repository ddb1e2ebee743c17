// No files import each other in circles, imports of types included.
import { describe, expect, it } from 'vitest';
import { type SourceFile, sourceFiles } from './source-files.js';

/** Groups of files that reach each other by imports (Tarjan's strongly connected components), larger ones only. */
function circles(files: readonly Pick<SourceFile, 'path' | 'imports'>[]): string[][] {
  const byPath = new Map(files.map(file => [file.path, file]));
  const order = new Map<string, number>();
  const lowest = new Map<string, number>();
  const open: string[] = [];
  const found: string[][] = [];
  const visit = (path: string): void => {
    order.set(path, order.size);
    lowest.set(path, order.get(path)!);
    open.push(path);
    for (const { target } of byPath.get(path)!.imports) {
      if (!byPath.has(target)) continue;
      if (!order.has(target)) visit(target);
      if (open.includes(target)) lowest.set(path, Math.min(lowest.get(path)!, lowest.get(target)!));
    }
    if (lowest.get(path) !== order.get(path)) return;
    const group = open.splice(open.indexOf(path));
    if (group.length > 1) found.push(group.sort());
  };
  for (const { path } of files) if (!order.has(path)) visit(path);
  return found;
}

describe('circles of imports', () => {
  const file = (path: string, ...targets: string[]) => ({
    path,
    imports: targets.map(target => ({ target, kind: 'type' as const })),
  });

  it('are found, each with its files', () => {
    const files = [file('a', 'b'), file('b', 'c'), file('c', 'a', 'd'), file('d'), file('e', 'f', 'd'), file('f', 'e')];
    expect(circles(files)).toEqual([
      ['a', 'b', 'c'],
      ['e', 'f'],
    ]);
  });

  it.each(['src', 'assembly', 'samples', 'test'])('are not in %s', folder => {
    const files = sourceFiles(folder);
    expect(files.length).toBeGreaterThan(5);
    expect(circles(files)).toEqual([]);
  });
});
