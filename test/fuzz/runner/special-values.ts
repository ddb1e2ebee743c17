// Values that JSON lacks, in the form that a case gives them: `{ "$": "NaN" }`.
import fc from 'fast-check';

const SPECIAL = {
  NaN: () => Number.NaN,
  Infinity: () => Number.POSITIVE_INFINITY,
  '-Infinity': () => Number.NEGATIVE_INFINITY,
  undefined: () => undefined,
  function: () => () => 1,
  symbol: () => Symbol('odd'),
  bigint: () => 7n,
  date: () => new Date(0),
} as const satisfies Readonly<Record<string, () => unknown>>;

/** A value of a case. */
export type CaseValue = unknown;

/** Values of the wrong type, or of the right one and senseless. */
export const oddValues: fc.Arbitrary<CaseValue> = fc.oneof(
  fc.constantFrom(...Object.keys(SPECIAL)).map(name => ({ $: name })),
  fc.constantFrom<unknown[]>(
    null,
    true,
    false,
    '',
    'no',
    '5',
    [],
    {},
    [1, 2],
    { x: 1 },
    'ü\n',
    'constructor',
    '__proto__',
  ),
  fc.constantFrom<unknown[]>(-1, 0, 0.5, -0.001, 1e9, 1e300, 2 ** 31, 2 ** 53, -(2 ** 31), 65_536, 1001),
);

/** What a value of a case stands for. */
export function revived(value: CaseValue): unknown {
  const name = typeof value === 'object' && value !== null && '$' in value ? String(value.$) : undefined;
  return name !== undefined && Object.hasOwn(SPECIAL, name) ? SPECIAL[name as keyof typeof SPECIAL]() : value;
}
