import type { FullVerificationReply } from '../../presenting/verification.reply.js';
import { csvCell, sentCsvCell } from '../../platform/csv-cell.js';
import { type Output, VERDICT_TABLE } from './results-output.js';
import type { CsvTable } from './csv-table.js';

/** What a verdict is written as, one after the other. */
export interface VerdictOutput {
  readonly head: string;
  row(reply: FullVerificationReply, score: number): string;
  readonly tail: string;
}

/* What a CSV of the service has where nothing is asked for. */
const COLUMNS = ['verdict', 'reason', 'action', 'score', 'did_you_mean'] as const;

/** @param table own columns, which stand before the verdict */
export function verdictOutput(output: Output, table: CsvTable | null): VerdictOutput {
  if (output === 'table') return VERDICT_TABLE;
  if (output === 'ndjson') return { head: '', row: (reply) => `${JSON.stringify(reply)}\n`, tail: '' };
  if (output === 'json') {
    let before = '';
    const row = (reply: FullVerificationReply) => {
      const text = before + JSON.stringify(reply);
      before = ',\n';
      return text;
    };
    return { head: '[\n', row, tail: '\n]\n' };
  }
  const delimiter = table?.delimiter ?? ',';
  const lineOf = (own: readonly string[], results: readonly unknown[]) => {
    // The columns of a file come back as they are in it.
    const before = own.map((cell) => (table === null ? csvCell(cell) : sentCsvCell(cell, delimiter)));
    return `${[...before, ...results.map((cell) => csvCell(cell, delimiter))].join(delimiter)}\r\n`;
  };
  const own = table?.names ?? ['email'];
  return {
    head: lineOf(
      own,
      COLUMNS.map((name) => (own.includes(name) ? `mailsonde_${name}` : name)),
    ),
    row: (reply, score) => {
      const row = table === null ? [reply.email] : table.rows.shift()!;
      const cells = own.map((_, at) => row[at] ?? '');
      return lineOf(cells, [reply.verdict, reply.reason, reply.action, score, reply.did_you_mean]);
    },
    tail: '',
  };
}
