import { exists } from './workload.js';

/** The sink's truth against the CSV, row by row. @returns rows that are wrong, missing or too many */
export function countWrong(csv: string, addresses: Iterable<string>): number {
  const lines = csv.trimEnd().split(/\r?\n/);
  const columns = lines[0]!.split(',');
  const [email, verdict] = [columns.indexOf('email'), columns.indexOf('verdict')];
  let wrong = 0;
  let row = 1;
  for (const address of addresses) {
    const cells = lines[row++]?.split(',') ?? [];
    if (cells[email] !== address || cells[verdict] !== (exists(address) ? 'valid' : 'invalid')) wrong += 1;
  }
  return wrong + Math.max(0, lines.length - row);
}
