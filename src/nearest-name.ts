// Finds the name that someone meant who wrote it wrongly.

/** Most letters that may be wrong: added, left out, replaced or in the wrong order. */
const MAX_WRONG_LETTERS = 2;
/** Fewest letters of a name that stand for it. */
const MIN_PART_LETTERS = 3;

/**
 * The name that is nearest to `word`, upper and lower case alike: one with few wrong letters, else the only one that
 * has the word as a part; undefined if none is near.
 */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  const written = word.toLowerCase();
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(written, name.toLowerCase());
    const isNear = distance <= MAX_WRONG_LETTERS && distance <= name.length / 3;
    if (isNear && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance };
  }
  return nearest?.name ?? onlyNameWith(written, names);
}

/** ` (did you mean fast?)`, to stand behind a name that does not exist; empty if none of `names` is near. */
export function suggestion(word: unknown, names: readonly string[]): string {
  const nearest = typeof word === 'string' ? nearestName(word, names) : undefined;
  // A name that cannot be told from the word is of no help: of a file, say, whose name is no text.
  return nearest === undefined || nearest === word ? '' : ` (did you mean ${nearest}?)`;
}

function onlyNameWith(part: string, names: readonly string[]): string | undefined {
  if (part.length < MIN_PART_LETTERS) return undefined;
  const [name, another] = names.filter(name => name.toLowerCase().includes(part));
  return another === undefined ? name : undefined;
}

/**
 * Letters to add, to leave out, to replace or to swap with the next one until `a` is `b` (Damerau 1964, each letter
 * changed once).
 */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_WRONG_LETTERS) return Number.POSITIVE_INFINITY;
  let before: number[] = [];
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      const isSwapped = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1];
      const swapped = isSwapped ? before[j - 2]! + 1 : Number.POSITIVE_INFINITY;
      row.push(Math.min(replaced, swapped, above[j]! + 1, row[j - 1]! + 1));
    }
    before = above;
  }
  return row[b.length]!;
}
