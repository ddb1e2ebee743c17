// Chooses few combinations of parameter values so that every pair of values still occurs together.

/** Values to choose from, by parameter. */
export type Choices = Readonly<Record<string, readonly unknown[]>>;

/** One value of each parameter. */
export type Combination<C extends Choices> = { -readonly [Name in keyof C]: C[Name][number] };

/**
 * Combinations of one value of each parameter, the same list every time. What it covers: for any two parameters,
 * each value of the one occurs with each value of the other (with a single parameter: each value occurs). Three
 * values that fail only together can be missed; the whole grid is for them. There are at least as many combinations
 * as the two longest lists have pairs of values.
 *
 * Greedy: a combination starts with a pair that is still missing; each other parameter then takes the value that
 * adds the most missing pairs, and of equals the one used least.
 */
export function pairwise<C extends Choices>(choices: C): Combination<C>[] {
  const names = Object.keys(choices);
  if (names.length === 1) return wholeGrid(choices);
  const used = new Map<string, number>();
  const missing = new Set(names.flatMap((a, i) => names.slice(i + 1).flatMap(b => pairsOf(choices, a, b))));
  const rows: Combination<C>[] = [];
  while (missing.size > 0) {
    const row = new Map<string, number>(JSON.parse([...missing][0]!));
    for (const name of names) {
      if (row.has(name)) continue;
      const gains = choices[name]!.map((_, value) => {
        const added = [...row].filter(other => missing.has(keyOf(names, [name, value], other))).length;
        return added - (used.get(`${name} ${value}`) ?? 0) / 1e6;
      });
      row.set(name, gains.indexOf(Math.max(...gains)));
    }
    const entries = [...row];
    entries.forEach((entry, i) => {
      used.set(entry.join(' '), (used.get(entry.join(' ')) ?? 0) + 1);
      for (const other of entries.slice(i + 1)) missing.delete(keyOf(names, entry, other));
    });
    rows.push(Object.fromEntries(names.map(name => [name, choices[name]![row.get(name)!]])) as Combination<C>);
  }
  return rows;
}

/** The pairs of values that occur in no row, each as "name value, name value". */
export function missingPairs(choices: Choices, rows: readonly Readonly<Record<string, unknown>>[]): string[] {
  const names = Object.keys(choices);
  return names.flatMap((a, i) =>
    names.slice(i + 1).flatMap(b =>
      wholeGrid({ [a]: choices[a]!, [b]: choices[b]! })
        .filter(pair => !rows.some(row => row[a] === pair[a] && row[b] === pair[b]))
        .map(pair => `${a} ${JSON.stringify(pair[a])}, ${b} ${JSON.stringify(pair[b])}`),
    ),
  );
}

/** Every combination, the last parameter changing fastest. */
export function wholeGrid<C extends Choices>(choices: C): Combination<C>[] {
  let rows: Record<string, unknown>[] = [{}];
  for (const [name, values] of Object.entries(choices)) {
    rows = rows.flatMap(row => values.map(value => ({ ...row, [name]: value })));
  }
  return rows as Combination<C>[];
}

type Entry = readonly [name: string, valueIndex: number];

function pairsOf(choices: Choices, a: string, b: string): string[] {
  return choices[a]!.flatMap((_, i) =>
    choices[b]!.map((_, j) =>
      JSON.stringify([
        [a, i],
        [b, j],
      ]),
    ),
  );
}

/** The key of a pair, its parameters in the order of `names`. */
function keyOf(names: readonly string[], a: Entry, b: Entry): string {
  return JSON.stringify(names.indexOf(a[0]) < names.indexOf(b[0]) ? [a, b] : [b, a]);
}
