/** What a cell must not begin with: a spreadsheet would run it (OWASP, CSV injection). */
const FORMULA = /^[=+\-@\t\r]/;

/** A value as a cell of a CSV (RFC 4180). */
export function csvCell(value: unknown, delimiter = ','): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  const harmless = typeof value === 'string' && FORMULA.test(text) ? `'${text}` : text;
  return /["\r\n]/.test(harmless) || harmless.includes(delimiter) ? `"${harmless.replaceAll('"', '""')}"` : harmless;
}
