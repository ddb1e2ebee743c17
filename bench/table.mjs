// Formats rows as an aligned Markdown table.

/** The table. `rows` are arrays of texts or numbers; columns of numbers are aligned to the right. */
export function table(header, rows) {
  const texts = [header, ...rows].map(row => row.map(String));
  const widths = header.map((_, column) => Math.max(3, ...texts.map(row => row[column].length)));
  const right = header.map((_, column) => rows.every(row => /^[-+]?[\d.,]+( %)?$|^n\/a$/.test(String(row[column]))));
  const line = row =>
    `| ${row.map((text, i) => (right[i] ? text.padStart(widths[i]) : text.padEnd(widths[i]))).join(' | ')} |`;
  const rule = `|${widths.map((width, i) => `${'-'.repeat(width + 1)}${right[i] ? ':' : '-'}`).join('|')}|`;
  return [line(texts[0]), rule, ...texts.slice(1).map(line)].join('\n');
}

/** A number with a fixed number of decimals, or `n/a`. */
export function fixed(value, digits) {
  return Number.isFinite(value) ? value.toFixed(digits) : 'n/a';
}
