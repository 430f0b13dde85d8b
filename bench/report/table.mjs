/** One shape for all results: a table of texts, for the terminal and for Markdown. */

/** @param {import('../measure.mjs').Result} result @returns {import('../measure.mjs').Table} */
export function tableOf({ rows = [], table }) {
  if (table !== undefined) return table
  return {
    columns: ['ms', 'p50', 'p95', 'p99', 'max'],
    rows: rows.map(([what, { p50, p95, p99, max }]) => [
      what,
      ...[p50, p95, p99, max].map((ms) => ms.toFixed(1)),
    ]),
  }
}

/** @param {import('../measure.mjs').Table} table */
export function asMarkdown({ columns, rows }) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(columns), `|${'---|'.repeat(columns.length)}`, ...rows.map(line)].join('\n')
}

/** @param {import('../measure.mjs').Table} table in columns, indented */
export function asText({ columns, rows }) {
  const all = [columns, ...rows]
  const widths = columns.map((_, i) => Math.max(...all.map((row) => (row[i] ?? '').length)))
  const line = (row) =>
    row.map((cell, i) => (i === 0 ? cell.padEnd(widths[i]) : cell.padStart(widths[i]))).join('  ')
  return all.map((row) => `  ${line(row)}`).join('\n')
}
