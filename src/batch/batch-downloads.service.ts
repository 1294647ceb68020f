import { Injectable, StreamableFile } from '@nestjs/common';
import { SuppressionsService } from '../suppressions/suppressions.service.js';
import type { Batch } from './batch.lifecycle.js';
import { BatchResultsService, type ResultRow } from './batch-results.service.js';
import { distinctNames } from './column-names.js';
import { resultsCursor, type ResultsQuery, wantedResults } from './result-input.js';
import { readAhead } from './read-ahead.js';
import { type PresentRow, presentRow, sampleOf, toStream, writeCsv, writeNdjson } from './result-writers.js';

export interface Asked {
  readonly query: ResultsQuery;
  readonly acceptsGzip: boolean;
  readonly present: PresentRow;
}

export interface ResultsPage {
  readonly id: number;
  readonly status: string;
  /** Of a batch of addresses. */
  readonly total_emails?: number;
  readonly total_people?: number;
  readonly results: readonly object[];
  readonly next_cursor: string | null;
}

const TYPES = { csv: 'text/csv; charset=utf-8; header=present', ndjson: 'application/x-ndjson' } as const;

/** The results of a finished batch in the form that was asked for. */
@Injectable()
export class BatchDownloadsService {
  constructor(
    private readonly results: BatchResultsService,
    private readonly suppressions: SuppressionsService,
  ) {}

  async page(batch: Batch, { query, present }: Asked): Promise<ResultsPage> {
    const { from, limit, verdicts } = wantedResults(batch, query);
    const { rows, next } = await this.results.page(batch, from, limit, verdicts);
    const marked = (await this.reportsSuppressed(batch)) ? await this.marked(batch, rows) : rows;
    const columns = batch.columns && distinctNames(batch.columns);
    return {
      id: batch.id,
      status: batch.state,
      ...(batch.kind === 'find' ? { total_people: batch.totalRows } : { total_emails: batch.totalRows }),
      results: marked.map((row) => presentRow(row, present, columns)),
      next_cursor: resultsCursor(batch, next),
    };
  }

  /** The whole file, or what follows a cursor. */
  file(batch: Batch, format: 'csv' | 'ndjson', { query, acceptsGzip, present }: Asked): StreamableFile {
    const { from, verdicts } = wantedResults(batch, query);
    const reports = this.reportsSuppressed(batch);
    // Told by whoever reads.
    reports.catch(() => undefined);
    const rows = readAhead(this.markedBlocks(batch, this.results.read(batch, from, verdicts), reports));
    const sample = async () => sampleOf(batch.kind, await reports);
    const write = format === 'csv' ? writeCsv : writeNdjson;
    const columns = batch.columns && distinctNames(batch.columns);
    const stream = toStream(write({ rows, present, columns, sample }), acceptsGzip);
    const disposition = `attachment; filename="batch-${batch.id}.${format}"`;
    return new StreamableFile(stream, { type: TYPES[format], disposition });
  }

  /** Verifications say whether an address is suppressed, for accounts that want to hear it. Decided once for a file. */
  private async reportsSuppressed(batch: Batch): Promise<boolean> {
    return batch.kind === 'verify' && (await this.suppressions.reportsInVerify(batch));
  }

  private async *markedBlocks(batch: Batch, blocks: AsyncIterable<Iterable<ResultRow>>, reports: Promise<boolean>) {
    for await (const rows of blocks) yield (await reports) ? await this.marked(batch, [...rows]) : rows;
  }

  private async marked(batch: Batch, rows: readonly ResultRow[]): Promise<readonly ResultRow[]> {
    const emails = rows.map(({ result }) => result.verification.email);
    const found = await this.suppressions.among(batch, emails);
    // Not by spread, as in the presenter.
    return rows.map(({ position, result, cells }, i) => {
      const { offset, verification, creditsCharged, latencyMs } = result;
      const suppressed = found.has(emails[i]!);
      return { position, result: { offset, verification, creditsCharged, latencyMs, suppressed }, cells };
    });
  }
}
