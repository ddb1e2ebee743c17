// Finds the name that someone meant who wrote it wrongly.

/** Most letters that may be wrong: added, left out or replaced. */
const MAX_WRONG_LETTERS = 2;

/** The name that is nearest to `word`, upper and lower case alike; undefined if none is near. */
export function nearestName(word: string, names: readonly string[]): string | undefined {
  let nearest: { readonly name: string; readonly distance: number } | undefined;
  for (const name of names) {
    const distance = editDistance(word.toLowerCase(), name.toLowerCase());
    const isNear = distance <= MAX_WRONG_LETTERS && distance < name.length / 2;
    if (isNear && distance < (nearest?.distance ?? Number.POSITIVE_INFINITY)) nearest = { name, distance };
  }
  return nearest?.name;
}

/** Letters to add, to leave out or to replace until `a` is `b` (Levenshtein 1966). */
function editDistance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > MAX_WRONG_LETTERS) return Number.POSITIVE_INFINITY;
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i++) {
    const above = row;
    row = [i];
    for (let j = 1; j <= b.length; j++) {
      const replaced = above[j - 1]! + (a[i - 1] === b[j - 1] ? 0 : 1);
      row.push(Math.min(replaced, above[j]! + 1, row[j - 1]! + 1));
    }
  }
  return row[b.length]!;
}
