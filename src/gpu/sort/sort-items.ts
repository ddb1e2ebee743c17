// The definition of the sort: which order the items have.

/** Keys in ascending order, and the values that belong to them. */
export interface SortedItems {
  readonly keys: Uint32Array;
  /** As long as the keys; undefined where there were no values. */
  readonly values: Uint32Array | undefined;
}

/**
 * The items in order: by key, then by value. So the result is one and the same, whatever way leads to it. `values` is
 * as long as `keys`; the arrays are new.
 */
export function sortItems(keys: Uint32Array, values?: Uint32Array): SortedItems {
  const order = Uint32Array.from(keys.keys()).sort(
    (a, b) => keys[a]! - keys[b]! || (values ? values[a]! - values[b]! : 0),
  );
  return { keys: order.map(item => keys[item]!), values: values && order.map(item => values[item]!) };
}
