/** ASCII between them is written as it is seen. */
const [SPACE, TILDE] = [32, 126];
const SIGNS = '=+-@';
/**
 * A sign of ASCII or of full width, behind any blanks, controls and characters without a width, since spreadsheets leave those out; or a
 * tab or carriage return (OWASP, CSV injection).
 */
const FORMULA = /^(?:[\t\r]|[\s\p{Cc}\p{Cf}]*[=+\-@＝＋－＠])/u;

/** Whether a spreadsheet would run a cell; after an apostrophe it shows it. */
export function isFormula(text: string): boolean {
  const first = text.charCodeAt(0);
  // Most cells begin with a letter, and a download has millions of them.
  return first > SPACE && first <= TILDE ? SIGNS.includes(text[0]!) : FORMULA.test(text);
}

/** A value as a cell of a CSV, which no spreadsheet runs. */
export function csvCell(value: unknown, delimiter = ','): string {
  if (value === null || value === undefined) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return sentCsvCell(typeof value === 'string' && isFormula(text) ? `'${text}` : text, delimiter);
}

/** A text as a cell of a CSV (RFC 4180), which its reader finds as it is. */
export function sentCsvCell(text: string, delimiter: string): string {
  return /["\r\n]/.test(text) || text.includes(delimiter) ? `"${text.replaceAll('"', '""')}"` : text;
}
