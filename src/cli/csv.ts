// Tables of comma-separated values, RFC 4180.

/** A value of a cell. An unknown one leaves the cell empty. */
export type Cell = string | number | undefined;

/** A table with its header: lines of cells with commas between, each ended by CR and LF. */
export function csvTable(header: readonly string[], rows: readonly (readonly Cell[])[]): string {
  return [header, ...rows].map(csvLine).join('');
}

/** A line of a table. */
export function csvLine(row: readonly Cell[]): string {
  return `${row.map(cellText).join(',')}\r\n`;
}

/** A cell with a comma, a quote or the end of a line stands in quotes. */
function cellText(cell: Cell): string {
  const text = String(cell ?? '');
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
