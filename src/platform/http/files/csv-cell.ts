/** What a cell must not begin with: a spreadsheet would run it (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;

/** A value as a cell of a CSV, which no spreadsheet runs. */
export function csvCell(value: unknown, delimiter = ','): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return sentCsvCell(typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text, delimiter);
}

/** A text as a cell of a CSV (RFC 4180), which its reader finds as it is. */
export function sentCsvCell(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}
