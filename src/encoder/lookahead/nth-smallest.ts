// Selects a value by its rank, without sorting the others.

/**
 * The value that would stand at index `rank` if `values` were sorted, 0 <= rank < length. Changes the order of
 * `values`.
 *
 * Source: Hoare, "Algorithm 65: Find", 1961.
 */
export function nthSmallest(values: Uint32Array, rank: number): number {
  let first = 0;
  let last = values.length - 1;
  while (first < last) {
    const pivot = values[(first + last) >> 1]!;
    let low = first;
    let high = last;
    while (low <= high) {
      while (values[low]! < pivot) low++;
      while (values[high]! > pivot) high--;
      if (low > high) break;
      const value = values[low]!;
      values[low++] = values[high]!;
      values[high--] = value;
    }
    if (rank <= high) last = high;
    else if (rank >= low) first = low;
    else break;
  }
  return values[rank]!;
}
