// Orders file names as people count: frame2 before frame10.
const PARTS = /\d+|\D+/g;

/**
 * Compares two names for `sort`. Runs of digits compare as numbers of any length, everything else by code unit, so that
 * the order is the same in every locale. Names that differ in leading zeros only also have a fixed order.
 */
export function compareNatural(a: string, b: string): number {
  const partsOfA = a.match(PARTS) ?? [];
  const partsOfB = b.match(PARTS) ?? [];
  const shared = Math.min(partsOfA.length, partsOfB.length);
  for (let i = 0; i < shared; i++) {
    const order = comparePart(partsOfA[i]!, partsOfB[i]!);
    if (order !== 0) return order;
  }
  return partsOfA.length - partsOfB.length || compareText(a, b);
}

function comparePart(a: string, b: string): number {
  if (!isNumber(a) || !isNumber(b)) return compareText(a, b);
  const digitsOfA = a.replace(/^0+/, '');
  const digitsOfB = b.replace(/^0+/, '');
  return digitsOfA.length - digitsOfB.length || compareText(digitsOfA, digitsOfB);
}

function isNumber(part: string): boolean {
  return part >= '0' && part < ':';
}

function compareText(a: string, b: string): number {
  return a < b ? -1 : a > b ? 1 : 0;
}
